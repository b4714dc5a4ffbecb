"""Who waits for a slot: in order of arrival, patient calls behind all others."""

from __future__ import annotations

import asyncio
from collections import deque

Place = asyncio.Future[bool]


class WaitingLine:
    """Places of calls that wait; each is told whether it was admitted."""

    def __init__(self) -> None:
        self._first: deque[Place] = deque()
        self._patient: deque[Place] = deque()

    def __bool__(self) -> bool:
        return bool(self._first or self._patient)

    def __len__(self) -> int:
        return len(self._first) + len(self._patient)

    def join(self, place: Place, *, patient: bool) -> None:
        """Stand at the end of one's part of the line."""
        (self._patient if patient else self._first).append(place)

    def leave(self, place: Place) -> bool:
        """Leave before one's turn; False when one does not stand in the line."""
        for part in (self._first, self._patient):
            if place in part:
                part.remove(place)
                return True
        return False

    def next(self) -> Place:
        """Whose turn it is.

        Raises:
            IndexError: nobody waits.
        """
        return (self._first or self._patient).popleft()

    def blocks(self, *, patient: bool) -> bool:
        """True when somebody waits whom a new call may not pass."""
        return bool(self._first or (patient and self._patient))
