from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
from pathlib import Path

import pytest

from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from salitrap.providers.journal.store import Journal
from tests.cli.in_process import Inside, salitrap
from tests.curation.world import JournaledAccess, World, domain, programs, settings


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(monkeypatch, capsys)


@pytest.fixture(scope="session")
def finished_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a demo of twelve items, made once for the workers of all tests: to be copied, not used."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    run, ready = shared / "finished-demo" / "run", shared / "finished-demo" / "ready"
    run.parent.mkdir(exist_ok=True)
    with open(run.parent / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            shutil.rmtree(run, ignore_errors=True)
            done = salitrap("demo", "--run", run, "--items", 12)
            assert done.returncode == 0, done.stderr
            ready.touch()
    return run


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
