"""What is said of batches that are left at a provider."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from salitrap.errors import Interrupted, StoppedError

if TYPE_CHECKING:
    from salitrap.providers.batch.office import BatchOffice


@contextmanager
def telling_what_waits(batches: BatchOffice) -> Iterator[None]:
    """Add to every stop how many requests wait in batches, if any do.

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

        said = str(error) if isinstance(error, StoppedError) else "stopped by Ctrl-C or SIGTERM"
        kind = type(error) if isinstance(error, StoppedError) else Interrupted
        raise kind(
            f"{said}\n{counted(waiting)} wait at the provider, which goes on with them; the command below "
            "collects them and pays for none of them again."
        ) from error
