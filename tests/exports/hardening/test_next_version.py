"""The next version of a dataset: rows, columns, versions, changelog, and the folder before it untouched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curation.hardening import Fate, Hardened, HardenedItem, NewItem, Standing
from curation.hardening.records import Recertified
from exports.dataset import build_dataset, load_back, verify_folder
from exports.hardening import SourceRelease, build_hardened, next_version, read_release
from salitrap.errors import InputError
from salitrap.records import Item
from salitrap.settings import Settings
from tests.cli.helpers import tree
from tests.exports.hardening.samples import answered, settings
from tests.exports.samples import certified, facts, many

DAY = "2026-05-02"


@pytest.fixture
def source(tmp_path: Path) -> SourceRelease:
    build_dataset(
        many(24),
        facts(),
        out=tmp_path / "one",
        version="1.2.0",
        license="cc-by-4.0",
        name="SaliTrap",
        dev_share=0.3,
        date="2026-01-31",
    )
    return read_release(tmp_path / "one")


def kept(item: Item) -> HardenedItem:
    found = answered(item.item_id, (5, 5, 5))
    return HardenedItem(item=item, fate=Fate.KEPT, standing=Standing.HOLDS, rate=1.0, found=found)


def solved(item: Item, revision: NewItem | None = None) -> HardenedItem:
    fate = Fate.RETIRED if revision is None else Fate.REVISED
    found = answered(item.item_id, (0, 1, 0))
    return HardenedItem(
        item=item, fate=fate, standing=Standing.SOLVED, rate=0.1, found=found, revision=revision
    )


def new(ordinal: int, parent: Item | None = None, **changes: Any) -> NewItem:
    family = {} if parent is None else {"seed_id": parent.seed_id, "dimension_tag": parent.dimension_tag}
    item = certified(ordinal, **family, **changes)
    found: Recertified = answered(item.item_id, (4, 5, 5))
    return NewItem(item=item, found=found, rate=0.9, parent_id=parent.item_id if parent else None)


def outcome(source: SourceRelease) -> Hardened:
    first, second, *others = source.items
    return Hardened(
        items=(solved(first), solved(second, new(500, second)), *map(kept, others)), new=(new(600),)
    )


def rows(folder: Path, config: str = "items") -> dict[str, dict[str, Any]]:
    files = folder.glob(f"jsonl/{config}/*.jsonl")
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["item_id"]: row for row in map(json.loads, lines)}


def build(source: SourceRelease, hardened: Hardened, out: Path, given: Settings | None = None) -> Any:
    return build_hardened(source, hardened, facts(), given or settings(), out=out, date=DAY)


def test_kept_rows_do_not_change_and_the_others_say_where_they_come_from(
    source: SourceRelease, tmp_path: Path
) -> None:
    done = build(source, outcome(source), tmp_path / "two")
    before, after = rows(source.folder), rows(tmp_path / "two")
    first, second = source.items[0].item_id, source.items[1].item_id
    assert all(after[item_id] == row for item_id, row in before.items() if item_id not in (first, second))
    revised, fresh = after[certified_id(source)], after[new(600).item.item_id]
    assert (revised["parent_id"], revised["version_added"], revised["date_added"]) == (second, "2.0.0", DAY)
    assert (fresh["parent_id"], fresh["version_added"], fresh["date_added"]) == (None, "2.0.0", DAY)
    assert len(after) == len(before)
    assert done.built.version == "2.0.0"
    assert verify_folder(tmp_path / "two") == ()


def certified_id(source: SourceRelease) -> str:
    return new(500, source.items[1]).item.item_id


def test_retired_rows_have_version_day_and_reason_and_load(source: SourceRelease, tmp_path: Path) -> None:
    from datasets import load_dataset

    build(source, outcome(source), tmp_path / "two")
    loaded = load_dataset(str(tmp_path / "two"), "retired", cache_dir=str(tmp_path / "cache"))
    found = {row["item_id"]: row for split in loaded.values() for row in split}
    first, second = source.items[:2]
    assert set(found) == {first.item_id, second.item_id}
    assert {row["retired_in"] for row in found.values()} == {"2.0.0"}
    assert {row["retired_on"] for row in found.values()} == {DAY}
    assert found[first.item_id]["retired_reason"] == "solved by all solvers: 1 of 15 answers failed"
    assert certified_id(source) in found[second.item_id]["retired_reason"]
    assert found[first.item_id]["date_added"] == "2026-01-31"
    assert len(load_back(tmp_path / "two", tmp_path / "cache")["test"]) > 0


def test_the_folder_before_is_untouched_and_the_same_outcome_gives_the_same_bytes(
    source: SourceRelease, tmp_path: Path
) -> None:
    before = tree(source.folder)
    build(source, outcome(source), tmp_path / "two")
    build(source, outcome(source), tmp_path / "other")
    build(source, outcome(source), tmp_path / "other")
    assert tree(source.folder) == before
    assert tree(tmp_path / "two") == tree(tmp_path / "other")
    with pytest.raises(InputError, match="the release itself"):
        build(source, outcome(source), source.folder)


def test_the_changelog_tells_the_difference_item_by_item(source: SourceRelease, tmp_path: Path) -> None:
    build(source, outcome(source), tmp_path / "two")
    text = (tmp_path / "two" / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.startswith(
        "# Changelog\n\n## 2.0.0\n\nSince 1.2.0, hardened: of 24 items 22 kept, 1 revised,"
    )
    assert f"- retired `{source.items[0].item_id}`: solved by all solvers" in text
    assert f"- revised `{source.items[1].item_id}`: " in text
    assert f"- new `{new(600).item.item_id}`" in text
    assert text.endswith("## 1.2.0\n\nFirst release: 24 items.\n")


def test_the_version_follows_from_what_it_means(source: SourceRelease) -> None:
    everything = tuple(map(kept, source.items))
    assert next_version("1.2.3", Hardened(items=everything, new=(new(600),))) == "1.3.0"
    assert next_version("1.2.3", outcome(source)) == "2.0.0"
    assert next_version("0.4.0", outcome(source)) == "1.0.0"
    with pytest.raises(InputError, match=r"1\.2\.3 stands"):
        next_version("1.2.3", Hardened(items=everything, new=()))


def test_nothing_left_is_said_and_nothing_written(source: SourceRelease, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="all 24 items"):
        build(source, Hardened(items=tuple(map(solved, source.items)), new=()), tmp_path / "two")
    assert not (tmp_path / "two").exists()


def test_everything_solved_and_revised_is_a_version(source: SourceRelease, tmp_path: Path) -> None:
    items = tuple(solved(item, new(700 + at, item)) for at, item in enumerate(source.items))
    done = build(source, Hardened(items=items, new=()), tmp_path / "two")
    assert {row["parent_id"] for row in rows(tmp_path / "two").values()} == set(rows(source.folder))
    assert done.report.counts.revised == 24
    assert verify_folder(tmp_path / "two") == ()


def test_a_revision_that_cannot_be_published_leaves_its_parent_as_it_was(
    source: SourceRelease, tmp_path: Path
) -> None:
    first, second, *others = source.items
    stray = ("40", "99999")
    weak = kept(second).model_copy(
        update={"fate": Fate.REVISED, "revision": new(501, second, injected_numbers=stray)}
    )
    gone = solved(first, new(500, first, injected_numbers=stray))
    done = build(source, Hardened(items=(gone, weak, *map(kept, others)), new=()), tmp_path / "two")
    counts = done.report.counts
    assert (counts.kept, counts.revised, counts.retired) == (23, 0, 1)
    assert len(done.built.withheld) == 2
    assert set(rows(tmp_path / "two")) == set(rows(source.folder)) - {first.item_id}


def test_what_was_retired_before_stays_retired(source: SourceRelease, tmp_path: Path) -> None:
    build(source, outcome(source), tmp_path / "two")
    second = read_release(tmp_path / "two")
    assert len(second.retired) == 2
    first, *others = second.items
    later = Hardened(items=(solved(first), *map(kept, others)), new=())
    build(second, later, tmp_path / "three")
    retired = rows(tmp_path / "three", "retired")
    assert sorted(row["retired_in"] for row in retired.values()) == ["2.0.0", "2.0.0", "3.0.0"]
    assert verify_folder(tmp_path / "three") == ()


def test_a_build_after_a_hardening_keeps_parents_and_what_was_retired(
    source: SourceRelease, tmp_path: Path
) -> None:
    build(source, outcome(source), tmp_path / "two")
    given = [*many(24), new(500, source.items[1]).item, new(600).item, certified(900)]
    built = build_dataset(
        given,
        facts(),
        out=tmp_path / "three",
        version="2.1.0",
        license="cc-by-4.0",
        name="SaliTrap",
        dev_share=0.3,
        date="2026-08-01",
        previous=tmp_path / "two",
    )
    after = rows(tmp_path / "three")
    assert set(after) == set(rows(tmp_path / "two")) | {certified(900).item_id}
    assert after[certified_id(source)]["parent_id"] == source.items[1].item_id
    assert {one.subject_id for one in built.withheld} == {item.item_id for item in source.items[:2]}
    assert rows(tmp_path / "three", "retired") == rows(tmp_path / "two", "retired")
