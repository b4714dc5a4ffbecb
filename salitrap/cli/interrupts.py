"""What Ctrl-C and SIGTERM do outside the stages of a run: one line, exit code 3, no traceback."""

from __future__ import annotations

import os
import signal
from types import FrameType

STOPPED_CODE = 3
"""``ExitCode.STOPPED``, written out because importing it would take longer than this module."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def exit_at_once() -> None:
    """From now on a signal ends the process: for times at which there is nothing to tidy up.

    An exception raised in the middle of an import may be swallowed there, or come out as a traceback.
    """
    _handle(_exit)


def raise_interrupt() -> None:
    """From now on a signal raises ``KeyboardInterrupt``, so that files are closed on the way out."""
    _handle(signal.default_int_handler)


def stopped_line() -> str:
    """The line that says so."""
    return "error: stopped by Ctrl-C or SIGTERM; what was answered is saved\n"


def _handle(handler: signal._HANDLER) -> None:
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _exit(number: int, frame: FrameType | None) -> None:
    os.write(2, stopped_line().encode())
    os._exit(STOPPED_CODE)
