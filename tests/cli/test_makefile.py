"""``make demo`` hands its run directory on as it was given."""

from __future__ import annotations

import shutil
import subprocess
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
