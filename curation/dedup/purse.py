"""Embeddings paid from the run's own budget."""

from __future__ import annotations

from curation.dedup.vectors import VectorStore, request_totals
from salitrap.providers.money.budget import BudgetGuard, Reservation, worst_case
from salitrap.providers.money.price import FREE_OF_CHARGE, Price
from salitrap.providers.money.spend import Ledger
from salitrap.records.enums import Outcome


class RunPurse:
    """Reserves with the run's guard and books in its ledger and, for later processes, in the store."""

    def __init__(
        self,
        guard: BudgetGuard,
        ledger: Ledger,
        store: VectorStore,
        site: tuple[str, str],
        price: Price | None,
    ) -> None:
        """``site`` is the spec and the address of the endpoint. Takes what the store has into the ledger."""
        self._guard, self._ledger, self._store, self._site = guard, ledger, store, site
        self._price = price
        for entry in store.totals():
            ledger.add(entry)

    async def reserve(self, tokens: int) -> None:
        """Set the worst case aside.

        Raises:
            BudgetReached: it does not fit.
        """
        await self._guard.reserve(self._worst(tokens))

    def book(self, reserved: int, reported: int | None, outcome: Outcome) -> None:
        """Book a request: reported tokens, the reserved ones where none are, nothing for a refusal."""
        charged = 0 if outcome is Outcome.API_ERROR else reserved if reported is None else reported
        price = (None, None) if self._price is None else (self._price.input, self._price.dated)
        entry = request_totals(*self._site, outcome, (reported or 0, charged), price)
        try:
            self._store.record(entry)
        finally:
            self._ledger.add(entry)
            self._guard.release(self._worst(reserved))

    def _worst(self, tokens: int) -> Reservation:
        return worst_case(tokens, 0, (self._price or FREE_OF_CHARGE).pair)
