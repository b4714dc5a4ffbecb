"""Stop before the budget is exceeded, however many calls are in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from salitrap.errors import BudgetReached, StoppedError
from salitrap.providers.money.price import CACHE_WRITE_SURCHARGE, MILLION, Prices, exact_usd
from salitrap.providers.money.spend import Ledger, dated
from salitrap.settings.model import Budget

BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 8
COLLECTED_WITHIN = 5.0
"""Seconds in which calls come whose requests wait in batches, when nothing else is under way."""

_RESUME = "it counts all calls of the journal; raise it ('budget:' in the settings, or --max-calls)"


@dataclass(frozen=True, slots=True)
class Reservation:
    """The most that one request can cost."""

    calls: int
    tokens: int
    usd: float

    def __add__(self, other: Reservation) -> Reservation:
        return Reservation(self.calls + other.calls, self.tokens + other.tokens, self.usd + other.usd)

    def __sub__(self, other: Reservation) -> Reservation:
        return Reservation(self.calls - other.calls, self.tokens - other.tokens, self.usd - other.usd)


NOTHING = Reservation(0, 0, 0.0)


def estimate_tokens(messages_json: str) -> int:
    """Upper estimate of a prompt's tokens: a third of its UTF-8 bytes, one token a Chinese character."""
    return len(messages_json.encode("utf-8")) // BYTES_PER_TOKEN + TOKENS_PER_MESSAGE


def worst_case(input_tokens: int, max_tokens: int, prices: Prices | None) -> Reservation:
    """Return the most a request can cost: its prompt, put into a cache, and every token it may write."""
    usd = 0.0
    if prices is not None:
        dearest = input_tokens * prices[0] * (1.0 + CACHE_WRITE_SURCHARGE)
        usd = (dearest + max_tokens * prices[1]) / MILLION
    return Reservation(1, input_tokens + max_tokens, usd)


class AtProviders(Protocol):
    """Requests that providers have, and whose replies are not booked, by the keys of their calls."""

    def worst_cases(self) -> Iterable[tuple[str, int, float]]:
        """Key, tokens and USD of each: the most that it can cost."""
        ...

    def waits(self, key: str) -> bool:
        """True when there is one of that key."""
        ...


class BudgetGuard:
    """Reserves the worst case before each request; what is spent is the ledger's.

    A request that waits in a batch and has no call in this process is paid all the same: its worst case
    stays set aside until its call comes. ``waiting`` counts the calls that wait for room.
    """

    def __init__(self, budget: Budget, ledger: Ledger, at_providers: AtProviders | None = None) -> None:
        self.waiting = 0
        self._budget = budget
        self._ledger = ledger
        self._at_providers = at_providers
        self._reserved = self._promised = NOTHING
        self._released = asyncio.Event()
        self._error: StoppedError | None = None
        self._calls: dict[str, Reservation] = {}
        self._uncollected: dict[str, Reservation] = {}
        for key, tokens, usd in () if at_providers is None else at_providers.worst_cases():
            self._set_aside(key, Reservation(1, tokens, usd))

    async def reserve(self, wanted: Reservation, key: str = "") -> None:
        """Wait until ``wanted`` fits beside what is in flight and what waits at providers.

        ``key`` is that of the call where its request may wait in a batch; one that does is paid already,
        and there is always room for it.

        Raises:
            BudgetReached: it would not fit even when everything in flight cost nothing.
            StoppedError: there is no room, and ``leave`` was called.
        """
        if not self.waits(key):
            await self._room(wanted)
        self._promised -= self._uncollected.pop(key, NOTHING)
        self._reserved += wanted
        if key:
            self._calls[key] = wanted

    def release(self, reserved: Reservation, key: str = "") -> None:
        """Give a reservation back once the request is over and booked, or left in its batch."""
        self._reserved -= reserved
        left = self._calls.pop(key, None)
        if left is not None and self._at_providers is not None and self._at_providers.waits(key):
            self._set_aside(key, left)
        self._released.set()

    def leave(self, error: StoppedError) -> None:
        """Calls that wait for room raise ``error``."""
        self._error = self._error or error
        self._released.set()

    def worst(self, key: str) -> Reservation:
        """What the call of that key has reserved."""
        return self._calls.get(key, NOTHING)

    def waits(self, key: str) -> bool:
        """True when a request of that key waits in a batch, and its call has not come yet."""
        return key in self._uncollected

    def _set_aside(self, key: str, worst: Reservation) -> None:
        self._uncollected[key] = self._uncollected.get(key, NOTHING) + worst
        self._promised += worst

    async def _room(self, wanted: Reservation) -> None:
        while not self._fits(wanted + self._reserved + self._promised):
            if self._error is not None:
                raise self._error
            if not self._fits(wanted) or not await self._changed():
                raise BudgetReached(self._message(wanted))

    async def _changed(self) -> bool:
        """Wait until there may be room; False when nothing is under way, and nobody collects what waits."""
        self._released.clear()
        self.waiting += 1
        try:
            async with asyncio.timeout(None if self._reserved.calls else COLLECTED_WITHIN):
                await self._released.wait()
        except TimeoutError:
            return self._reserved.calls > 0
        finally:
            self.waiting -= 1
        return True

    def _fits(self, wanted: Reservation) -> bool:
        budget, ledger = self._budget, self._ledger
        return (
            (budget.calls is None or ledger.charged_calls() + wanted.calls <= budget.calls)
            and (budget.tokens is None or ledger.charged_tokens() + wanted.tokens <= budget.tokens)
            and (budget.usd is None or ledger.charged_usd() + wanted.usd <= budget.usd + 1e-9)
        )

    def _message(self, wanted: Reservation) -> str:
        budget, ledger = self._budget, self._ledger
        calls, tokens, usd = ledger.charged_calls(), ledger.charged_tokens(), ledger.charged_usd()
        most, kept = wanted + self._promised, self._promised
        if budget.calls is not None and calls + most.calls > budget.calls:
            return f"budget reached: {calls} of {budget.calls} calls spent{_besides(kept.calls)}; {_RESUME}"
        if budget.tokens is not None and tokens + most.tokens > budget.tokens:
            return (
                f"budget reached: {tokens} of {budget.tokens} tokens spent{_besides(kept.tokens)}, and the "
                f"next call may use {wanted.tokens}; {_RESUME}"
            )
        besides = _besides(f"{exact_usd(kept.usd)}" if kept.calls else 0)
        return (
            f"budget reached: {exact_usd(usd)} of {exact_usd(budget.usd)} USD spent"
            f"{dated(ledger.price_dates())}{besides}, and the next call may cost "
            f"{exact_usd(wanted.usd)}; {_RESUME}"
        )


def _besides(most: int | str) -> str:
    return f", up to {most} more for requests that wait in batches" if most else ""
