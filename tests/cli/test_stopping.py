"""How a stop is told: what it was, what is saved, and what is asked again."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from curation.stage import StopSwitch
from salitrap.cli.stopping import stopping_on_ctrl_c, telling_how_to_go_on
from salitrap.errors import BatchesLeft, BudgetReached, DiskFull, Interrupted, StoppedError

AGAIN = "salitrap run -c my.yaml"


def told(error: BaseException) -> str:
    with pytest.raises(StoppedError) as caught, telling_how_to_go_on(AGAIN):
        raise error
    assert isinstance(caught.value, Interrupted) or type(caught.value) is type(error)
    return str(caught.value)


def test_a_full_disk_is_not_said_to_have_saved_everything() -> None:
    """It was, although replies that came while there was no room are asked and paid for once more."""
    full = told(DiskFull("journal.sqlite: no room"))
    assert "Everything so far is saved" not in full
    assert "no room are not in it: they are asked, and paid for, again. To go on: salitrap run" in full
    assert told(BudgetReached("reached")).endswith(f"Everything so far is saved. To go on: {AGAIN}")


@pytest.mark.parametrize(
    ("given", "more"),
    [("--max-calls 40 --batch", "--max-calls 80 --batch"), ("--max-calls=7", "--max-calls=14")],
)
def test_only_a_reached_budget_changes_the_command_that_goes_on(given: str, more: str) -> None:
    """Ctrl-C and batches that were left named twice the calls too, so more was spent than asked for."""
    for error, options in (
        (BudgetReached("reached"), more),
        (Interrupted("x"), given),
        (BatchesLeft("x"), given),
    ):
        with pytest.raises(StoppedError) as caught, telling_how_to_go_on(f"salitrap eval 'a b' {given}"):
            raise error
        assert str(caught.value).endswith(f"To go on: salitrap eval 'a b' {options}")


def test_sigterm_is_not_called_ctrl_c_between_stages() -> None:
    assert told(KeyboardInterrupt("SIGTERM")).startswith("stopped by SIGTERM\n")
    assert told(KeyboardInterrupt()).startswith("stopped by Ctrl-C\n")


@pytest.mark.parametrize(
    ("signals", "by"), [([signal.SIGTERM], "SIGTERM"), ([signal.SIGINT, signal.SIGINT], "Ctrl-C")]
)
def test_sigterm_is_not_called_ctrl_c_in_a_stage(signals: list[signal.Signals], by: str) -> None:
    """``kill`` of a run in the background was reported as "stopped by Ctrl-C"."""

    async def stage() -> None:
        with stopping_on_ctrl_c(StopSwitch()):
            for number in signals:
                os.kill(os.getpid(), number)
                await asyncio.sleep(0.01)
            await asyncio.sleep(10)

    with pytest.raises(Interrupted, match=f"^stopped by {by}$"):
        asyncio.run(stage())


def test_a_cancellation_that_no_signal_caused_stays_one() -> None:
    async def stage() -> None:
        with stopping_on_ctrl_c(StopSwitch()):
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stage())
