"""The command line with short pauses around batches: a process as ``python -m salitrap``, in less time."""

from __future__ import annotations

import sys
from functools import partial

import salitrap.providers.open
from salitrap.cli.entry import main
from salitrap.providers.batch.pace import BatchPace


def hurried(*arguments: object) -> list[str]:
    """Command line of such a process; where a user waits for seconds, it waits for a fraction of one."""
    return [sys.executable, "-m", "tests.cli.hurried", *map(str, arguments)]


if __name__ == "__main__":
    salitrap.providers.open.BatchPace = partial(BatchPace, settle=0.5, first_poll=0.2)
    main()
