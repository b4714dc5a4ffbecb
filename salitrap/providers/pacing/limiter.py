"""How many requests one endpoint may have in flight."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Limiter:
    """A fixed number of slots, handed out in order of arrival."""

    def __init__(self, slots: int) -> None:
        self._slots = asyncio.Semaphore(slots)
        self.in_flight = 0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold one slot for the length of a request."""
        async with self._slots:
            self.in_flight += 1
            try:
                yield
            finally:
                self.in_flight -= 1
