"""What ``plan`` and ``run`` say about the models and the settings before anything is paid."""

from __future__ import annotations

from pathlib import Path

from salitrap.cli.preflight import self_judges
from salitrap.settings import load_settings
from tests.cli.helpers import config, only_line
from tests.cli.in_process import Inside

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
