"""The question before a run that costs money."""

from __future__ import annotations

import sys

import typer

from salitrap.cli.console import err
from salitrap.cli.interrupts import raise_interrupt
from salitrap.errors import ExitCode, InputError, Interrupted

YES, NO = ("y", "yes"), ("n", "no", "")


def ask_to_go_on() -> None:
    """Return when the answer is yes.

    Raises:
        InputError: nobody is there to answer.
        Interrupted: Ctrl-C instead of an answer.
        typer.Exit: the answer is no; a line says so.
    """
    raise_interrupt()
    try:
        agreed = _answer()
    except KeyboardInterrupt as error:
        _write("\n")
        raise Interrupted("stopped by Ctrl-C; nothing was asked, nothing paid") from error
    if not agreed:
        err().print("Stopped: nothing was asked, nothing paid.")
        raise typer.Exit(ExitCode.STOPPED)


def _answer() -> bool:
    """True for yes; asks again until the answer is yes or no."""
    while True:
        _write("Go on? [y/N]: ")
        line = sys.stdin.readline()
        if not line:
            _write("\n")
            raise InputError("nobody is there to ask; give --yes to go on without asking")
        answer = line.strip().lower()
        if answer in (*YES, *NO):
            return answer in YES
        _write("Answer y or n. ")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
