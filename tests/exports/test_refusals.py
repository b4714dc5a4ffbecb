"""What cannot become a release is refused before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from salitrap.errors import ExitCode, InputError
from salitrap.records.enums import Tier
from tests.exports.conftest import Build, contents
from tests.exports.samples import certified, many


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"version": "v1.0.0"}, "1.0.0"),
        ({"version": "1.0"}, "1.0.0"),
        ({"version": "1.0.0-rc1"}, "1.0.0"),
        ({"version": "01.0.0"}, "1.0.0"),
        ({"version": "1.0.0\n"}, "1.0.0"),
        ({"version": "1.0.٣"}, "1.0.0"),
        ({"license": ""}, "license"),
        ({"license": "CC BY 4.0"}, "license"),
        ({"license": "Apache-2.0"}, "'apache-2.0'"),
        ({"license": "mit\nlanguage: x"}, "license"),
        ({"name": " "}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "x" * 500}, "name"),
        ({"dev_share": 1.5}, "dev share"),
        ({"dev_share": -0.1}, "dev share"),
        ({"dev_share": float("nan")}, "dev share"),
    ],
)
def test_a_bad_choice_is_named_and_nothing_is_written(
    build: Build, out: Path, changes: dict[str, Any], word: str
) -> None:
    with pytest.raises(InputError, match=word) as caught:
        build(**changes)
    assert caught.value.exit_code is ExitCode.USAGE
    assert list(out.parent.iterdir()) == []


def test_nothing_to_publish_is_said(build: Build, out: Path) -> None:
    with pytest.raises(InputError, match="no certified items"):
        build([])
    with pytest.raises(InputError, match="1 withheld: attack_tier"):
        build([certified(0, attack_tier=Tier.NONE)])
    assert not out.exists()


def test_a_repeated_item_is_refused(build: Build, out: Path) -> None:
    with pytest.raises(InputError, match="occurs 2 times"):
        build([*many(), certified(5)])
    assert not out.exists()


def test_a_foreign_folder_is_left_alone(build: Build, out: Path) -> None:
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="not empty"):
        build()
    assert contents(out) == {"thesis.tex": b"years of work"}


def test_a_foreign_manifest_does_not_open_the_door(build: Build, out: Path) -> None:
    out.mkdir()
    (out / "manifest.json").write_text('{"kind": "web-app"}')
    with pytest.raises(InputError, match="not a dataset built here"):
        build()


@pytest.mark.parametrize("name", ["notes.txt", ".git/HEAD", "data/items/mine.parquet"])
def test_own_files_in_a_dataset_folder_are_not_lost(build: Build, out: Path, name: str) -> None:
    build()
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_text("mine")
    before = contents(out)
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        build(version="1.1.0")
    assert contents(out) == before


def test_a_file_in_the_place_of_the_folder_is_refused(build: Build, out: Path) -> None:
    out.write_text("mine")
    with pytest.raises(InputError, match="is a file"):
        build()


def test_the_working_folder_is_refused(build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    for place in (Path("."), tmp_path, Path("..")):
        with pytest.raises(InputError, match="working folder"):
            build(out=place)


def test_an_empty_folder_and_what_file_managers_leave_in_ours_are_fine(build: Build, out: Path) -> None:
    out.mkdir()
    build()
    (out / ".DS_Store").write_text("x")
    build()
    assert not (out / ".DS_Store").exists()
