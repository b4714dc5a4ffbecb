"""Entry point of the ``salitrap`` command; it answers Ctrl-C and SIGTERM from the first moment on.

Only light modules are imported here: while the others load, a signal ends the process with one line.
"""

from __future__ import annotations

import sys

from salitrap.cli.interrupts import STOPPED_CODE, exit_at_once, raise_interrupt, signal_of, stopped_line

ENDED_BY_SIGNAL = 130
"""Exit code that typer gives a command in which Ctrl-C was pressed."""


def main() -> None:
    """Run the command line; being stopped is one line and exit code 3, wherever it happens."""
    exit_at_once()
    from salitrap.cli.main import main as command

    raise_interrupt()
    try:
        command()
    except KeyboardInterrupt as error:
        _stop(error)
    except SystemExit as error:
        if error.code == ENDED_BY_SIGNAL:
            _stop(error)
        raise


def _stop(error: BaseException) -> None:
    sys.stderr.write(stopped_line(signal_of(error)))
    sys.exit(STOPPED_CODE)
