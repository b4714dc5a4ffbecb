from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exports.dataset import build_dataset
from salitrap.dialogues import Pattern
from tests.exports.conftest import ROOT
from tests.exports.dialogue_samples import families
from tests.exports.samples import facts, many

VENV = Path(os.environ.get("SALITRAP_HARNESS_VENV", ROOT / ".venv-harness")).absolute()
RUNNERS = Path(__file__).parent / "runners"
THERE = (VENV / "bin" / "lm_eval").is_file()

harnessed = [
    pytest.mark.harness,
    pytest.mark.skipif(
        not THERE and "SALITRAP_TEST_HARNESS" not in os.environ,
        reason="no inspect-ai and lm-eval; make test-harness",
    ),
]

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def built(place: Path, count: int = 11, **changes: Any) -> Path:
    """A dataset folder of ``count`` items, two a seed, and dialogues of four patterns."""
    given: dict[str, Any] = {
        "dialogues": families(1, (Pattern.DRIP, Pattern.PUSHBACK, Pattern.ESCALATION, Pattern.STATE_CHANGE)),
        "version": "1.2.0",
        "license": "cc-by-4.0",
        "name": "Sieve & Co",
        "dev_share": 0.0,
        **changes,
    }
    build_dataset(many(count), facts(), out=place, **given)
    return place


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("released") / "ds")


@pytest.fixture
def folder(released: Path, tmp_path: Path) -> Path:
    """A copy of its own, as somebody has it who fetched the dataset."""
    shutil.copytree(released, tmp_path / "ds")
    return tmp_path / "ds"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """``outside`` with this test's own folder for what programs leave behind."""
    return lambda *given, **options: outside(tmp_path, *given, **options)


def outside(
    place: Path, program: str, *arguments: object, env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program of the other environment; the network is out of reach, and our packages are too."""
    return subprocess.run(
        [VENV / "bin" / program, *map(str, arguments)],
        cwd=cwd or place,
        env=_outside(place) | (env or {}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def _outside(place: Path) -> dict[str, str]:
    nowhere = "http://127.0.0.1:9"
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(place / "home"),
        "HF_HOME": str(place / "hf"),
        "HF_HUB_OFFLINE": "1",
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "NO_PROXY": "127.0.0.1",
        "PYTHONUTF8": "1",
    }


def rows_of(folder: Path, config: str = "items") -> list[dict[str, Any]]:
    text = (folder / "jsonl" / config / "test.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def the_log(place: Path) -> dict[str, Any]:
    """The one Inspect log of a folder."""
    (path,) = place.glob("*.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def measures(log: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Metrics of a log by score, with its counts of scored and unscored samples."""
    return {
        score["name"]: {
            "scored": score["scored_samples"],
            "unscored": score["unscored_samples"],
            **{name: metric["value"] for name, metric in score["metrics"].items()},
        }
        for score in log["results"]["scores"]
    }
