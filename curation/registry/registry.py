"""The registry's one writer: batches in, one transaction each."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from curation.registry.chain import COVERED, START, complete, head_of, is_chained, link
from curation.registry.events import Batch, Event, EventKind
from curation.registry.faults import PRIMARY_CODE, translated
from curation.registry.schema import MIGRATIONS, migrate, refuse_newer, version_of
from curation.registry.view import StoredEvent, apply, clear, stored_json
from salitrap.errors import RunDirectoryError
from salitrap.records import Language, Stage

NAME = "registry.sqlite"
BUSY_SECONDS = 10.0
_MARKS = ", ".join("?" * (len(COVERED) + 1))
_INSERT = f"INSERT OR IGNORE INTO events ({', '.join(COVERED)}, hash) VALUES ({_MARKS})"


class Registry:
    """``registry.sqlite`` open for reading, and for writing by the process that holds the lock."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection, self.path = connection, path
        self._head = START

    @classmethod
    def open(cls, path: Path) -> Registry:
        """Open for writing; creates or migrates the file.

        Raises:
            RunDirectoryError: newer, damaged, or not to be opened.
            DiskFull: it cannot be written.
        """
        with translated(path):
            connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            registry = cls(connection, path)
            if migrate(connection, str(path)) or not is_chained(connection):
                registry.upgrade()
        return registry

    @classmethod
    def open_reader(cls, path: Path) -> Registry:
        """Open for reading, also while another process writes; an older file is migrated first.

        Raises:
            RunDirectoryError: missing, newer or damaged.
        """
        if not path.is_file():
            raise RunDirectoryError(f"{path}: not there; start a run in this directory first")
        with translated(path):
            connection = _read_only(path)
            version = version_of(connection)
            refuse_newer(version, str(path))
        if version == len(MIGRATIONS):
            return cls(connection, path)
        connection.close()
        cls.open(path).close()
        return cls.open_reader(path)

    @classmethod
    def open_copy(cls, path: Path, copy: Path) -> Registry:
        """Copy the file as it stands at one moment, and open the copy for reading; ``path`` is not changed.

        Another process may write meanwhile. Of an older file only the copy is migrated.

        Raises:
            RunDirectoryError: newer or damaged.
            DiskFull: the copy could not be written.
        """
        with translated(path), closing(_read_only(path)) as source:
            refuse_newer(version_of(source), str(path))
            with translated(copy), closing(sqlite3.connect(copy)) as target:
                source.backup(target)
        return cls.open_reader(copy)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def write(self, batch: Batch) -> bool:
        """Append a batch and bring the view up to date, all or nothing.

        Writing what the view already says changes nothing; the result tells whether it did.

        Raises:
            DiskFull: the file could not be written; nothing of the batch is in it.
        """
        digest = batch.digest
        if batch.replace and self._holds(batch, digest):
            return False
        with translated(self.path), self._transaction():
            self._append(batch, digest)
        return True

    def set_targets(self, targets: Mapping[tuple[str, Language], int]) -> None:
        """Say how many seeds each cell wants; seeds beyond it are set aside, not deleted.

        Raises:
            DiskFull: the file could not be written.
        """
        rows = [(tag, language.value, target) for (tag, language), target in targets.items()]
        with translated(self.path), self._transaction():
            self.connection.execute("DELETE FROM cells")
            self.connection.executemany("INSERT INTO cells VALUES (?, ?, ?)", rows)

    def replay(self) -> None:
        """Rebuild the current view from the events."""
        query = (
            "SELECT fingerprint, batch, stage, seed_id, payload FROM events WHERE kind = 'state' ORDER BY seq"
        )
        with self._transaction():
            for fingerprint, digest, stage, seed_id, payload in self.connection.execute(query).fetchall():
                self._show(Stage(stage), fingerprint, digest, seed_id, json.loads(payload))

    def upgrade(self) -> None:
        """After a migration: the view that the events give now, and last of all hashes for older events."""
        self.replay()
        with self._transaction():
            complete(self.connection)

    def _holds(self, batch: Batch, digest: str) -> bool:
        query = "SELECT 1 FROM seed_state WHERE stage = ? AND seed_id = ? AND fingerprint = ? AND digest = ?"
        key = (batch.stage, batch.seed_id or "", batch.fingerprint, digest)
        return self.connection.execute(query, key).fetchone() is not None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, whatever goes wrong inside."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.execute("COMMIT")
        except BaseException:  # also Ctrl-C: half a transaction must not stay open; it is raised again
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def _append(self, batch: Batch, digest: str) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._head = head_of(self.connection)
        for event in batch.events:
            self._insert(batch, digest, event, now)
        told = {"state": batch.state.value, "replace": batch.replace, "summary": batch.summary}
        subject = batch.seed_id or batch.stage.value
        number = self._states_so_far(batch)
        self._insert(batch, digest, Event(EventKind.STATE, subject, told, batch.seed_id, str(number)), now)
        self._show(batch.stage, batch.fingerprint, digest, batch.seed_id, told)

    def _insert(self, batch: Batch, digest: str, event: Event, now: str) -> None:
        head = (now, batch.fingerprint, digest, batch.stage.value, event.kind.value, event.subject_id)
        row = (*head, event.seed_id, event.place, stored_json(event.payload))
        made = link(self._head, row)
        if self.connection.execute(_INSERT, (*row, made)).rowcount == 1:
            self._head = made

    def _states_so_far(self, batch: Batch) -> int:
        query = "SELECT COUNT(*) FROM events WHERE subject_id = ? AND kind = 'state' AND stage = ?"
        key = (batch.seed_id or batch.stage.value, batch.stage)
        (number,) = self.connection.execute(query, key).fetchone()
        return int(number)

    def _show(
        self, stage: Stage, fingerprint: str, digest: str, seed_id: str | None, told: Mapping[str, object]
    ) -> None:
        if told["replace"]:
            clear(self.connection, stage, seed_id)
        for event in self._stored(fingerprint, digest):
            apply(self.connection, event)
        row = (stage, seed_id or "", told["state"], digest, fingerprint, stored_json(told["summary"]))
        self.connection.execute("INSERT OR REPLACE INTO seed_state VALUES (?, ?, ?, ?, ?, ?)", row)

    def _stored(self, fingerprint: str, digest: str) -> list[StoredEvent]:
        query = (
            "SELECT stage, kind, subject_id, seed_id, place, payload FROM events"
            " WHERE fingerprint = ? AND batch = ? AND kind <> 'state' ORDER BY seq"
        )
        rows = self.connection.execute(query, (fingerprint, digest)).fetchall()
        return [
            StoredEvent(
                fingerprint, Stage(stage), EventKind(kind), subject, seed_id, place, json.loads(payload)
            )
            for stage, kind, subject, seed_id, place, payload in rows
        ]


def _read_only(path: Path) -> sqlite3.Connection:
    """Read-only connection; where SQLite cannot make its helper files, it is told that nobody writes."""
    address = path.resolve().as_uri()
    connection = sqlite3.connect(f"{address}?mode=ro", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & PRIMARY_CODE not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        _refuse_unmerged(path)
        connection = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, isolation_level=None)
    return connection


def _refuse_unmerged(path: Path) -> None:
    """Stop where the newest rows stand in a helper file that cannot be read from here.

    Raises:
        RunDirectoryError: there is such a file and it is not empty.
    """
    beside = path.with_name(f"{path.name}-wal")
    if beside.is_file() and beside.stat().st_size:
        raise RunDirectoryError(
            f"{path}: its newest rows are still in {beside.name}, which cannot be read in a folder without "
            "the right to write; copy the folder and look at the copy"
        )
