"""Ctrl-C that saves: the first lets the calls in flight end, the second stops at once."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from salitrap.cli.console import err
from salitrap.cli.interrupts import signal_of
from salitrap.errors import BudgetReached, DiskFull, Interrupted, StoppedError

if TYPE_CHECKING:
    from curation.stage import StopSwitch

MAX_CALLS = "--max-calls"


class Stopper:
    """What signals do to a stage; ``by`` is what stopped it at once, empty while nothing has."""

    def __init__(self, switch: StopSwitch) -> None:
        self.by = ""
        self._switch, self._task = switch, asyncio.current_task()

    def ask(self) -> None:
        """Ctrl-C: the first lets calls in flight end, the next does not."""
        if self._switch.error is not None:
            self.cut("Ctrl-C")
            return
        err().print("Ctrl-C: waiting for the calls in flight; press it again to stop at once")
        self._switch.stop(Interrupted("stopped by Ctrl-C"))

    def cut(self, by: str) -> None:
        """Stop at once."""
        if self._task is not None:
            self.by = self.by or by
            self._task.cancel()


@contextmanager
def stopping_on_ctrl_c(switch: StopSwitch) -> Iterator[None]:
    """First Ctrl-C: start nothing more and let calls in flight end. Second, or SIGTERM: stop at once.

    Raises:
        Interrupted: a signal stopped the block at once; the message names it.
    """
    loop, stopper = asyncio.get_running_loop(), Stopper(switch)
    loop.add_signal_handler(signal.SIGINT, stopper.ask)
    loop.add_signal_handler(signal.SIGTERM, stopper.cut, "SIGTERM")
    try:
        yield
    except asyncio.CancelledError as error:
        if not stopper.by:
            raise
        raise Interrupted(f"stopped by {stopper.by}") from error
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)


@contextmanager
def telling_how_to_go_on(again: str) -> Iterator[None]:
    """Add to every clean stop what is saved, and the command that goes on from there.

    That is ``again`` as it is; only where its own ``--max-calls`` stopped it, it names twice as many.

    Raises:
        StoppedError: the stop itself, of its own kind.
    """
    try:
        yield
    except StoppedError as error:
        command = with_more_calls(again) if isinstance(error, BudgetReached) else again
        raise type(error)(f"{error}\n{_saved(error)} To go on: {command}") from error
    except (asyncio.CancelledError, KeyboardInterrupt) as error:
        raise Interrupted(
            f"stopped by {signal_of(error)}\nEverything answered is saved. To go on: {again}"
        ) from error


def with_more_calls(command: str) -> str:
    """A command with twice the calls where it names a most of them.

    The limit counts all calls in the journal, so the same one would stop at once.
    """
    words = shlex.split(command)
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == MAX_CALLS and equals and value.isdigit():
            words[place] = f"{MAX_CALLS}={2 * int(value)}"
        elif word == MAX_CALLS and place + 1 < len(words) and words[place + 1].isdigit():
            words[place + 1] = str(2 * int(words[place + 1]))
            break
    return shlex.join(words)


def _saved(error: StoppedError) -> str:
    """What is not lost; on a full disk there was no room for what came last."""
    if isinstance(error, DiskFull):
        return (
            "Everything that was stored before is safe. Replies that came while there was no room are not in "
            "it: they are asked, and paid for, again."
        )
    return "Everything so far is saved."
