"""What Ctrl-C and SIGTERM do outside the stages of a run: one line, exit code 3, no traceback."""

from __future__ import annotations

import os
import signal
from types import FrameType

STOPPED_CODE = 3
"""``ExitCode.STOPPED``, written out because importing it would take longer than this module."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)
CTRL_C = "Ctrl-C"


def exit_at_once() -> None:
    """From now on a signal ends the process: for times at which there is nothing to tidy up.

    An exception raised in the middle of an import may be swallowed there, or come out as a traceback.
    """
    for number in SIGNALS:
        _handle(number, _exit)


def raise_interrupt() -> None:
    """From now on a signal raises ``KeyboardInterrupt``, so that files are closed on the way out."""
    _handle(signal.SIGINT, signal.default_int_handler)  # asyncio replaces no other
    _handle(signal.SIGTERM, _raise)


def stopped_line(by: str) -> str:
    """The line that says so; ``by`` is what ``signal_of`` returns."""
    return f"error: stopped by {by}; what was answered is saved\n"


def signal_of(error: BaseException | None) -> str:
    """What an exception, or one that it came of, says about the signal behind it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    if error is None:
        return "Ctrl-C or SIGTERM"
    return str(error) or CTRL_C


def _handle(number: int, handler: signal._HANDLER) -> None:
    if signal.getsignal(number) is not signal.SIG_IGN:
        signal.signal(number, handler)


def _raise(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt(_name(number))


def _name(number: int) -> str:
    return CTRL_C if number == signal.SIGINT else signal.Signals(number).name


def _exit(number: int, frame: FrameType | None) -> None:
    os.write(2, stopped_line(_name(number)).encode())
    os._exit(STOPPED_CODE)
