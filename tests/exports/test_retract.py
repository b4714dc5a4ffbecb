"""Withdrawing rows of a dataset: they move with their reason, everything else stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports.dataset import build_dataset, verify_folder
from exports.dataset.existing import files_in
from exports.dataset.manifest import read_manifest
from exports.dataset.old_card import dimension_names
from exports.dataset.retract import Retracted, retract
from exports.evaluation.dialogues.dialogue_set import load_dialogues
from exports.evaluation.evalset import load_evalset
from exports.hardening import SourceRelease, read_release
from salitrap.dialogues import Control, Pattern
from salitrap.errors import InputError
from tests.cli.helpers import tree
from tests.exports.dialogue_samples import families
from tests.exports.samples import certified, facts, many

DAY = "2026-05-02"
REASON = "Wrong: a *sieve* of fine mesh holds oil | see #12"
NAME = "Missing | <pre>requisite_"


def built(folder: Path, **changes: Any) -> SourceRelease:
    values: dict[str, Any] = {
        "dialogues": families(1, (Pattern.PUSHBACK, Pattern.DRIP)),
        "version": "1.2.0",
        "dev_share": 0.3,
        "holdout_share": 0.2,
        "date": "2026-01-31",
        **changes,
    }
    told = facts(dimensions={"D1": NAME, "D2": "Environmental mismatch"})
    build_dataset(
        [*many(24), certified(90, prompt="")], told, out=folder, license="cc-by-4.0", name="Trap", **values
    )
    return read_release(folder)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> SourceRelease:
    """Only read by the tests."""
    return built(tmp_path_factory.mktemp("source") / "one")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "two"


def withdrawn(source: SourceRelease, out: Path, *ids: str, **options: Any) -> Retracted:
    return retract(source.folder, ids, options.pop("reason", REASON), out=out, **{"date": DAY, **options})


def lines(folder: Path, config: str) -> list[bytes]:
    found = sorted((folder / "jsonl" / config).glob("*.jsonl"))
    return [line for path in found for line in path.read_bytes().splitlines()]


def test_what_is_withdrawn_moves_and_every_other_row_is_the_same_bytes(
    source: SourceRelease, out: Path
) -> None:
    gone = [source.items[0].item_id, source.items[5].item_id]
    before = tree(source.folder)
    done = withdrawn(source, out, *gone)
    assert (done.version, done.items, done.items_kept) == ("2.0.0", tuple(gone), 22)
    assert tree(source.folder) == before and verify_folder(out) == ()
    kept = [line for line in lines(source.folder, "items") if json.loads(line)["item_id"] not in gone]
    assert lines(out, "items") == kept
    assert lines(out, "dialogues") == lines(source.folder, "dialogues")
    new = read_release(out)
    assert [row.item_id for row in new.retired] == gone
    for row in new.retired:
        assert (row.retired_in, row.retired_on, row.retired_reason) == ("2.0.0", DAY, REASON)
        original = next(item for item in source.items if item.item_id == row.item_id)
        assert {**original.model_dump(), **row.model_dump(include=set(type(original).model_fields))} == (
            original.model_dump()
        )


def test_all_configurations_load(source: SourceRelease, out: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    talk = source.dialogues[0].dialogue_id
    withdrawn(source, out, source.items[0].item_id, talk)
    for config in ("items", "dialogues", "retired", "retired_dialogues"):
        loaded = load_dataset(str(out), config, cache_dir=str(tmp_path / config))
        held = [row for split in loaded.values() for row in split]
        assert len(held) == len(lines(out, config)) > 0
        assert all(row["retired_in"] == "2.0.0" for row in held if config.startswith("retired"))


def test_a_trap_dialogue_takes_its_controls_along_and_a_control_goes_alone(
    source: SourceRelease, out: Path, tmp_path: Path
) -> None:
    trap = next(row for row in source.dialogues if row.control is Control.NONE)
    controls = [row.dialogue_id for row in source.dialogues if row.twin_of == trap.dialogue_id]
    done = withdrawn(source, out, trap.dialogue_id)
    assert set(done.dialogues) == {trap.dialogue_id, *controls} and len(controls) >= 2 and not done.items
    new = read_release(out)
    assert {row.dialogue_id for row in new.retired_dialogues} == set(done.dialogues)
    assert len(new.dialogues) == len(source.dialogues) - len(done.dialogues)
    assert verify_folder(out) == () and new.items == source.items
    alone = withdrawn(source, tmp_path / "three", controls[0])
    assert alone.dialogues == (controls[0],)


def test_manifest_card_and_changelog_say_what_happened(source: SourceRelease, out: Path) -> None:
    gone, talk = source.items[3].item_id, source.dialogues[0]
    withdrawn(source, out, gone, talk.dialogue_id)
    old, new = source.manifest, read_manifest(out)
    same = ("name", "license", "canary", "dev_share", "holdout_share", "is_holdout", "settings_hash")
    for name in (*same, "models", "prompts", "withheld", "screening", "judge", "simulated"):
        assert getattr(new, name) == getattr(old, name)
    assert len(new.withheld) == 1 and new.date == DAY
    assert new.funnel == (*old.funnel, ("items withdrawn in 2.0.0", 1))
    log = (out / "CHANGELOG.md").read_text(encoding="utf-8")
    assert log.index("## 2.0.0") < log.index("## 1.2.0") and f"- withdrawn `{gone}`" in log
    assert r"Wrong: a \*sieve\* of fine mesh" in log and DAY in log and "not comparable" in log
    card = (out / "README.md").read_text(encoding="utf-8")
    assert f"| 2.0.0 | {DAY} | 1 | " in card and "## Retired items" in card


def test_names_of_dimensions_and_notes_come_from_the_card_before(tmp_path: Path, out: Path) -> None:
    source = built(tmp_path / "one", dialogues=())
    card = tmp_path / "one" / "README.md"
    card.write_bytes(card.read_bytes() + b"\nWritten by hand.\n")
    assert dimension_names(card, {"D1", "D2", "D3"}) == {"D1": NAME, "D2": "Environmental mismatch"}
    withdrawn(source, out, source.items[0].item_id)
    text = (out / "README.md").read_text(encoding="utf-8")
    assert text.endswith("\nWritten by hand.\n") and "| D2 Environmental mismatch |" in text
    assert verify_folder(out) == ()


def test_equal_arguments_give_equal_bytes_and_another_day_others(
    source: SourceRelease, out: Path, tmp_path: Path
) -> None:
    first, second = source.items[0].item_id, source.items[1].item_id
    withdrawn(source, out, first, second)
    withdrawn(source, tmp_path / "again", second, first, second)
    assert tree(out) == tree(tmp_path / "again")
    withdrawn(source, out, first, second)  # the same bytes into the same place
    with pytest.raises(InputError, match=r"holds version 2\.0\.0"):
        withdrawn(source, out, first, second, date="2026-06-01")


def test_withdrawals_add_up_and_a_later_build_does_not_bring_them_back(
    source: SourceRelease, out: Path, tmp_path: Path
) -> None:
    trap = source.dialogues[0]
    withdrawn(source, out, source.items[0].item_id, trap.dialogue_id)
    second = read_release(out)
    done = withdrawn(second, tmp_path / "three", second.items[0].item_id, reason="Another one.")
    new = read_release(tmp_path / "three")
    assert done.version == "3.0.0" and verify_folder(tmp_path / "three") == ()
    assert {row.retired_in for row in new.retired} == {"2.0.0", "3.0.0"}
    assert new.retired_dialogues == second.retired_dialogues != ()
    again = built(tmp_path / "four", version="4.0.0", previous=tmp_path / "three", date="2026-07-01")
    assert {item.item_id for item in again.items} == {item.item_id for item in new.items}
    assert [row.dialogue_id for row in again.dialogues] == [row.dialogue_id for row in new.dialogues]
    assert again.retired_dialogues == new.retired_dialogues and verify_folder(tmp_path / "four") == ()
    assert {one.fault for one in again.manifest.withheld} >= {"retired"}


def test_the_version_before_can_still_be_evaluated(source: SourceRelease, out: Path) -> None:
    gone, talk = source.items[0].item_id, source.dialogues[0]
    withdrawn(source, out, gone, talk.dialogue_id)
    for load, ids in ((load_evalset, source.items), (load_dialogues, source.dialogues)):
        then, now = load(out, split="all", as_of="1.2.0"), load(out, split="all")
        rows = getattr(then, "items", None) or then.rows
        less = getattr(now, "items", None) or now.rows
        assert set(rows) == set(ids) > set(less)


def test_dialogues_of_a_withdrawn_item_are_told(tmp_path: Path, out: Path) -> None:
    talk = families(1, (Pattern.PUSHBACK,))
    item = certified(1)
    made = [
        one.model_copy(update={"dialogue": one.dialogue.model_copy(update={"source_id": item.item_id})})
        for one in talk
    ]
    source = built(tmp_path / "one", dialogues=made)
    told = withdrawn(source, out, item.item_id).notices
    assert any(f"stay: {len(source.dialogues)}, the first " in one for one in told)


def test_files_about_the_version_before_alone_are_told(source: SourceRelease, out: Path) -> None:
    done = withdrawn(source, out, source.items[0].item_id, version="1.3.0")
    assert done.notices == (
        "scores on 1.3.0 are not comparable with those on 1.2.0; that calls for version 2.0.0",
    )
    assert set(files_in(source.folder)) < set(files_in(out))


def test_unknown_ids_are_refused_with_near_matches(source: SourceRelease, out: Path) -> None:
    whole = source.items[0].item_id
    for given in (whole[:-3], whole[:-1] + "!"):
        with pytest.raises(InputError, match=f"no item or dialogue '{given}', did you mean {whole}"):
            withdrawn(source, out, given)
    with pytest.raises(InputError) as refused:
        withdrawn(source, out, whole, *(f"?{number}" for number in range(9)))
    assert "and 4 more" in str(refused.value) and "did you mean" not in str(refused.value)
    assert not out.exists()


def test_what_was_withdrawn_cannot_be_withdrawn_again(
    source: SourceRelease, out: Path, tmp_path: Path
) -> None:
    withdrawn(source, out, source.items[0].item_id)
    with pytest.raises(InputError, match=r"was retired in 2\.0\.0 already"):
        withdrawn(read_release(out), tmp_path / "three", source.items[0].item_id)


def test_withdrawing_everything_is_refused(source: SourceRelease, out: Path) -> None:
    with pytest.raises(InputError, match="all 24 items would go"):
        withdrawn(source, out, *(item.item_id for item in source.items))
    done = withdrawn(source, out, *(row.dialogue_id for row in source.dialogues))
    assert done.dialogues_kept == 0 and verify_folder(out) == ()
    assert set(read_manifest(out).configs) == {"items", "retired_dialogues"}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"reason": " "}, "--reason"),
        ({"reason": "two\nlines"}, "--reason"),
        ({"date": "2026-13-01"}, "YYYY-MM-DD"),
        ({"date": "2025-12-31"}, "is of 2026-01-31"),
        ({"version": "1.2.0"}, "give a higher one"),
        ({"version": "two"}, "three numbers"),
    ],
)
def test_bad_choices_are_refused(
    source: SourceRelease, out: Path, options: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        withdrawn(source, out, source.items[0].item_id, **options)
    assert not out.exists()


def test_the_dataset_itself_is_not_a_place_to_write(source: SourceRelease) -> None:
    with pytest.raises(InputError, match="another folder"):
        withdrawn(source, source.folder, source.items[0].item_id)
    with pytest.raises(InputError, match="nothing to withdraw"):
        withdrawn(source, source.folder.with_name("new"))


def test_a_private_holdout_stays_one(tmp_path: Path, out: Path) -> None:
    source = built(tmp_path / "one", is_holdout=True)
    withdrawn(source, out, source.items[0].item_id)
    assert read_manifest(out).is_holdout and read_manifest(out).holdout_share == 0.2
