"""A dataset as of an earlier version, and only what came later than a day."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports.evaluation import load_evalset
from exports.hardening import SourceRelease, build_hardened, read_release
from salitrap.errors import InputError
from tests.exports.conftest import Build
from tests.exports.hardening.samples import settings
from tests.exports.hardening.test_next_version import DAY, outcome
from tests.exports.samples import facts, many

FIRST = "2026-01-31"


@pytest.fixture
def source(build: Build, tmp_path: Path) -> SourceRelease:
    return read_release(build(many(24), version="1.2.0", date=FIRST, out=tmp_path / "one").path)


@pytest.fixture
def second(source: SourceRelease, tmp_path: Path) -> Path:
    build_hardened(source, outcome(source), facts(), settings(), out=tmp_path / "two", date=DAY)
    return tmp_path / "two"


def ids(folder: Path, **changes: str | None) -> set[str]:
    return {item.item_id for item in load_evalset(folder, split="all", **changes).items}  # type: ignore[arg-type]


def test_an_earlier_version_comes_back_as_it_was_with_what_was_retired(
    source: SourceRelease, second: Path
) -> None:
    assert set(load_evalset(second, split="all", as_of="1.2.0").items) == set(source.items)
    assert ids(second, as_of="1.9.0") == {item.item_id for item in source.items}
    assert ids(second, as_of="2.0.0") == ids(second)


def test_splits_of_an_earlier_version_are_those_it_had(source: SourceRelease, second: Path) -> None:
    for split in ("test", "dev"):
        before = load_evalset(source.folder, split=split).items
        assert set(load_evalset(second, split=split, as_of="1.2.0").items) == set(before)


def test_only_what_was_added_since_a_day(source: SourceRelease, second: Path) -> None:
    fresh = ids(second) - {item.item_id for item in source.items}
    assert len(fresh) == 2
    assert ids(second, added_since=DAY) == ids(second, added_since="2026-02-01") == fresh
    assert ids(second, added_since=FIRST) == ids(second)


def test_rows_of_unknown_age_are_not_taken_for_new(build: Build) -> None:
    folder = build(many(8)).path
    with pytest.raises(InputError, match="no items in split 'all' added since 1990-01-01"):
        ids(folder, added_since="1990-01-01")


def test_what_makes_no_sense_is_refused(second: Path) -> None:
    with pytest.raises(InputError, match=r"the dataset is version 2\.0\.0"):
        ids(second, as_of="2.0.1")
    with pytest.raises(InputError, match=r"as of version 1\.0\.0"):
        ids(second, as_of="1.0.0")
    with pytest.raises(InputError, match="YYYY-MM-DD"):
        ids(second, added_since="yesterday")
