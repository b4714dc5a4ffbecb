"""Publishing upon the Hub of the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from exports.hub import Published, PublishOptions, publish
from tests.exports.conftest import Build
from tests.exports.hub.samples import REPO
from tests.exports.samples import many
from tests.hub.conftest import hub, shared_hub

__all__ = ["hub", "shared_hub"]

Send = Callable[..., Published]


@pytest.fixture
def send() -> Send:
    """Publish a folder, agreeing to every plan."""

    def _send(folder: Path, repo: str = REPO, **options: object) -> Published:
        done = publish(folder, repo, PublishOptions.model_validate(options), lambda _: True)
        assert done is not None
        return done

    return _send


@pytest.fixture
def first(build: Build, tmp_path: Path) -> Path:
    """Version 1.0.0, with dialogues left out."""
    return build(many(30), out=tmp_path / "v1.0.0").path


@pytest.fixture
def second(build: Build, tmp_path: Path, first: Path) -> Path:
    """Version 1.1.0: ten items more."""
    return build(many(40), version="1.1.0", out=tmp_path / "v1.1.0", previous=first).path
