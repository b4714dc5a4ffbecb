from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from curation.registry import Registry
from curation.review import Desk
from tests.curation.review.runs import run_again, settings_of_tests


@pytest.fixture(scope="package")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run over the scripted world; nobody has said anything of it."""
    directory = tmp_path_factory.mktemp("review") / "run"
    asyncio.run(run_again(directory))
    return directory


@pytest.fixture
def directory(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def registry(directory: Path) -> Iterator[Registry]:
    opened = Registry.open(directory / "registry.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def ana(registry: Registry) -> Desk:
    return Desk(registry, settings_of_tests(), "Ana")


@pytest.fixture
def ben(registry: Registry) -> Desk:
    return Desk(registry, settings_of_tests(), "Ben")
