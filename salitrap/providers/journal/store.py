"""Every model call of a run, one row an attempt, committed before the caller sees the reply."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from salitrap.errors import DiskFull, RunDirectoryError
from salitrap.providers.journal.schema import APPLICATION_ID, MIGRATIONS
from salitrap.providers.money.spend import Ledger, Prices, Spend, Totals
from salitrap.records.enums import Outcome, Role

_FULL = ("database or disk is full", "disk i/o error")
_CACHE_KIB = 4096


@dataclass(frozen=True, slots=True)
class Row:
    """One attempt. Tokens are None when not reported; ``charged_*`` is what the budget counts.

    ``settled`` is False for an ok structured reply until it has been parsed; ``final`` is True for
    the last attempt of a call.
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


_COLUMNS = tuple(field.name for field in fields(Row))
_INSERT = f"INSERT INTO calls ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_FOUND = """
    SELECT id, key, text, reasoning, returned_model, settled, role, model, outcome, final, simulated, 1,
           coalesce(input_tokens, 0), coalesce(output_tokens, 0), charged_input, charged_output
    FROM calls
"""
_TOTALS = """
    SELECT role, model, outcome, final, max(simulated), count(*),
           total(input_tokens), total(output_tokens), sum(charged_input), sum(charged_output)
    FROM calls GROUP BY role, model, outcome, final ORDER BY role, model, outcome, final
"""


class Journal:
    """``journal.sqlite`` of a run directory; used from one thread, by one process at a time."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open or create; a reader neither creates nor migrates.

        Raises:
            RunDirectoryError: not a journal of ours, of a newer version, locked, or absent.
            DiskFull: no room to create it.
        """
        self.path = path
        with self._guarded():
            self._db = _connect(path, read_only)
            try:
                _prepare(self._db, path, read_only)
            except BaseException:  # also Ctrl-C: the file must not stay open; it is raised again
                self._db.close()
                raise

    def add(self, row: Row) -> int:
        """Store an attempt and commit; returns the row's number.

        Raises:
            DiskFull: it could not be written.
        """
        with self._guarded():
            cursor = self._db.execute(_INSERT, astuple(row))
        return int(cursor.lastrowid or 0)

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

    def attempts(self, key: str) -> int:
        """How often exactly this call was tried, by any process."""
        with self._guarded():
            row = self._db.execute("SELECT count(*) FROM calls WHERE key = ?", (key,)).fetchone()
        return int(row[0])

    def totals(self) -> tuple[Totals, ...]:
        """Sums over all rows, by role, model, outcome and finality."""
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

    def spend(self, prices: Mapping[str, Prices]) -> Spend:
        """What the run has used; ``prices`` are USD per million tokens, by model spec."""
        return Ledger(prices, self.totals()).spend()

    def close(self) -> None:
        """Close the file; nothing is pending, since every row was committed."""
        self._db.close()

    def _find(self, column: str, key: str) -> Stored | None:
        with self._guarded():
            row = self._db.execute(
                f"{_FOUND} WHERE {column} = ? AND outcome = 'ok' ORDER BY settled DESC, id DESC LIMIT 1",
                (key,),
            ).fetchone()
        if row is None:
            return None
        row_id, found_key, text, reasoning, returned_model, settled, *sums = row
        return Stored(row_id, found_key, text, reasoning, returned_model, bool(settled), _totals(sums))

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise _explained(error, self.path) from error


def _totals(row: Sequence[Any]) -> Totals:
    return Totals(Role(row[0]), row[1], Outcome(row[2]), bool(row[3]), bool(row[4]), *map(int, row[5:]))


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    if not read_only:
        return sqlite3.connect(path, isolation_level=None)
    if not path.is_file():
        raise RunDirectoryError(f"{path}: no such journal; is this a run directory?")
    # Without a log beside it the file is whole; read like this it needs no helper files, and leaves none.
    whole = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{whole}", uri=True, isolation_level=None)


def _prepare(db: sqlite3.Connection, path: Path, read_only: bool) -> None:
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    application = int(db.execute("PRAGMA application_id").fetchone()[0])
    tables = int(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if application != APPLICATION_ID and (tables or version or read_only):
        raise RunDirectoryError(f"{path}: not a SaliTrap journal; choose another run directory")
    if version > len(MIGRATIONS):
        raise RunDirectoryError(
            f"{path}: written by a newer SaliTrap (schema {version}, this one knows "
            f"{len(MIGRATIONS)}); upgrade, or choose another run directory"
        )
    if read_only:
        return
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", f"cache_size = -{_CACHE_KIB}"):
        db.execute(f"PRAGMA {pragma}")
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        pragmas = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number};"
        db.executescript(f"BEGIN; {script}; {pragmas} COMMIT;")


def _explained(error: Exception, path: Path) -> Exception:
    text = str(error)
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    if full or any(sign in text.lower() for sign in _FULL):
        return DiskFull(
            f"{path}: no room left to write ({text}); free some space and run the same command again"
        )
    if "locked" in text:
        return RunDirectoryError(
            f"{path}: in use by another process; wait for it, or choose another run directory"
        )
    return RunDirectoryError(f"{path}: cannot be used as a journal ({text}); choose another run directory")
