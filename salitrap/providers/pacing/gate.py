"""Whether requests may still be sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any

from salitrap.errors import StoppedError


class Gate:
    """One for all calls: open until somebody stops; then nothing is sent and no pause is waited out."""

    def __init__(self) -> None:
        self._error: StoppedError | None = None
        self._stopped = asyncio.Event()

    def stop(self, error: StoppedError) -> None:
        """Close the gate; the first reason counts."""
        self._error = self._error or error
        self._stopped.set()

    def check(self) -> None:
        """Raise the reason to stop, if there is one.

        Raises:
            StoppedError: nothing more is sent.
        """
        if self._error is not None:
            raise self._error

    async def pause(self, sleep: Coroutine[Any, Any, None] | Awaitable[None]) -> None:
        """Wait for ``sleep`` to end, or for the gate to close."""
        await until_set(self._stopped, sleep)


async def until_set(event: asyncio.Event, sleep: Coroutine[Any, Any, None] | Awaitable[None]) -> None:
    """Wait for ``sleep`` to end, or for ``event``."""
    pausing = asyncio.ensure_future(sleep)
    setting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({pausing, setting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        setting.cancel()
        if not pausing.done():
            pausing.cancel()
