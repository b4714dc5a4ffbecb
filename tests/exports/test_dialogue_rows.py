"""Dialogues in a dataset folder: rows, splits, loading, verification, versions."""

from __future__ import annotations

import json
from pathlib import Path

from exports.dataset.dialogue_rows import PublishedDialogue, select_dialogues
from exports.dataset.release import checked_release
from exports.dataset.splits import split_of
from exports.dataset.verify import verify_folder
from salitrap.dialogues import Control, Pattern
from salitrap.records.enums import Fault, Language
from tests.exports.conftest import Build, contents
from tests.exports.dialogue_samples import families, family
from tests.lab.dialogues import entries

RELEASE = checked_release("SaliTrap", "1.0.0", "cc-by-4.0", 0.3)
ENTRY = next(entries(Language.EN, 1))


def test_a_row_gives_back_the_dialogue_with_its_id() -> None:
    for row in select_dialogues(families(1), RELEASE, {}).rows:
        again = PublishedDialogue.model_validate_json(row.model_dump_json())
        assert again.dialogue.dialogue_id == row.dialogue_id


def test_each_trap_dialogue_comes_before_its_controls_whatever_the_order() -> None:
    kept = families(1)
    rows = select_dialogues(kept, RELEASE, {}).rows
    assert len(rows) == len(kept)
    seen = set[str]()
    for row in rows:
        assert row.control is Control.NONE or row.twin_of in seen
        seen.add(row.dialogue_id)


def test_no_address_of_a_solver_is_published() -> None:
    text = select_dialogues(families(1), RELEASE, {}).rows[0].model_dump_json()
    assert "10.0.0.7" not in text and "openai/m" in text


def test_a_broken_dialogue_is_withheld_and_its_controls_with_it() -> None:
    kept = family(ENTRY, Pattern.PUSHBACK)
    broken = kept[0].model_copy(update={"dialogue": kept[0].dialogue.model_copy(update={"t_star": 3})})
    chosen = select_dialogues([broken, *kept[1:]], RELEASE, {})
    assert chosen.rows == ()
    assert len(chosen.withheld) == len(kept)
    assert {one.fault for one in chosen.withheld} == {Fault.BAD_STRUCTURE}
    assert "t_star_wrong" in chosen.withheld[0].reason


def test_both_configurations_load_and_verify(build: Build, out: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    kept = families(3)
    built = build(dialogues=kept)
    assert built.dialogues == len(kept)
    assert verify_folder(out) == ()
    items = load_dataset(str(out), cache_dir=str(tmp_path / "a"))
    assert "item_id" in items["test"].column_names
    loaded = load_dataset(str(out), "dialogues", cache_dir=str(tmp_path / "b"))
    rows = [PublishedDialogue.model_validate(row) for split in loaded.values() for row in split]
    sent = {one.dialogue_id: one.dialogue for one in kept}
    assert {row.dialogue_id: row.dialogue for row in rows} == {
        name: dialogue.model_copy(update={"provenance": None}) for name, dialogue in sent.items()
    }
    for name, split in loaded.items():
        assert all(split_of(row["seed_id"], 0.3).value == name for row in split)


def test_the_lines_are_the_rows(build: Build, out: Path) -> None:
    build(dialogues=families(3))
    lines = (out / "jsonl" / "dialogues" / "test.jsonl").read_text(encoding="utf-8").splitlines()
    assert [PublishedDialogue.model_validate_json(line).dialogue_id for line in lines] == [
        json.loads(line)["dialogue_id"] for line in lines
    ]


def test_equal_dialogues_give_equal_bytes_in_any_order(build: Build, out: Path, tmp_path: Path) -> None:
    kept = families(2)
    build(dialogues=kept)
    first = contents(out)
    traps = [one for one in kept if one.control is Control.NONE]
    controls = [one for one in kept if one.control is not Control.NONE]
    build(dialogues=[*reversed(traps), *reversed(controls)], out=tmp_path / "again")
    assert contents(tmp_path / "again") == first


def test_the_card_tells_of_dialogues_only_where_there_are_some(build: Build, out: Path) -> None:
    build()
    assert "## Dialogues" not in (out / "README.md").read_text(encoding="utf-8")
    build(dialogues=families(1))
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "`feasible_twin`" in card and "`sunk_cost`" in card
    assert "config_name: dialogues" in card


def test_a_tampered_dialogue_is_found(build: Build, out: Path) -> None:
    build(dialogues=families(1))
    path = out / "data" / "dialogues" / "test-00000-of-00001.parquet"
    path.write_bytes(path.read_bytes()[:-9] + b"x" * 9)
    assert next(iter(verify_folder(out))).path == "data/dialogues/test-00000-of-00001.parquet"


def test_the_next_version_keeps_when_a_dialogue_was_added(build: Build, out: Path, tmp_path: Path) -> None:
    before, now = families(1), families(2)
    build(dialogues=before)
    build(dialogues=now, out=tmp_path / "next", version="1.1.0", previous=out)
    rows = [
        json.loads(line)
        for path in (tmp_path / "next" / "jsonl" / "dialogues").iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    old = {one.dialogue_id for one in before}
    assert {row["version_added"] for row in rows if row["dialogue_id"] in old} == {"1.0.0"}
    assert {row["version_added"] for row in rows if row["dialogue_id"] not in old} == {"1.1.0"}
    told = (tmp_path / "next" / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"{len(now) - len(before)} added, 0 removed, {len(before)} kept" in told
