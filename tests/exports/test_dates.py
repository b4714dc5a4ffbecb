"""Every row has the day of its version, carried on from release to release."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports.dataset import BuiltDataset, verify_folder
from salitrap.errors import InputError
from tests.exports.conftest import Build
from tests.exports.samples import many


def days(built: BuiltDataset) -> list[str | None]:
    files = built.path.glob("jsonl/items/*.jsonl")
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted((json.loads(line)["date_added"] for line in lines), key=str)


def test_items_keep_the_day_of_the_version_in_which_they_appeared(
    build: Build, out: Path, tmp_path: Path
) -> None:
    build(many(20), date="2026-01-31")
    new = build(many(24), version="1.1.0", date="2026-05-02", out=tmp_path / "next", previous=out)
    assert days(new) == ["2026-01-31"] * 20 + ["2026-05-02"] * 4
    assert verify_folder(new.path) == ()


def test_rows_of_a_version_without_a_day_stay_unknown(build: Build, out: Path, tmp_path: Path) -> None:
    build(many(20))
    new = build(many(21), version="1.1.0", date="2026-05-02", out=tmp_path / "next", previous=out)
    assert days(new) == ["2026-05-02"] + [None] * 20


@pytest.mark.parametrize("date", ["2026-02-30", "31.01.2026", "20260131", "", "2026-1-1"])
def test_what_is_no_day_is_refused(build: Build, date: str) -> None:
    with pytest.raises(InputError, match="YYYY-MM-DD"):
        build(date=date)
