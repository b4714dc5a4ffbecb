"""What is said of batches that are left at a provider."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from salitrap.cli.console import err
from salitrap.errors import Interrupted, StoppedError

if TYPE_CHECKING:
    from salitrap.providers.batch.office import BatchOffice


@contextmanager
def telling_what_waits(batches: BatchOffice) -> Iterator[None]:
    """Add to every stop how many requests wait in batches, and say so too when the work is done.

    What waits then was asked with other settings, or for other items: it is paid for, and nobody collects it.

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
    if (waiting := batches.waiting()).requests:
        from salitrap.providers.batch.office import counted

        err().print(
            f"note: {counted(waiting)}, asked with other settings or for other items, still wait at the "
            "provider and will be charged; collect what waits before you change settings",
            soft_wrap=True,
        )
