"""One finished run for all tests of this folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.helpers import config
from tests.cli.in_process import salitrap


@pytest.fixture(scope="package")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with items and dialogues."""
    folder = tmp_path_factory.mktemp("whole")
    path = config(folder / "c.yaml", targets="{default: {en: 1, zh: 1}}")
    text = path.read_text(encoding="utf-8") + "\ndialogues: {patterns: [pushback], per_cell: 1, turns: 3}\n"
    path.write_text(text, encoding="utf-8")
    done = salitrap("run", "-c", path, "--yes", "--run", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))
