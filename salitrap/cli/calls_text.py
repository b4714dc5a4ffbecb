"""Calls as plain lines: columns that fit the screen, and one call in full. Nothing is markup here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size

from salitrap.cli.console import out
from salitrap.cli.plan_tables import compact, money
from salitrap.cli.tables import models_named

if TYPE_CHECKING:
    from salitrap.providers.journal.batches import BatchBook
    from salitrap.providers.journal.view import CallLine, CallSums

KEY_DIGITS = 8
NARROWEST_MODEL = 10
_FIXED = 69
"""Columns of everything but the model, blanks included."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def listing(shown: Sequence[CallLine], found: Sequence[CallLine]) -> Iterator[str]:
    """One line a call below the day it was made, then the sums over all that were found."""
    from salitrap.providers.journal.view import sums_of

    room = max(NARROWEST_MODEL, out().width - _FIXED)
    if shown:
        yield _columns("time", "role", "model", "outcome", "n", "in", "out", "USD", "s", "key", room=room)
    day = ""
    for line in shown:
        if line.started_at[:10] != day:
            day = line.started_at[:10]
            yield day
        yield _call(line, room)
    yield ""
    yield f"{len(shown):,} of {len(found):,} calls{_more(shown, found)}"
    if found:
        yield _sums("role", "outcome", "calls", "attempts", "in", "out", "USD")
    yield from (_sum_line(sums) for sums in sums_of(found))
    yield from _remarks(found)


def waiting_lines(book: BatchBook) -> Iterator[str]:
    """What waits in batches at providers, and so is not among the calls; nothing when nothing does."""
    from salitrap.cli.batches_left import when_to_come_back

    if (waiting := book.waiting()).requests:
        yield f"Not listed: {when_to_come_back(waiting, book.oldest())}"
        yield "The command that asked collects them, and so does --collect, which sends nothing new."


def in_full(attempts: Sequence[Mapping[str, Any]], conversation: Sequence[str]) -> Iterator[str]:
    """One call: what was sent, then every attempt with its reply as received."""
    first = attempts[0]
    yield f"Call {first['key']}"
    for name in ("role", "model", "endpoint", "prompt", "prompt_sha256", "repeat"):
        if first[name] != "":
            yield f"  {name}: {plain(str(first[name]))}"
    if len(conversation) > 1:
        yield f"  conversation: {', '.join(key[:KEY_DIGITS] for key in conversation)}"
    for message in first["messages"]:
        yield f"\n--- {message['role']} ---"
        yield plain(message["content"])
    for attempt in attempts:
        yield from _attempt(attempt)


def plain(text: str) -> str:
    r"""Text that cannot steer a terminal: control characters as ``\x1b``, lines and tabs kept."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found.group()):02x}", text.replace("\r\n", "\n"))


def _attempt(attempt: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n=== attempt {attempt['id']}: {attempt['outcome']}, {attempt['started_at']} ==="
    yield f"  {_seconds(attempt['latency_ms'])} s, tokens {_tokens(attempt)}"
    if attempt["price_input"] is not None:
        yield f"  price: {attempt['price_input']:g} in, {attempt['price_output']:g} out, USD a million"
    yield f"  sampling: {json.dumps(attempt['sampling'], ensure_ascii=False)}"
    for name in ("returned_model", "detail", "batch"):
        if attempt[name]:
            yield f"  {name}: {plain(attempt[name])}"
    if attempt["simulated"]:
        yield "  simulated: true"
    if not attempt["settled"]:
        yield "  not parsed yet"
    for name in ("reasoning", "text", "raw"):
        if attempt[name]:
            yield f"--- {name} ---"
            yield plain(attempt[name])


def _seconds(milliseconds: float) -> str:
    """Seconds an attempt took; a dash for one that has not ended, or was cut off with its process."""
    return "-" if milliseconds < 0 else f"{milliseconds / 1000.0:.1f}"


def _tokens(attempt: Mapping[str, Any]) -> str:
    parts = (("cached_input", "from the provider's cache"), ("cache_written", "put into it"))
    told = "; ".join(f"{attempt[name]:,} {where}" for name, where in parts if attempt[name])
    sent = f"{_count(attempt['input_tokens'])} in{f' ({told})' if told else ''}"
    return f"{sent}, {_count(attempt['output_tokens'])} out"


def _call(line: CallLine, room: int) -> str:
    return _columns(
        line.started_at[11:19],
        line.role.value,
        _short(line.model),
        line.outcome.value + ("" if line.settled else "?"),
        str(line.attempts),
        _count(line.input_tokens),
        _count(line.output_tokens),
        "?" if line.usd is None else money(line.usd),
        _seconds(line.latency_ms),
        line.key[:KEY_DIGITS],
        room=room,
    )


def _columns(*cells: str, room: int) -> str:
    time, role, model, outcome, attempts, sent, written, usd, seconds, key = cells
    return (
        f"{time:8} {role:9} {_fitted(model, room)} {outcome:10} {attempts:>2} {sent:>6} {written:>6} "
        f"{usd:>6} {seconds:>5} {key}"
    ).rstrip()


def _fitted(text: str, room: int) -> str:
    safe = plain(text).replace("\n", " ").replace("\t", " ")
    return set_cell_size(safe if cell_len(safe) <= room else f"{set_cell_size(safe, room - 1)}…", room)


def _short(model: str) -> str:
    """Name without provider, organisation and address."""
    return model.partition("@http")[0].rpartition("/")[2]


def _count(tokens: int | None) -> str:
    return "-" if tokens is None else compact(tokens)


def _more(shown: Sequence[CallLine], found: Sequence[CallLine]) -> str:
    return "; --limit N shows more, --limit 0 all" if len(shown) < len(found) else ""


def _sum_line(sums: CallSums) -> str:
    return _sums(
        sums.role.value,
        sums.outcome.value,
        f"{sums.calls:,}",
        f"{sums.attempts:,}",
        compact(sums.input_tokens),
        compact(sums.output_tokens),
        "unknown" if sums.usd is None else money(sums.usd),
    )


def _sums(*cells: str) -> str:
    role, outcome, calls, attempts, sent, written, usd = cells
    return f"{role:9} {outcome:10} {calls:>9} {attempts:>9} {sent:>7} {written:>7} {usd:>9}"


def _remarks(found: Sequence[CallLine]) -> Iterator[str]:
    from salitrap.providers.money.spend import dated

    unpriced = sorted({line.model for line in found if line.usd is None})
    if unpriced:
        yield f"Cost unknown: no price for {plain(models_named(unpriced))}."
    dates = sorted({line.price_date for line in found if line.price_date is not None})
    if dates:
        yield f"USD from the price table{dated(dates)}."
    if any(not line.settled for line in found):
        yield "ok?: a reply that has not been parsed yet."
