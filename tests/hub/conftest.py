"""One Hub for all tests of a process, emptied before each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hub.client import RunningHub, running_hub


@pytest.fixture(scope="session")
def shared_hub() -> Iterator[RunningHub]:
    with running_hub() as hub:
        yield hub


@pytest.fixture
def hub(shared_hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunningHub:
    """An empty Hub that this process's own client reaches, with the right to write."""
    shared_hub.admin("reset")
    for name, value in shared_hub.variables(tmp_path / "hf").items():
        monkeypatch.setenv(name, value)
    return shared_hub
