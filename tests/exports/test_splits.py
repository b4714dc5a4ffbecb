from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.dataset.release import checked_release
from exports.dataset.rows import select_rows
from exports.dataset.splits import Split, check_split_name, skipped_splits, split_of, split_rows
from salitrap.errors import InputError
from tests.exports.samples import certified

RELEASE = checked_release("SaliTrap", "1.0.0", "mit", 0.1)
SHARES = st.floats(0.0, 1.0)
FAMILIES = st.lists(st.text(min_size=1, max_size=8).filter(str.strip), min_size=1, max_size=30)


def rows(families: list[str]):
    sources = [certified(ordinal, seed_id=family) for ordinal, family in enumerate(families)]
    return select_rows(sources, RELEASE, {}).items


@given(FAMILIES, SHARES)
def test_no_family_lies_in_two_splits_and_no_row_is_lost(families: list[str], share: float) -> None:
    items = rows(families)
    splits = split_rows(items, share)
    found = {split: {item.seed_id for item in held} for split, held in splits.items()}
    assert not found.get(Split.TEST, set()) & found.get(Split.DEV, set())
    assert sorted(i.item_id for held in splits.values() for i in held) == sorted(i.item_id for i in items)
    assert all(splits.values())


@given(FAMILIES, FAMILIES, SHARES)
def test_a_family_keeps_its_split_when_others_come_and_go(
    families: list[str], others: list[str], share: float
) -> None:
    alone = {
        item.seed_id: split for split, held in split_rows(rows(families), share).items() for item in held
    }
    both = split_rows(rows(families + others), share)
    together = {item.seed_id: split for split, held in both.items() for item in held}
    assert alone.items() <= together.items()


@given(st.text(), SHARES, SHARES)
def test_a_larger_dev_share_only_moves_families_into_dev(family: str, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert split_of(family, low) is Split.TEST or split_of(family, high) is Split.DEV


@pytest.mark.parametrize(("share", "split"), [(0.0, Split.TEST), (1.0, Split.DEV)])
def test_the_ends_of_the_range_take_everything(share: float, split: Split) -> None:
    assert {split_of(f"seed-{ordinal}", share) for ordinal in range(500)} == {split}


def test_the_share_of_families_is_about_what_was_asked() -> None:
    dev = sum(split_of(f"seed-{ordinal}", 0.1) is Split.DEV for ordinal in range(5000))
    assert 430 < dev < 570


def test_only_wanted_splits_are_reported_as_empty() -> None:
    assert skipped_splits({Split.TEST: rows(["a"])}, 0.0) == ()
    (notice,) = skipped_splits({Split.TEST: rows(["a"])}, 0.1)
    assert "dev" in notice


@pytest.mark.parametrize("name", ["all", "hard-test", "a/b", "x:y", "", "te st", "test\n", "..", "分割"])
def test_names_that_the_loader_refuses_are_refused_first(name: str) -> None:
    with pytest.raises(InputError, match="split name"):
        check_split_name(name)


@pytest.mark.parametrize("name", ["test", "dev", "hard_test", "test2", "allx"])
def test_names_that_the_loader_takes_pass(name: str) -> None:
    assert check_split_name(name) == name
