"""Short pauses, so that the tests of servers that fail do not wait for real ones."""

from __future__ import annotations

from functools import partial

import pytest

from salitrap.providers.pacing.retry import Pacing


@pytest.fixture(autouse=True)
def hurried(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw short pauses from the real back-off, except in tests that measure time (fixture ``patient``)."""
    if "patient" not in request.fixturenames:
        monkeypatch.setattr("salitrap.providers.open.Pacing", partial(Pacing, draw=lambda: 0.002))


@pytest.fixture
def patient() -> None:
    """Pauses as a user meets them."""
