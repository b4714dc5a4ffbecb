"""Which items are asked, and that they are the ones the manifest stands for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from exports.evaluation import load_evalset
from salitrap.errors import InputError
from salitrap.records import Language
from tests.exports.conftest import Build
from tests.exports.samples import certified


def test_all_splits_together_are_the_dataset(folder: Path) -> None:
    test, dev = load_evalset(folder, split="test"), load_evalset(folder, split="dev")
    whole = load_evalset(folder, split="all")
    assert len(whole.items) == 60
    assert {*test.items, *dev.items} == {*whole.items}
    assert not {*test.items} & {*dev.items}


def test_a_limit_is_nested_and_spread_over_dimensions(folder: Path) -> None:
    small, large = (load_evalset(folder, split="all", limit=limit) for limit in (12, 30))
    assert {*small.items} < {*large.items}
    assert [item for item in large.items if item in small.items] == list(small.items)
    assert len(Counter(item.dimension_tag for item in large.items)) == 4


def test_one_language_alone(folder: Path) -> None:
    whole = load_evalset(folder, split="all")
    chinese = load_evalset(folder, split="all", language=Language.ZH)
    assert {item.language for item in chinese.items} == {Language.ZH}
    assert len(chinese.items) == sum(item.language is Language.ZH for item in whole.items)
    assert chinese.revision == whole.revision


def test_a_language_that_is_not_there_is_said(build: Build) -> None:
    folder = build([certified(0), certified(1)]).path
    with pytest.raises(InputError, match="no items in language zh"):
        load_evalset(folder, split="all", language=Language.ZH)


def test_the_revision_changes_with_the_rows_and_not_with_the_place(build: Build, tmp_path: Path) -> None:
    first = build(out=tmp_path / "a").path
    moved = first.rename(tmp_path / "moved")
    other = build(out=tmp_path / "b", version="1.0.1").path
    assert load_evalset(moved).revision == load_evalset(build(out=tmp_path / "c").path).revision
    assert load_evalset(moved).revision != load_evalset(other).revision
    assert load_evalset(moved).revision.startswith("1.0.0+")


def test_a_changed_row_is_not_evaluated(folder: Path) -> None:
    path = folder / "jsonl" / "items" / "test.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("40", "41", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"test\.jsonl: differs from manifest\.json"):
        load_evalset(folder)


def test_bad_places_are_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        load_evalset(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no split 'train'; it has"):
        load_evalset(folder, split="train")
    (folder / "jsonl" / "items" / "test.jsonl").unlink()
    with pytest.raises(InputError, match="cannot be read"):
        load_evalset(folder)
