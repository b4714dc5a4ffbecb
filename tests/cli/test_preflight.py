"""What ``plan`` and ``run`` say about the models and the settings before anything is paid."""

from __future__ import annotations

from pathlib import Path

import pytest

from salitrap.cli.changes import changes, tell_changes
from salitrap.cli.preflight import self_judges
from salitrap.records import Language
from salitrap.settings import load_settings
from tests.cli.helpers import config, only_line
from tests.cli.in_process import Inside
from tests.curation.world import settings

SAME = "openai/Org/Model-X@http://127.0.0.1:9/v1"


def judged_by(path: Path, judge: str, solver: str) -> Path:
    text = config(path).read_text(encoding="utf-8")
    text = text.replace("lab/judge", judge).replace("lab/solver-a", solver)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_judge_that_also_solves_is_named_by_plan_and_run(inside: Inside, tmp_path: Path) -> None:
    """Both took it without a word, though the labels are that model's opinion of itself."""
    path = judged_by(tmp_path / "c.yaml", "openai/model-x", SAME)
    planned = inside("plan", "-c", path)
    assert planned.code == 0
    assert f"warning: openai/model-x judges and {SAME} solves" in only_line(planned.err)
    asked = inside("run", "-c", path, "--run", tmp_path / "run")
    assert asked.err.count(f"warning: openai/model-x judges and {SAME} solves") == 1


def test_a_run_that_does_not_ask_warns_too(inside: Inside, tmp_path: Path) -> None:
    path = judged_by(tmp_path / "c.yaml", "openai/model-x@http://127.0.0.1:9/v1", SAME)
    assert inside("run", "-c", path, "--yes", "--run", tmp_path / "run").err.count("warning: ") == 1


def test_different_models_are_no_matter(inside: Inside, tmp_path: Path) -> None:
    assert self_judges(load_settings(judged_by(tmp_path / "a.yaml", "openai/model-y", SAME))) == []
    assert inside("plan", "-c", config(tmp_path / "b.yaml")).err == ""


def test_a_model_file_that_is_not_there_is_refused_by_plan_as_by_run(inside: Inside, tmp_path: Path) -> None:
    """``plan`` gave figures for a file that ``run`` then did not find."""
    path = judged_by(tmp_path / "c.yaml", "lab/judge", "gguf/none/model.gguf")
    planned = inside("plan", "-c", path)
    run = inside("run", "-c", path, "--yes", "--run", tmp_path / "run")
    assert (planned.code, run.code) == (2, 2)
    assert "model.gguf" in only_line(planned.err)
    assert planned.err == run.err
    assert not (tmp_path / "run").exists()


def test_changed_settings_are_listed_one_a_line() -> None:
    before = settings(2)
    now = settings(1, budget={"calls": 9}, refine={"top_k": 2})
    assert set(changes(before, now)) == {
        "targets.default.en: 2 -> 1",
        "budget.calls: nothing -> 9",
        "refine.top_k: 5 -> 2",
    }
    assert list(changes(before, before)) == []


def test_a_run_that_goes_on_with_other_settings_says_so_first(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Smaller targets gave fewer items without a word about it."""
    last = settings(30, scale={"empty_waves": 1}, refine={"max_candidates": 4})
    tell_changes(directory, last)
    assert capsys.readouterr().err == ""
    tell_changes(directory, last.model_copy(update={"targets": {"default": {Language.EN: 2}}}))
    first, second = capsys.readouterr().err.splitlines()
    assert first == "changed since revision 1: targets.default.en: 30 -> 2"
    assert "replies in its journal are kept" in second


def test_a_new_run_has_nothing_to_compare_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tell_changes(tmp_path / "none", settings())
    assert capsys.readouterr().err == ""
