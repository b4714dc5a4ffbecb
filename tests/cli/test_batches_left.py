"""What is said of requests that wait in batches when a command ends."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from salitrap.cli.batches_left import telling_what_waits
from salitrap.errors import BatchesLeft, Interrupted
from salitrap.providers.journal.batches import Waiting


class Office:
    """Says what waits; all that is asked of it here."""

    def __init__(self, waiting: Waiting) -> None:
        self._waiting = waiting
        self.journal = Path("l.journal.sqlite")

    def waiting(self) -> Waiting:
        return self._waiting

    def oldest(self) -> datetime:
        return datetime(2030, 1, 1, 3, 4, tzinfo=UTC)


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
    assert "salitrap calls l.journal.sqlite --collect" in said


def test_batches_that_are_left_as_asked_are_no_error() -> None:
    """The closing line began with "error:" although all went well."""
    with pytest.raises(BatchesLeft) as left, telling_what_waits(office(1, 4)):
        raise BatchesLeft("Submitted: 4 requests in 1 batch.")
    assert str(left.value).splitlines() == [
        "Submitted: 4 requests in 1 batch.",
        "4 requests in 1 batch wait at the provider; the oldest batch is due by 2030-01-02 03:04 UTC, "
        "and often done much sooner.",
    ]


def test_nothing_is_said_when_nothing_waits(capsys: pytest.CaptureFixture[str]) -> None:
    with telling_what_waits(office(0, 0)):
        pass
    with pytest.raises(Interrupted, match=r"^enough$"), telling_what_waits(office(0, 0)):
        raise Interrupted("enough")
    assert capsys.readouterr().err == ""
