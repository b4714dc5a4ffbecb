"""``embeddings.sqlite`` of a run: every vector that was paid for, and what each request cost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from salitrap.errors import DiskFull, RunDirectoryError
from salitrap.providers.money.price import price_from
from salitrap.providers.money.spend import Totals
from salitrap.records import Role
from salitrap.records.enums import Outcome
from salitrap.records.ids import sha256_text

Vector = NDArray[np.float32]
"""An embedding as the endpoint gave it, shape (dimensions,)."""

APPLICATION_ID = 0x53414C45
SCHEMA = """
CREATE TABLE vectors (
    model TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, sha256)
) WITHOUT ROWID;
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    address TEXT NOT NULL,
    outcome TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    charged_input INTEGER NOT NULL,
    price_input REAL,
    price_date TEXT
);
"""
_FULL = ("database or disk is full", "disk i/o error")


class VectorStore:
    """Vectors by model and SHA-256 of the text. ``model`` names all that a vector depends on besides."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            RunDirectoryError: it is no file of ours, or in use.
            DiskFull: it cannot be written.
        """
        self.path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._prepare()
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def find(self, model: str, text: str) -> Vector | None:
        """The vector of a text, None when it was never asked for."""
        query = "SELECT vector FROM vectors WHERE model = ? AND sha256 = ?"
        row = self._db.execute(query, (model, sha256_text(text))).fetchone()
        return None if row is None else np.frombuffer(row[0], dtype="<f4").astype(np.float32)

    def keep(self, model: str, texts: Sequence[str], vectors: Iterable[Vector]) -> None:
        """Store the vectors of ``texts``; what is there already stays.

        Raises:
            DiskFull, RunDirectoryError: the file cannot be written.
        """
        rows = [
            (model, sha256_text(text), vector.astype("<f4").tobytes())
            for text, vector in zip(texts, vectors, strict=True)
        ]
        self._write("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)

    def record(self, entry: Totals) -> None:
        """Keep what a request cost.

        Raises:
            DiskFull, RunDirectoryError: the file cannot be written.
        """
        price = entry.price
        row = (
            entry.model,
            entry.address,
            entry.outcome.value,
            entry.input_tokens,
            entry.charged_input,
            None if price is None else price.input,
            None if price is None else price.dated,
        )
        names = "model, address, outcome, input_tokens, charged_input, price_input, price_date"
        self._write(f"INSERT INTO requests ({names}) VALUES (?, ?, ?, ?, ?, ?, ?)", [row])

    def totals(self) -> list[Totals]:
        """What all requests cost, one entry each, for the ledger of a process that goes on with the run."""
        return _totals(self._db)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _prepare(self) -> None:
        application = int(self._db.execute("PRAGMA application_id").fetchone()[0])
        tables = int(self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        if application == APPLICATION_ID:
            return
        if application or tables:
            raise RunDirectoryError(
                f"{self.path}: not a SaliTrap file of embeddings; choose another directory"
            )
        self._db.executescript(f"BEGIN; {SCHEMA} PRAGMA application_id = {APPLICATION_ID}; COMMIT;")

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                self._db.executemany(statement, rows)
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def _explained(self, error: sqlite3.Error) -> Exception:
        if any(sign in str(error).lower() for sign in _FULL):
            return DiskFull(
                f"{self.path}: no room left to write ({error}); free some space and run the command again"
            )
        return RunDirectoryError(
            f"{self.path}: cannot be used ({error}); close what uses it, or delete it to pay again"
        )


def past_requests(path: Path) -> list[Totals]:
    """What the requests of a run cost, read without writing; none when it has no such file.

    Raises:
        RunDirectoryError: the file is there and cannot be read.
    """
    if not path.is_file():
        return []
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            return _totals(database)
    except sqlite3.Error as error:
        raise RunDirectoryError(f"{path}: cannot be read ({error}); check what uses it") from error


def _totals(database: sqlite3.Connection) -> list[Totals]:
    query = (
        "SELECT model, address, outcome, input_tokens, charged_input, price_input, price_date "
        "FROM requests ORDER BY id"
    )
    return [
        request_totals(model, address, Outcome(outcome), (tokens, charged), (price, dated))
        for model, address, outcome, tokens, charged, price, dated in database.execute(query)
    ]


def request_totals(
    model: str,
    address: str,
    outcome: Outcome,
    tokens: tuple[int, int],
    price: tuple[float | None, str | None],
) -> Totals:
    """One request as the ledger sums it up: ``tokens`` reported and charged, ``price`` with its date.

    It is booked under the checker's role: it is a check of a seed. Embeddings have no output tokens.
    """
    return Totals(
        role=Role.CHECKER,
        model=model,
        address=address,
        outcome=outcome,
        final=True,
        price=price_from(price[0], 0.0, None, price[1]),
        simulated=False,
        attempts=1,
        input_tokens=tokens[0],
        output_tokens=0,
        charged_input=tokens[1],
        charged_output=0,
        cached_input=0,
        cache_written=0,
    )
