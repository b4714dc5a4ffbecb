"""A version hands on what the next one needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports.dataset import BuiltDataset
from salitrap.errors import InputError
from tests.exports.conftest import Build
from tests.exports.samples import certified, many


def first_versions(built: BuiltDataset) -> dict[str, str]:
    files = built.path.glob("jsonl/items/*.jsonl")
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["item_id"]: row["version_added"] for row in map(json.loads, lines)}


def test_items_keep_the_version_in_which_they_appeared(build: Build, out: Path, tmp_path: Path) -> None:
    old = build(many(20))
    new = build(many(30), version="1.1.0", out=tmp_path / "next", previous=out)
    last = build(many(34), version="1.2.0", out=tmp_path / "last", previous=tmp_path / "next")
    found = first_versions(last)
    assert {found[item_id] for item_id in first_versions(old)} == {"1.0.0"}
    assert sorted(found.values()) == ["1.0.0"] * 20 + ["1.1.0"] * 10 + ["1.2.0"] * 4
    assert new.notices == ()


def test_changelog_counts_what_came_and_went_newest_first(build: Build, out: Path, tmp_path: Path) -> None:
    build(many(20))
    gone = certified(0).item_id
    build(many(25)[1:], version="2.0.0", out=tmp_path / "next", previous=out)
    text = (tmp_path / "next" / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text == (
        "# Changelog\n\n## 2.0.0\n\nSince 1.0.0: 5 items added, 1 removed, 19 kept.\n\n"
        f"- removed `{gone}`\n\n## 1.0.0\n\nFirst release: 20 items.\n"
    )


def test_removed_items_without_a_major_version_are_pointed_out(
    build: Build, out: Path, tmp_path: Path
) -> None:
    build(many(20))
    minor = build(many(20)[1:], version="1.1.0", out=tmp_path / "minor", previous=out)
    major = build(many(20)[1:], version="2.0.0", out=tmp_path / "major", previous=out)
    assert any("2.0.0 rather than 1.1.0" in notice for notice in minor.notices)
    assert major.notices == ()


def test_a_predecessor_in_the_same_place_can_be_carried_on(build: Build, out: Path) -> None:
    build(many(20))
    built = build(many(22), version="1.1.0", previous=out)
    assert sorted(first_versions(built).values()) == ["1.0.0"] * 20 + ["1.1.0"] * 2
    assert "## 1.0.0" in (out / "CHANGELOG.md").read_text(encoding="utf-8")


def test_replacing_another_version_without_carrying_it_on_is_pointed_out(build: Build) -> None:
    build()
    assert any("version 1.0.0" in notice for notice in build(version="1.1.0").notices)
    assert build(version="1.1.0").notices == ()


@pytest.mark.parametrize("version", ["1.10.0", "1.9.9", "0.9.0"])
def test_a_version_must_be_higher_than_its_predecessor(
    build: Build, out: Path, tmp_path: Path, version: str
) -> None:
    build(version="1.10.0")
    with pytest.raises(InputError, match="has to be higher"):
        build(version=version, out=tmp_path / "next", previous=out)


def test_a_damaged_predecessor_is_refused(build: Build, out: Path, tmp_path: Path) -> None:
    build()
    (out / "jsonl/items/test.jsonl").write_bytes(b'{"item_id": "x"')
    with pytest.raises(InputError, match="verify the folder"):
        build(version="1.1.0", out=tmp_path / "next", previous=out)
    with pytest.raises(InputError, match="dataset folder"):
        build(version="1.1.0", out=tmp_path / "next", previous=tmp_path / "nothing")
