"""What a run has used so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from salitrap.providers.money.price import Price
from salitrap.records.base import Record
from salitrap.records.enums import Outcome, Role

PriceOf = Callable[[str, str], Price | None]
"""Price of a model (as recorded) at an address, for rows that recorded none; None when unknown."""


class Totals(NamedTuple):
    """Sums over journal rows alike in the first six fields.

    ``price`` is what the rows recorded when they were made, None where no price was known then.
    ``cached_input`` and ``cache_written`` are the parts of ``charged_input`` that the provider read from
    its cache and put there.
    """

    role: Role
    model: str
    address: str
    outcome: Outcome
    final: bool
    price: Price | None
    simulated: bool
    attempts: int
    input_tokens: int
    output_tokens: int
    charged_input: int
    charged_output: int
    cached_input: int
    cache_written: int

    @property
    def alike(self) -> Alike:
        """What rows have in common to be summed up."""
        return self[:6]

    @property
    def calls(self) -> int:
        """Attempts that count as calls: an endpoint's refusal or failure is not paid for."""
        return 0 if self.outcome is Outcome.API_ERROR else self.attempts


Alike = tuple[Role, str, str, Outcome, bool, Price | None]


class RoleSpend(Record):
    """Use of one role; ``usd`` is None when a price is unknown."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0


class Spend(Record):
    """Use of a run, over all its processes.

    ``calls`` counts what may have been billed: replies of any kind and time-outs. ``attempts``
    counts every request. ``reused`` counts replies this process took from the journal, ``sent`` the
    requests it made. ``failed`` counts those of ``calls`` that gave no usable reply, each attempt by
    itself. Tokens are those reported. ``usd`` is None when a model in ``unpriced`` was used, whose
    price nobody gave. ``price_dates`` are the dates (ISO) of the table rows that ``usd`` rests on,
    oldest first. ``drifts``, filled in when a journal is read, has the models that answered under
    several ids: replies by id.
    """

    calls: int = 0
    attempts: int = 0
    reused: int = 0
    sent: int = 0
    failed: int = 0
    drifts: dict[str, dict[str, int]] = {}
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    unpriced: tuple[str, ...] = ()
    price_dates: tuple[str, ...] = ()
    by_role: dict[Role, RoleSpend] = {}
    outcomes: dict[Outcome, int] = {}
    simulated: bool = False


class Ledger:
    """Running sums, so that asking for the spend costs no query.

    A row costs what it recorded when it was made, whatever the settings say today. A row without a
    recorded price (made before there was one) has the price that ``price_of`` knows now.
    """

    def __init__(self, price_of: PriceOf, totals: Iterable[Totals] = ()) -> None:
        self._price_of = price_of
        self._sums: dict[Alike, Totals] = {}
        self.reused = self.sent = 0
        for entry in totals:
            self.add(entry)

    def add(self, entry: Totals) -> None:
        """Add rows."""
        before = self._sums.get(entry.alike)
        if before is None:
            self._sums[entry.alike] = entry
            return
        sums = (mine + more for mine, more in zip(before[7:], entry[7:], strict=True))
        self._sums[entry.alike] = Totals(*entry.alike, before.simulated or entry.simulated, *sums)

    def move(self, entry: Totals, outcome: Outcome) -> None:
        """Re-book one row whose outcome was settled."""
        self.add(Totals(*entry[:7], *(-value for value in entry[7:])))
        self.add(entry._replace(outcome=outcome))

    def charged_calls(self) -> int:
        """Calls the budget counts."""
        return sum(entry.calls for entry in self._sums.values())

    def charged_tokens(self) -> int:
        """Tokens the budget counts: reported ones, estimates where none were reported."""
        return sum(entry.charged_input + entry.charged_output for entry in self._sums.values())

    def charged_usd(self) -> float:
        """USD the budget counts; what has no known price is in ``unpriced``, not in here."""
        return sum(self._cost(entry) or 0.0 for entry in self._sums.values())

    def price_dates(self) -> tuple[str, ...]:
        """Dates (ISO) of the table's prices that the cost rests on, oldest first."""
        used = [self._price(entry) for entry in self._sums.values() if entry.calls]
        return tuple(sorted({price.dated for price in used if price is not None and price.dated}))

    def unpriced(self) -> tuple[str, ...]:
        """Models that were used without a known price, sorted."""
        used = [entry for entry in self._sums.values() if entry.calls]
        return tuple(sorted({entry.model for entry in used if self._price(entry) is None}))

    def spend(self) -> Spend:
        """Return the sums as a record."""
        entries = [entry for entry in self._sums.values() if entry.attempts]
        return Spend(
            calls=sum(entry.calls for entry in entries),
            attempts=sum(entry.attempts for entry in entries),
            reused=self.reused,
            sent=self.sent,
            failed=sum(entry.calls for entry in entries if entry.outcome is not Outcome.OK),
            input_tokens=sum(entry.input_tokens for entry in entries),
            output_tokens=sum(entry.output_tokens for entry in entries),
            usd=self._usd(entries),
            unpriced=self.unpriced(),
            price_dates=self.price_dates(),
            by_role={
                role: self._role(entries, role) for role in Role if any(e.role is role for e in entries)
            },
            outcomes=_by_outcome(entries),
            simulated=any(entry.simulated for entry in entries),
        )

    def _role(self, entries: list[Totals], role: Role) -> RoleSpend:
        mine = [entry for entry in entries if entry.role is role]
        return RoleSpend(
            calls=sum(entry.calls for entry in mine),
            input_tokens=sum(entry.input_tokens for entry in mine),
            output_tokens=sum(entry.output_tokens for entry in mine),
            usd=self._usd(mine),
        )

    def _usd(self, entries: list[Totals]) -> float | None:
        costs = [self._cost(entry) for entry in entries if entry.calls]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    def _price(self, entry: Totals) -> Price | None:
        return self._price_of(entry.model, entry.address) if entry.price is None else entry.price

    def _cost(self, entry: Totals) -> float | None:
        price = self._price(entry)
        if price is None:
            return None
        return price.cost(entry.charged_input, entry.charged_output, entry.cached_input, entry.cache_written)


def dated(price_dates: Sequence[str]) -> str:
    """``" (prices of 2026-01-31)"`` to put behind an amount, empty when no table price is in it."""
    if not price_dates:
        return ""
    first, last = min(price_dates), max(price_dates)
    return f" (prices of {first})" if first == last else f" (prices of {first} to {last})"


def _by_outcome(entries: list[Totals]) -> dict[Outcome, int]:
    counts = {outcome: sum(e.attempts for e in entries if e.outcome is outcome) for outcome in Outcome}
    return {outcome: count for outcome, count in counts.items() if count}
