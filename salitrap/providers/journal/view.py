"""The journal as people look at it: calls, newest first, their sums, and every attempt of one call.

A call is one key: its attempts are rows of the journal, and its outcome is that of the last one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from salitrap.errors import InputError
from salitrap.providers.journal.store import Journal
from salitrap.providers.money.price import price_from
from salitrap.providers.money.spend import PriceOf
from salitrap.records.base import Record
from salitrap.records.enums import Outcome, Role

SHOWN_KEYS = 3
_CALLS = """
    WITH calls_by_key AS (
        SELECT max(id) AS last, count(*) AS attempts,
               sum(input_tokens) AS input, sum(output_tokens) AS output
        FROM calls GROUP BY key
    )
    SELECT calls.key, calls.role, calls.model, calls.endpoint, calls.outcome, calls.settled, calls.simulated,
           calls.started_at, calls.latency_ms, totals.attempts, totals.input, totals.output
    FROM calls_by_key AS totals JOIN calls ON calls.id = totals.last
    WHERE (:role IS NULL OR calls.role = :role)
      AND (:outcome IS NULL OR calls.outcome = :outcome)
      AND (:model IS NULL OR instr(lower(calls.model), :model) > 0)
    ORDER BY calls.id DESC
"""
_PRICE = ("price_input", "price_output", "price_cached", "price_date")
_COSTS = f"""
    SELECT key, model, endpoint, {", ".join(_PRICE)},
           sum(charged_input) AS charged_input, sum(charged_output) AS charged_output,
           sum(coalesce(cached_input, 0)) AS cached, sum(coalesce(cache_written, 0)) AS written
    FROM calls
    GROUP BY key, model, endpoint, {", ".join(_PRICE)}
"""
Cost = tuple[float | None, str | None]
"""USD, None when a price is unknown, and the date of the table's price in it."""


class CallFilter(Record):
    """Which calls; ``model`` is a part of the spec, in any case."""

    role: Role | None = None
    outcome: Outcome | None = None
    model: str | None = None


class CallLine(Record):
    """One call. ``settled`` is False while an ok reply has not been parsed; ``usd`` None: no price known."""

    key: str
    role: Role
    model: str
    outcome: Outcome
    settled: bool
    simulated: bool
    started_at: str
    attempts: int
    input_tokens: int | None
    output_tokens: int | None
    usd: float | None
    price_date: str | None
    latency_ms: float


class CallSums(Record):
    """Sums over the calls of one role that ended alike; ``usd`` is None when a price is unknown."""

    role: Role
    outcome: Outcome
    calls: int
    attempts: int
    input_tokens: int
    output_tokens: int
    usd: float | None


def calls_in(journal: Journal, wanted: CallFilter, price_of: PriceOf) -> list[CallLine]:
    """Calls that fit ``wanted``, newest first."""
    model = None if wanted.model is None else wanted.model.lower()
    chosen = {"role": wanted.role, "outcome": wanted.outcome, "model": model}
    costs = _costs(journal, price_of)
    return [_line(row, costs) for row in journal.select(_CALLS, chosen)]


def sums_of(lines: Sequence[CallLine]) -> list[CallSums]:
    """Sums by role and outcome, in the order of the enums."""
    groups: dict[tuple[Role, Outcome], list[CallLine]] = {}
    for line in lines:
        groups.setdefault((line.role, line.outcome), []).append(line)
    return [
        _sums(role, outcome, groups[role, outcome])
        for role in Role
        for outcome in Outcome
        if (role, outcome) in groups
    ]


def attempts_of(journal: Journal, prefix: str) -> list[dict[str, Any]]:
    """Every attempt of the one call whose key begins with ``prefix``, oldest first, as the journal has it.

    Raises:
        InputError: no key begins so, or several do.
    """
    found = journal.select(
        "SELECT DISTINCT key FROM calls WHERE substr(key, 1, ?) = ? ORDER BY key", (len(prefix), prefix)
    )
    keys = [row["key"] for row in found]
    if not keys or not prefix:
        raise InputError(f"no call in {journal.path} has a key that begins with {prefix!r}; list them first")
    if len(keys) > 1:
        shown = ", ".join(key[: len(prefix) + 4] for key in keys[:SHOWN_KEYS])
        raise InputError(f"{len(keys)} keys begin with {prefix!r} ({shown}, ...); give more of it")
    rows = journal.select("SELECT * FROM calls WHERE key = ? ORDER BY id", (keys[0],))
    return [_attempt(dict(row)) for row in rows]


def conversation_of(journal: Journal, ask_key: str) -> list[str]:
    """Keys of a question and of its re-asks, in the order they were first sent."""
    rows = journal.select("SELECT key FROM calls WHERE ask_key = ? GROUP BY key ORDER BY min(id)", (ask_key,))
    return [row["key"] for row in rows]


def _line(row: Any, costs: Mapping[str, Cost]) -> CallLine:
    usd, price_date = costs[row["key"]]
    return CallLine(
        key=row["key"],
        role=row["role"],
        model=row["model"],
        outcome=row["outcome"],
        settled=bool(row["settled"]),
        simulated=bool(row["simulated"]),
        started_at=row["started_at"],
        attempts=row["attempts"],
        input_tokens=row["input"],
        output_tokens=row["output"],
        usd=usd,
        price_date=price_date,
        latency_ms=row["latency_ms"],
    )


def _costs(journal: Journal, price_of: PriceOf) -> dict[str, Cost]:
    """What each call has cost over all its attempts, by key."""
    costs: dict[str, Cost] = {}
    for row in journal.select(_COSTS):
        usd, dated = costs.get(row["key"], (0.0, None))
        price = price_from(*(row[name] for name in _PRICE)) or price_of(row["model"], row["endpoint"])
        if price is None or usd is None:
            costs[row["key"]] = None, dated
        else:
            more = price.cost(row["charged_input"], row["charged_output"], row["cached"], row["written"])
            costs[row["key"]] = usd + more, price.dated or dated
    return costs


def _sums(role: Role, outcome: Outcome, lines: Sequence[CallLine]) -> CallSums:
    known = [line.usd for line in lines if line.usd is not None]
    return CallSums(
        role=role,
        outcome=outcome,
        calls=len(lines),
        attempts=sum(line.attempts for line in lines),
        input_tokens=sum(line.input_tokens or 0 for line in lines),
        output_tokens=sum(line.output_tokens or 0 for line in lines),
        usd=sum(known) if len(known) == len(lines) else None,
    )


def _attempt(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its JSON columns opened and its flags as flags."""
    flags = {name: bool(row[name]) for name in ("settled", "final", "simulated")}
    return {
        **row,
        **flags,
        "messages": json.loads(row["messages"]),
        "sampling": json.loads(row["sampling"]),
    }
