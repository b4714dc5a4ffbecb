"""What is said of batches that are left at a provider."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from salitrap.cli.console import err
from salitrap.errors import BatchesLeft, Interrupted, StoppedError

if TYPE_CHECKING:
    from salitrap.providers.batch.office import BatchOffice
    from salitrap.providers.journal.batches import Waiting


WITHIN = timedelta(hours=24)
"""How long providers may take for a batch."""


def when_to_come_back(waiting: Waiting, oldest: datetime | None) -> str:
    """How much waits at providers, and until when they have it done."""
    from salitrap.providers.batch.office import counted

    told = f"{counted(waiting)} {'waits' if waiting.requests == 1 else 'wait'} at the provider"
    if oldest is None:
        return f"{told}."
    due = (oldest + WITHIN).strftime("%Y-%m-%d %H:%M UTC")
    return f"{told}; the oldest batch is due by {due}, and often done much sooner."


@contextmanager
def telling_what_waits(batches: BatchOffice) -> Iterator[None]:
    """Add to every stop how many requests wait in batches, and say so too when the work is done.

    What waits then was asked with other settings, or for other items: it is paid for, and nobody asks for it.

    Raises:
        StoppedError: the stop itself, of its own kind.
    """
    try:
        yield
    except (StoppedError, asyncio.CancelledError) as error:
        waiting = batches.waiting()
        if not waiting.requests:
            raise
        from salitrap.providers.batch.office import counted

        if isinstance(error, BatchesLeft):
            raise BatchesLeft(f"{error}\n{when_to_come_back(waiting, batches.oldest())}") from error
        said = str(error) if isinstance(error, StoppedError) else "stopped by Ctrl-C or SIGTERM"
        kind = type(error) if isinstance(error, StoppedError) else Interrupted
        raise kind(
            f"{said}\n{counted(waiting)} wait at the provider, which goes on with them; the command below "
            "collects them and pays for none of them again."
        ) from error
    if (waiting := batches.waiting()).requests:
        from salitrap.providers.batch.office import counted

        err().print(
            f"note: {counted(waiting)}, asked with other settings or for other items, still wait at the "
            f"provider and are charged; salitrap calls {shlex.quote(str(batches.journal))} --collect fetches "
            "the replies when they are done",
            soft_wrap=True,
        )
