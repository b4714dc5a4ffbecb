"""Requests on their way into a batch: all those for one model."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from salitrap.providers.batch.interface import ID_LENGTH, Size
from salitrap.providers.batch.life import Request
from salitrap.providers.batch.open_batch import OpenBatch

LINE_OVERHEAD = ID_LENGTH + 100
"""Most bytes that a line of a batch has beside the request."""


@dataclass(slots=True, eq=False)
class Entry:
    """A queued request; ``batch`` is set with ``placed``, or stays None when the room is left."""

    request: Request
    placed: asyncio.Event = field(default_factory=asyncio.Event)
    batch: OpenBatch | None = None

    @property
    def octets(self) -> int:
        """Bytes it takes in a batch."""
        return len(self.request.body) + LINE_OVERHEAD


class Queue:
    """Waits until it has not grown for a while, or is full."""

    def __init__(self, limits: Size) -> None:
        self.entries: dict[str, Entry] = {}
        self.gathering: asyncio.Task[None] | None = None
        self._limits = limits
        self._most = limits.requests
        self._octets = 0
        self._held_until = 0.0
        self.careful = False

    @property
    def held(self) -> bool:
        """True while the provider takes nothing more."""
        return asyncio.get_running_loop().time() < self._held_until

    @property
    def full(self) -> bool:
        """True when it would fill a batch."""
        return len(self.entries) >= self._most or self._octets >= self._limits.octets

    def add(self, request: Request) -> Entry:
        """Queue a request; the same call is queued once."""
        entry = self.entries.get(request.key)
        if entry is None:
            entry = self.entries[request.key] = Entry(request)
            self._octets += entry.octets
        return entry

    async def settled(self, seconds: float) -> None:
        """Wait until it has not grown for ``seconds`` or is full, and is not held."""
        before = -1
        while self.held or (len(self.entries) != before and not self.full):
            before = len(self.entries)
            await asyncio.sleep(seconds)

    def take(self) -> list[Entry]:
        """Take out as many as fit into a batch, at least one."""
        taken: list[Entry] = []
        octets = 0
        for entry in self.entries.values():
            if taken and (len(taken) >= self._most or octets + entry.octets > self._limits.octets):
                break
            taken.append(entry)
            octets += entry.octets
        for entry in taken:
            del self.entries[entry.request.key]
        self._octets -= octets
        return taken

    def hold(self, seconds: float, size: int | None) -> None:
        """Submit nothing for a while; then batches of at most half of ``size``, unless that is None.

        They are submitted one after the other until the provider takes one.
        """
        self._held_until = asyncio.get_running_loop().time() + seconds
        self.careful = True
        if size is not None:
            self._most = max(1, min(self._most, size // 2))

    def grow(self) -> None:
        """A batch has ended well: the next ones may be larger."""
        self._most = min(2 * self._most, self._limits.requests)
