"""What a run has used so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from salitrap.records.base import Record
from salitrap.records.enums import Outcome, Role

MILLION = 1_000_000.0
Prices = tuple[float, float]


class Totals(NamedTuple):
    """Sums over journal rows alike in the first four fields."""

    role: Role
    model: str
    outcome: Outcome
    final: bool
    simulated: bool
    attempts: int
    input_tokens: int
    output_tokens: int
    charged_input: int
    charged_output: int

    @property
    def calls(self) -> int:
        """Attempts that count as calls: an endpoint's refusal or failure is not paid for."""
        return 0 if self.outcome is Outcome.API_ERROR else self.attempts


class RoleSpend(Record):
    """Use of one role; ``usd`` is None when a price is unknown."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0


class Spend(Record):
    """Use of a run, over all its processes.

    ``calls`` counts what may have been billed: replies of any kind and time-outs. ``attempts``
    counts every request. ``reused`` counts replies this process took from the journal. ``failed``
    counts those of ``calls`` that gave no usable reply, each attempt by itself. Tokens are those
    reported. ``usd`` is None when an endpoint in ``unpriced`` was used, whose price nobody gave.
    ``price_dates`` are the dates (ISO) of the table rows that ``usd`` rests on, oldest first.
    """

    calls: int = 0
    attempts: int = 0
    reused: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    unpriced: tuple[str, ...] = ()
    price_dates: tuple[str, ...] = ()
    by_role: dict[Role, RoleSpend] = {}
    outcomes: dict[Outcome, int] = {}
    simulated: bool = False


class Ledger:
    """Running sums, so that asking for the spend costs no query."""

    def __init__(
        self,
        prices: Mapping[str, Prices],
        totals: Iterable[Totals] = (),
        price_dates: Mapping[str, str] | None = None,
    ) -> None:
        """``prices`` are USD per million input and output tokens, by model spec.

        ``price_dates`` says of which day (ISO) a price from the table is, by model spec.
        """
        self._prices = dict(prices)
        self._dates = dict(price_dates or {})
        self._sums: dict[tuple[Role, str, Outcome, bool], Totals] = {}
        self.reused = 0
        for entry in totals:
            self.add(entry)

    def add(self, entry: Totals) -> None:
        """Add rows."""
        before = self._sums.get(entry[:4])
        if before is None:
            self._sums[entry[:4]] = entry
            return
        sums = (mine + more for mine, more in zip(before[5:], entry[5:], strict=True))
        self._sums[entry[:4]] = Totals(*entry[:4], before.simulated or entry.simulated, *sums)

    def move(self, entry: Totals, outcome: Outcome) -> None:
        """Re-book one row whose outcome was settled."""
        self.add(Totals(*entry[:5], *(-value for value in entry[5:])))
        self.add(entry._replace(outcome=outcome))

    def charged_calls(self) -> int:
        """Calls the budget counts."""
        return sum(entry.calls for entry in self._sums.values())

    def charged_tokens(self) -> int:
        """Tokens the budget counts: reported ones, estimates where none were reported."""
        return sum(entry.charged_input + entry.charged_output for entry in self._sums.values())

    def charged_usd(self) -> float:
        """USD the budget counts; unknown prices count nothing."""
        return sum(_cost(entry, self._prices.get(entry.model)) or 0.0 for entry in self._sums.values())

    def price_dates(self) -> tuple[str, ...]:
        """Dates of the table's prices that the cost rests on, oldest first."""
        used = {entry.model for entry in self._sums.values() if entry.calls}
        return tuple(sorted({self._dates[model] for model in used if model in self._dates}))

    def spend(self) -> Spend:
        """Return the sums as a record."""
        entries = [entry for entry in self._sums.values() if entry.attempts]
        unpriced = sorted(
            {entry.model for entry in entries if entry.calls and entry.model not in self._prices}
        )
        return Spend(
            calls=sum(entry.calls for entry in entries),
            attempts=sum(entry.attempts for entry in entries),
            reused=self.reused,
            failed=sum(entry.calls for entry in entries if entry.outcome is not Outcome.OK),
            input_tokens=sum(entry.input_tokens for entry in entries),
            output_tokens=sum(entry.output_tokens for entry in entries),
            usd=self._usd(entries),
            unpriced=tuple(unpriced),
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
        costs = [_cost(entry, self._prices.get(entry.model)) for entry in entries if entry.calls]
        return (
            None if any(cost is None for cost in costs) else sum(cost for cost in costs if cost is not None)
        )


def dated(price_dates: Sequence[str]) -> str:
    """``" (prices of 2026-01-31)"`` to put behind an amount, empty when no table price is in it."""
    if not price_dates:
        return ""
    first, last = min(price_dates), max(price_dates)
    return f" (prices of {first})" if first == last else f" (prices of {first} to {last})"


def _cost(entry: Totals, prices: Prices | None) -> float | None:
    if prices is None:
        return None
    return (entry.charged_input * prices[0] + entry.charged_output * prices[1]) / MILLION


def _by_outcome(entries: list[Totals]) -> dict[Outcome, int]:
    counts = {outcome: sum(e.attempts for e in entries if e.outcome is outcome) for outcome in Outcome}
    return {outcome: count for outcome, count in counts.items() if count}
