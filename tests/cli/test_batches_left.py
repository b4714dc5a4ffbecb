"""What is said of requests that wait in batches when a command ends."""

from __future__ import annotations

from typing import Any

import pytest

from salitrap.cli.batches_left import telling_what_waits
from salitrap.errors import Interrupted
from salitrap.providers.journal.batches import Waiting


class Office:
    """Says what waits; all that is asked of it here."""

    def __init__(self, waiting: Waiting) -> None:
        self._waiting = waiting

    def waiting(self) -> Waiting:
        return self._waiting


def office(batches: int, requests: int) -> Any:
    return Office(Waiting(batches=batches, requests=requests))


def test_requests_that_nobody_collects_are_named_when_the_work_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """They had been asked with other settings, were paid for, and were never heard of again."""
    with telling_what_waits(office(1, 4)):
        pass
    said = capsys.readouterr().err
    assert "4 requests in 1 batch" in said and "other settings" in said and "charged" in said


def test_nothing_is_said_when_nothing_waits(capsys: pytest.CaptureFixture[str]) -> None:
    with telling_what_waits(office(0, 0)):
        pass
    with pytest.raises(Interrupted, match=r"^enough$"), telling_what_waits(office(0, 0)):
        raise Interrupted("enough")
    assert capsys.readouterr().err == ""
