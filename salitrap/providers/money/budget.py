"""Stop before the budget is exceeded, however many calls are in flight."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from salitrap.errors import BudgetReached
from salitrap.providers.money.price import CACHE_WRITE_SURCHARGE, MILLION, Prices
from salitrap.providers.money.spend import Ledger, dated
from salitrap.settings.model import Budget

BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 8
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


class BudgetGuard:
    """Reserves the worst case before each request; what is spent is the ledger's."""

    def __init__(self, budget: Budget, ledger: Ledger) -> None:
        self._budget = budget
        self._ledger = ledger
        self._reserved = NOTHING
        self._released = asyncio.Event()

    async def reserve(self, wanted: Reservation) -> None:
        """Wait until ``wanted`` fits beside what is in flight.

        Raises:
            BudgetReached: it would not fit even when everything in flight cost nothing.
        """
        while not self._fits(wanted + self._reserved):
            if not self._fits(wanted):
                raise BudgetReached(self._message(wanted))
            self._released.clear()
            await self._released.wait()
        self._reserved += wanted

    def release(self, reserved: Reservation) -> None:
        """Give a reservation back once the request is over and booked."""
        self._reserved -= reserved
        self._released.set()

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
        if budget.calls is not None and calls + wanted.calls > budget.calls:
            return f"budget reached: {calls} of {budget.calls} calls spent; {_RESUME}"
        if budget.tokens is not None and tokens + wanted.tokens > budget.tokens:
            return (
                f"budget reached: {tokens} of {budget.tokens} tokens spent, and the next call may use "
                f"{wanted.tokens}; {_RESUME}"
            )
        return (
            f"budget reached: {usd:.4f} of {budget.usd:.4f} USD spent{dated(ledger.price_dates())}, and the "
            f"next call may cost {wanted.usd:.4f}; {_RESUME}"
        )
