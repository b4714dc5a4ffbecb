"""The question before what cannot be taken back: money spent, a release made."""

from __future__ import annotations

import sys

import typer

from salitrap.cli.console import err
from salitrap.cli.interrupts import raise_interrupt
from salitrap.errors import ExitCode, InputError, Interrupted

YES, NO = ("y", "yes"), ("n", "no", "")


NOTHING = "nothing was asked, nothing paid"


def ask_to_go_on(nothing: str = NOTHING) -> None:
    """Return when the answer is yes; ``nothing`` says what did not happen otherwise.

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
        raise Interrupted(f"stopped by Ctrl-C; {nothing}") from error
    if not agreed:
        err().print(f"Stopped: {nothing}.")
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
