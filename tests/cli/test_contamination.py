"""``salitrap contamination`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.in_process import Inside
from tests.exports.conftest import Build, build, out
from tests.exports.samples import many

__all__ = ["build", "out"]


@pytest.fixture
def folder(build: Build) -> Path:
    return build(many(30)).path


def test_a_clean_corpus(folder: Path, inside: Inside, tmp_path: Path) -> None:
    (tmp_path / "clean.txt").write_text("Nothing of the sort. " * 50)
    told = inside("contamination", folder, "--corpus", tmp_path / "clean.txt")
    assert told.code == 0 and "Canary: not found." in told.out


def test_the_dataset_itself_is_found_whole(folder: Path, inside: Inside) -> None:
    told = inside("contamination", folder, "--corpus", folder / "jsonl", "--json")
    found = json.loads(told.out)
    assert told.code == 1 and found["canary_count"] == 30
    assert all(one["exact"] and one["share"] == 1.0 for one in found["texts"]) and len(found["texts"]) == 30
    assert "Canary: 30 times." in inside("contamination", folder, "--corpus", folder / "data").out


def test_one_prompt_among_other_text(folder: Path, inside: Inside, tmp_path: Path) -> None:
    row = json.loads((folder / "jsonl/items/test.jsonl").read_text(encoding="utf-8").splitlines()[0])
    (tmp_path / "a.txt").write_text(f"before {row['prompt']} after", encoding="utf-8")
    told = inside("contamination", folder, "--corpus", tmp_path / "a.txt")
    assert told.code == 1 and f"{row['item_id']}: whole, 100%" in told.out


def test_bad_input_is_one_line(folder: Path, inside: Inside, tmp_path: Path) -> None:
    for arguments in ((), (folder,), (folder, "--corpus", tmp_path / "none"), ("--labels", tmp_path / "x")):
        told = inside("contamination", *arguments)
        assert told.code == 2 and told.err.strip().count("\n") == 0


def test_scores_on_both_parts(inside: Inside, tmp_path: Path) -> None:
    for name, label in (("public", "Pass"), ("holdout", "Hard Fail")):
        lines = [
            {"model": "m", "item_id": f"{name}{number}", "seed_id": f"{name}{number // 2}",
             "dimension_tag": "D1", "status": "ok", "label": label if number else "Refusal"}
            for number in range(8)
        ]  # fmt: skip
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)))
    given = ("contamination", "--labels", tmp_path / "public", "--holdout-labels", tmp_path / "holdout")
    (gap,) = json.loads(inside(*given, "--json").out)["models"]
    assert (gap["public"], gap["holdout"], gap["gap"]) == (87.5, 0.0, 87.5)
    told = inside(*given)
    assert told.code == 0 and "+87.5" in told.out and "does not prove" in told.err
