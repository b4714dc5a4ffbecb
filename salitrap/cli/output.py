"""Output that does not get through: a reader that has left (``| head``) and a disk that is full."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import typer
from typer.core import TyperGroup

from salitrap.errors import DiskFull, ExitCode

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Commands(TyperGroup):
    """The commands; a reader that has seen enough is no failure of any of them.

    Typer itself would end such a command with exit code 1.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command.

        Raises:
            typer.Exit: with code 0 when nobody reads the output any more.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            silence()
            raise typer.Exit(ExitCode.DONE) from error


@contextmanager
def delivered() -> Iterator[None]:
    """See to it that what was printed inside arrives, however the block ends.

    Raises:
        DiskFull: standard output goes to a disk that takes no more.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        silence()
        raise _full(error) from error
    finally:
        _flush()


def silence() -> None:
    """Send what a stream still holds, and all that follows, to nowhere if it cannot be delivered."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _to_nowhere(stream)


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    except OSError as error:
        silence()
        raise _full(error) from error


def _to_nowhere(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
    with suppress(OSError):
        stream.flush()


def _full(error: OSError) -> DiskFull:
    why = error.strerror or str(error)
    return DiskFull(f"the output could not be written ({why}); free some space and repeat the command")
