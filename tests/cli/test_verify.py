"""``salitrap verify``: sound is 0, findings are 1 with file and advice, no dataset is 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.helpers import only_line
from tests.cli.in_process import Inside


@pytest.fixture
def dataset(inside: Inside, directory: Path, tmp_path: Path) -> Path:
    out = tmp_path / "ds"
    assert inside("build", directory, "--out", out, "--version", "0.1.0", "--license", "mit").code == 0
    return out


def test_a_sound_folder(inside: Inside, dataset: Path) -> None:
    told = inside("verify", dataset)
    assert (told.code, told.out) == (0, "")
    assert only_line(told.err) == f"{dataset}: sound"
    as_json = json.loads(inside("verify", dataset, "--json").out)
    assert as_json == {"path": str(dataset), "sound": True, "findings": []}


def test_findings_name_the_file_and_what_to_do(inside: Inside, dataset: Path) -> None:
    (dataset / "CHANGELOG.md").unlink()
    (dataset / "notes.txt").write_text("mine", encoding="utf-8")
    told = inside("verify", dataset)
    assert told.code == 1
    assert told.out.splitlines() == [
        f"missing_file {dataset}/CHANGELOG.md: missing",
        "    fetch the dataset again, or build it again from its run",
        f"unlisted_file {dataset}/notes.txt: not in the manifest",
        "    remove the file, or build the dataset again",
    ]
    assert only_line(told.err) == f"{dataset}: 2 findings"
    as_json = inside("verify", dataset, "--json")
    assert as_json.code == 1
    found = json.loads(as_json.out)["findings"]
    assert [(one["fault"], one["path"]) for one in found] == [
        ("missing_file", "CHANGELOG.md"),
        ("unlisted_file", "notes.txt"),
    ]
    assert all(one["repair"] for one in found)


def test_a_damaged_manifest_is_a_finding(inside: Inside, dataset: Path) -> None:
    (dataset / "manifest.json").write_text("{", encoding="utf-8")
    told = inside("verify", dataset)
    assert told.code == 1
    assert told.out.count(str(dataset)) == 1


def test_what_is_no_dataset_is_bad_input(inside: Inside, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "none", tmp_path / "empty"):
        told = inside("verify", folder)
        assert (told.code, told.out) == (2, "")
        assert str(folder) in only_line(told.err)
