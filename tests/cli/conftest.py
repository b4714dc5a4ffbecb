from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from salitrap.providers.journal.store import Journal
from tests.cli.in_process import Inside, salitrap
from tests.cli.made_once import made_once
from tests.curation.world import JournaledAccess, World, domain, programs, settings


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(monkeypatch, capsys)


@pytest.fixture(scope="session")
def finished_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a demo of twelve items: to be copied, not used."""

    def make(folder: Path) -> None:
        done = salitrap("demo", "--run", folder / "run", "--items", 12)
        assert done.returncode == 0, done.stderr

    return made_once(tmp_path_factory, "demo", make) / "run"


@pytest.fixture(scope="module")
def demo_run(finished_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of ``finished_demo`` for the tests of one file."""
    return Path(shutil.copytree(finished_demo, tmp_path_factory.mktemp("demo-of-twelve") / "run"))


@pytest.fixture(scope="package")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run over a world that repeats itself, so that its cell ends below the target."""
    directory = tmp_path_factory.mktemp("short") / "run"
    given = settings(30, scale={"empty_waves": 1}, refine={"max_candidates": 4})

    async def run() -> None:
        with open_run(directory, given, (domain("D1"),), programs()) as opened:
            await run_stages(opened, JournaledAccess(World(repeating=1.0), {}), STAGES, Silence())

    asyncio.run(run())
    Journal(directory / "journal.sqlite").close()
    return directory


@pytest.fixture
def directory(short_run: Path, tmp_path: Path) -> Path:
    shutil.copytree(short_run, tmp_path / "run")
    return tmp_path / "run"
