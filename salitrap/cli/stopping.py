"""Ctrl-C that saves: the first lets the calls in flight end, the second stops at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from salitrap.cli.console import err
from salitrap.errors import Interrupted, StoppedError

if TYPE_CHECKING:
    from curation.stage import StopSwitch


@contextmanager
def stopping_on_ctrl_c(switch: StopSwitch) -> Iterator[None]:
    """First Ctrl-C: start nothing more and let calls in flight end. Second, or SIGTERM: stop at once."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        if switch.error is None:
            err().print("Ctrl-C: waiting for the calls in flight; press it again to stop at once")
            switch.stop(Interrupted("stopped by Ctrl-C"))
        elif task is not None:
            task.cancel()

    loop.add_signal_handler(signal.SIGINT, stop)
    if task is not None:
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)


@contextmanager
def telling_how_to_go_on(again: str) -> Iterator[None]:
    """Add to every clean stop the command that goes on from there.

    Raises:
        StoppedError: the stop itself, of its own kind.
    """
    try:
        yield
    except StoppedError as error:
        raise type(error)(f"{error}\nEverything so far is saved. To go on: {again}") from error
    except (asyncio.CancelledError, KeyboardInterrupt) as error:
        raise Interrupted(f"stopped by Ctrl-C\nEverything answered is saved. To go on: {again}") from error
