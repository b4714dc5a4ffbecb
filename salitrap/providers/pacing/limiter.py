"""Who may send to one endpoint, and when: as many as its window allows, patient calls last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count

from salitrap.providers.pacing.gate import until_set
from salitrap.providers.pacing.line import WaitingLine
from salitrap.providers.pacing.quota import Quota
from salitrap.providers.pacing.retry import Pacing
from salitrap.providers.pacing.window import Window

WIDEN_EVERY = 0.05
"""Seconds after which a window that nothing has refused widens while calls wait."""

Pause = Callable[[float], Awaitable[None]]


class Limiter:
    """Slots of one endpoint. ``pause`` arguments sleep that many seconds, or until the run is stopped."""

    def __init__(
        self,
        ceiling: int,
        pacing: Pacing,
        *,
        start: int | None = None,
        rpm: int | None = None,
        tpm: int | None = None,
    ) -> None:
        self.in_flight = 0
        self.waiting_for_quota = 0
        self._pacing = pacing
        self._window = Window(ceiling, start)
        self._quota = Quota(rpm, tpm, pacing.clock)
        self._waiting = WaitingLine()
        self._begun: dict[int, float] = {}
        self._numbers = count()
        self._held_until = 0.0
        self._released = asyncio.Event()
        self._growing: asyncio.TimerHandle | None = None

    @property
    def held(self) -> bool:
        """True while nothing may be sent."""
        return self._held_until > self._pacing.clock()

    @property
    def free_at(self) -> float:
        """Monotonic time before which nothing may be sent."""
        return self._held_until

    @property
    def full(self) -> bool:
        """True when a further call would have to wait for a slot."""
        return self.in_flight >= self._window.slots

    def at_work(self, started: float) -> bool:
        """True when half of the slots or more have a request that seems to be served.

        Such a one has been under way for more than twice as long as the one that was refused just now and
        was sent at monotonic time ``started``.
        """
        long_ago = started - (self._pacing.clock() - started)
        older = sum(begun < long_ago for begun in self._begun.values())
        return 2 * older >= self._window.slots > 1

    @property
    def slots(self) -> int:
        """How many requests are allowed at a time at this moment."""
        return self._window.slots

    @asynccontextmanager
    async def slot(self, tokens: int, pause: Pause, *, patient: bool = False) -> AsyncIterator[bool]:
        """Hold a slot for the length of a request of at most ``tokens`` tokens.

        ``patient`` requests let all others go first.

        Yields False, and no slot, to calls that waited when the endpoint was told to rest: they may
        want to go elsewhere.
        """
        await self._wait_out(pause)
        if not await self._enter(patient):
            yield False
            return
        number = next(self._numbers)
        try:
            if (wait := self._quota.take(tokens)) > 0.0:
                await self._wait_for_quota(pause(wait))
                await self._wait_out(pause)
            self._begun[number] = self._pacing.clock()
            yield True
        finally:
            self._begun.pop(number, None)
            self.in_flight -= 1
            self._admit()

    def served(self, claimed: int, used: int | None) -> None:
        """A request that had claimed so many tokens was served; ``used`` is None when not reported."""
        self._window.served()
        if used is not None:
            self._quota.used(claimed, used)
        self._admit()

    def refused(self, started: float) -> None:
        """A request that started at monotonic time ``started`` was refused for going too fast."""
        self._window.refused(started, self._pacing.clock(), self.in_flight)

    def hold(self, seconds: float) -> None:
        """Send nothing for so many seconds; a longer hold is not shortened."""
        self._held_until = max(self._held_until, self._pacing.clock() + seconds)
        while self._waiting:
            _tell(self._waiting.next(), False)

    def rest(self, seconds: float) -> None:
        """Send nothing for so many seconds, then one request at a time until one is served."""
        self._window.restart(self._pacing.clock())
        self.hold(seconds)

    def release(self) -> None:
        """Let everybody go: nothing will be sent any more, and there is nothing to wait for."""
        self.hold(0.0)
        self._held_until = 0.0
        self._released.set()

    async def _wait_out(self, pause: Pause) -> None:
        """Wait for the end of a hold; calls come back spread out, not all at one instant."""
        waited_for = 0.0
        while self._held_until != waited_for and self.held:
            waited_for = self._held_until
            rest = pause(self._pacing.after(waited_for - self._pacing.clock()))
            await until_set(self._released, rest)

    async def _wait_for_quota(self, pausing: Awaitable[None]) -> None:
        self.waiting_for_quota += 1
        try:
            await pausing
        finally:
            self.waiting_for_quota -= 1

    async def _enter(self, patient: bool) -> bool:
        if not self.full and not self._waiting.blocks(patient=patient):
            self.in_flight += 1
            return True
        mine: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.join(mine, patient=patient)
        self._grow_soon()
        try:
            return await mine
        except asyncio.CancelledError:
            self._withdraw(mine)
            raise

    def _withdraw(self, mine: asyncio.Future[bool]) -> None:
        """The call was cancelled while it waited, perhaps just after it had been let in."""
        if not self._waiting.leave(mine) and mine.done() and not mine.cancelled() and mine.result():
            self.in_flight -= 1
            self._admit()

    def _admit(self) -> None:
        while self._waiting and not self.full:
            if _tell(self._waiting.next(), True):
                self.in_flight += 1

    def _grow_soon(self) -> None:
        if self._growing is None and self._window.exploring:
            self._growing = asyncio.get_running_loop().call_later(WIDEN_EVERY, self._grow)

    def _grow(self) -> None:
        self._growing = None
        if self._waiting and self._window.exploring:
            self._window.widen()
            self._admit()
        if self._waiting:
            self._grow_soon()


def _tell(waiting: asyncio.Future[bool], admitted: bool) -> bool:
    """Answer one that waits; False when it waits no more."""
    if waiting.done():
        return False
    waiting.set_result(admitted)
    return True
