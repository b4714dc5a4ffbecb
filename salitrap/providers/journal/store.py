"""Every model call of a run, one row an attempt, committed before the caller sees the reply."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import Any

from salitrap.providers.journal.opening import connect, explained, prepare
from salitrap.providers.money.price import price_from
from salitrap.providers.money.spend import Ledger, PriceOf, Spend, Totals
from salitrap.records.enums import Outcome, Role


@dataclass(frozen=True, slots=True)
class Row:
    """One attempt. Tokens are None when not reported; ``charged_*`` is what the budget counts.

    ``settled`` is False for an ok structured reply until it has been parsed; ``final`` is True for
    the last attempt of a call. ``cached_input`` and ``cache_written`` are the parts of ``input_tokens``
    that the provider read from its cache and wrote to it. The price is what this row was charged at,
    None when it was unknown. ``batch`` is the tag of the batch that the attempt was a part of, if any.
    """

    key: str
    ask_key: str
    role: Role
    model: str
    endpoint: str
    messages: str
    sampling: str
    prompt: str
    prompt_sha256: str
    repeat: int
    attempt: int
    raw: str
    text: str
    reasoning: str
    outcome: Outcome
    detail: str
    settled: bool
    final: bool
    input_tokens: int | None
    output_tokens: int | None
    charged_input: int
    charged_output: int
    latency_ms: float
    returned_model: str
    simulated: bool
    started_at: str
    cached_input: int | None = None
    cache_written: int | None = None
    price_input: float | None = None
    price_output: float | None = None
    price_cached: float | None = None
    price_date: str | None = None
    batch: str | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A usable reply found in the journal; ``settled`` says that it has been parsed before.

    ``booked`` is what its row adds to the totals.
    """

    row_id: int
    key: str
    text: str
    reasoning: str
    returned_model: str
    settled: bool
    booked: Totals

    @property
    def simulated(self) -> bool:
        """True when the lab wrote it."""
        return self.booked.simulated


UNDER_WAY = -1.0
"""``latency_ms`` of an attempt that was sent and has not ended, or was under way when its process ended."""

_COLUMNS = tuple(field.name for field in fields(Row))
_values_of = attrgetter(*_COLUMNS)
_INSERT = f"INSERT INTO calls ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_UPDATE = f"UPDATE calls SET {', '.join(f'{name} = ?' for name in _COLUMNS)} WHERE id = ?"
_ALIKE = "role, model, endpoint, outcome, final, price_input, price_output, price_cached, price_date"
_FOUND = f"""
    SELECT id, key, text, reasoning, returned_model, settled, {_ALIKE}, simulated, 1,
           coalesce(input_tokens, 0), coalesce(output_tokens, 0), charged_input, charged_output,
           coalesce(cached_input, 0), coalesce(cache_written, 0)
    FROM calls
"""
_TOTALS = f"""
    SELECT {_ALIKE}, max(simulated), count(*), total(input_tokens), total(output_tokens),
           sum(charged_input), sum(charged_output), total(cached_input), total(cache_written)
    FROM calls GROUP BY {_ALIKE} ORDER BY {_ALIKE}
"""


class Journal:
    """``journal.sqlite`` of a run directory; used from one thread, by one process at a time."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open or create; a reader neither creates nor migrates.

        ``begun`` is False to a reader of a file whose process was killed before anything could be recorded.

        Raises:
            RunDirectoryError: not a journal of ours, of a newer version, locked, or absent.
            DiskFull: no room to create it.
        """
        self.path = path
        with self._guarded():
            self._db = connect(path, read_only)
            try:
                self.begun = prepare(self._db, path, read_only, _COLUMNS)
            except BaseException:  # also Ctrl-C: the file must not stay open; it is raised again
                self._db.close()
                raise

    def add(self, row: Row, begun: int | None = None) -> int:
        """Store an attempt and commit; returns the row's number.

        ``begun`` is the row that was stored when it was sent: it becomes ``row``. Should the process end in
        between, it stays as it was, and the sums count what may have been paid for.

        Raises:
            DiskFull: it could not be written.
        """
        with self._guarded():
            if begun is not None:
                self._db.execute(_UPDATE, (*_values_of(row), begun))
                return begun
            cursor = self._db.execute(_INSERT, _values_of(row))
        return int(cursor.lastrowid or 0)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Store all statements of the block, and on the disk when it ends, or none.

        Raises:
            DiskFull: they could not be written.
        """
        with self._guarded():
            self._db.executescript("PRAGMA synchronous = FULL; BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:  # also Ctrl-C: nothing of the block may stay; it is raised again
                if self._db.in_transaction:  # on a full disk SQLite has rolled back by itself
                    self._db.execute("ROLLBACK")
                raise
            finally:
                self._db.execute("PRAGMA synchronous = NORMAL")

    def settle(self, row_id: int, outcome: Outcome, detail: str = "") -> None:
        """Record what parsing made of an ok reply.

        Raises:
            DiskFull: it could not be written.
        """
        with self._guarded():
            self._db.execute(
                "UPDATE calls SET outcome = ?, detail = ?, settled = 1 WHERE id = ?",
                (outcome.value, detail, row_id),
            )

    def find_answer(self, ask_key: str) -> Stored | None:
        """Return the usable reply to a question, whether to its first call or to a re-ask."""
        return self._find("ask_key", ask_key)

    def find_reply(self, key: str) -> Stored | None:
        """Return the usable reply to exactly this call."""
        return self._find("key", key)

    def find_last(self, key: str, condition: str) -> Stored | None:
        """Return the last attempt at exactly this call when it fulfils an SQL condition."""
        with self._guarded():
            row = self._db.execute(
                f"{_FOUND} WHERE id = (SELECT max(id) FROM calls WHERE key = ?) AND {condition}", (key,)
            ).fetchone()
        return None if row is None else _stored(row)

    def attempts(self, key: str) -> int:
        """How often exactly this call was tried and something came of it, in any process."""
        with self._guarded():
            row = self._db.execute(
                f"SELECT count(*) FROM calls WHERE key = ? AND latency_ms != {UNDER_WAY}", (key,)
            ).fetchone()
        return int(row[0])

    def totals(self) -> tuple[Totals, ...]:
        """Sums over all rows, by role, model, address, outcome, finality and recorded price."""
        with self._guarded():
            rows = self._db.execute(_TOTALS).fetchall()
        return tuple(_totals(row) for row in rows)

    def select(self, query: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[sqlite3.Row]:
        """Rows of a query about the table ``calls``, by name.

        Raises:
            RunDirectoryError: the file cannot be read.
        """
        with self._guarded():
            cursor = self._db.cursor()
            cursor.row_factory = sqlite3.Row
            return cursor.execute(query, parameters).fetchall()

    def spend(self, price_of: PriceOf) -> Spend:
        """What the run has used; ``price_of`` prices the rows that recorded no price."""
        return Ledger(price_of, self.totals()).spend()

    def close(self) -> None:
        """Close the file; nothing is pending, since every row was committed."""
        self._db.close()

    def _find(self, column: str, key: str) -> Stored | None:
        with self._guarded():
            row = self._db.execute(
                f"{_FOUND} WHERE {column} = ? AND outcome = 'ok' ORDER BY settled DESC, id DESC LIMIT 1",
                (key,),
            ).fetchone()
        return None if row is None else _stored(row)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise explained(error, self.path) from error


def _stored(row: Sequence[Any]) -> Stored:
    row_id, key, text, reasoning, returned_model, settled, *sums = row
    return Stored(row_id, key, text, reasoning, returned_model, bool(settled), _totals(sums))


def _totals(row: Sequence[Any]) -> Totals:
    """Sums from the columns of ``_ALIKE`` and what stands behind them in a query."""
    role, model, address, outcome, final = row[:5]
    price, simulated, sums = price_from(*row[5:9]), bool(row[9]), map(int, row[10:])
    return Totals(Role(role), model, address, Outcome(outcome), bool(final), price, simulated, *sums)
