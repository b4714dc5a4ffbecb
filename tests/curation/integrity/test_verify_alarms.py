"""No false alarm: runs that were killed, are being written, or come from an older version."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from curation.integrity import verify_run, view
from curation.integrity.view import VIEW
from curation.registry import Batch, Registry
from curation.registry.chain import breaks, complete
from salitrap.errors import ExitCode
from salitrap.records import Stage
from tests.cli.helpers import environment, salitrap

OLDER = (
    "ALTER TABLE events DROP COLUMN hash; DROP TABLE chained; DROP TABLE recertified;"
    " PRAGMA user_version = 5;"
)
KILLED = """
import os, signal, sys
from pathlib import Path
from curation.registry import Registry
registry = Registry.open(Path(sys.argv[1]))
registry.connection.execute("PRAGMA cache_size = 1")
registry.connection.execute("BEGIN IMMEDIATE")
registry.connection.execute("DELETE FROM candidates")
registry.connection.execute("UPDATE events SET payload = payload || ' '")
os.kill(os.getpid(), signal.SIGKILL)
"""


def older(run: Path) -> None:
    """Make the registry one of the version before the chain."""
    with closing(sqlite3.connect(run / "registry.sqlite")) as connection:
        connection.executescript(OLDER)


def extend(run: Path) -> None:
    """Write one more batch, as a process at work does."""
    with closing(Registry.open(run / "registry.sqlite")) as registry:
        (seed,) = registry.connection.execute("SELECT seed_id FROM seeds").fetchone()
        assert registry.write(Batch(Stage.REVIEW, "later", (), seed, replace=False))


def test_a_kill_amid_a_transaction_leaves_a_sound_run(run: Path) -> None:
    (run / "events.jsonl").unlink()
    path = run / "registry.sqlite"
    done = subprocess.run([sys.executable, "-c", KILLED, path], env=environment(), check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert path.with_name("registry.sqlite-wal").stat().st_size > 0
    assert verify_run(run) == ()


def test_a_run_is_sound_after_each_of_its_first_and_last_batches(run: Path) -> None:
    (run / "events.jsonl").unlink()
    with closing(Registry.open(run / "registry.sqlite")) as registry:
        query = "SELECT seq FROM events WHERE kind = 'state' ORDER BY seq DESC"
        ends = [seq for (seq,) in registry.connection.execute(query)]
    for end in (*ends[:6], *ends[-4:]):
        _cut_back(run / "registry.sqlite", end)
        assert verify_run(run) == (), f"up to event {end}"


def _cut_back(path: Path, end: int) -> None:
    """Bring a registry back to where it stood after an event."""
    with closing(Registry.open(path)) as registry:
        registry.connection.execute("DELETE FROM events WHERE seq > ?", (end,))
        registry.connection.execute("UPDATE sqlite_sequence SET seq = ?", (end,))
        for table in VIEW:
            registry.connection.execute(f"DELETE FROM {table}")
        registry.replay()


def test_a_batch_written_between_copy_and_comparison_is_no_finding(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guards: the view of now was compared with the events of a moment before."""
    replayed = view._replayed

    def meanwhile(copy: Path) -> str | None:
        extend(run)
        return replayed(copy)

    monkeypatch.setattr(view, "_replayed", meanwhile)
    assert verify_run(run) == ()


def test_a_row_written_again_uses_up_a_number_and_that_is_sound(run: Path) -> None:
    with closing(Registry.open(run / "registry.sqlite")) as registry:
        columns = "at, fingerprint, batch, stage, kind, subject_id, seed_id, place, payload"
        again = f"INSERT OR IGNORE INTO events ({columns}) SELECT {columns} FROM events WHERE seq = 2"
        registry.connection.execute("BEGIN")
        registry.connection.execute(again)
        registry.connection.execute("COMMIT")
    extend(run)
    with closing(sqlite3.connect(run / "registry.sqlite")) as connection:
        there, newest = connection.execute("SELECT COUNT(*), MAX(seq) FROM events").fetchone()
    assert newest > there
    assert verify_run(run) == ()


class TestOlder:
    def test_it_is_sound_and_stays_as_it_is(self, run: Path) -> None:
        """Guards: verify migrated the file that it was asked to look at."""
        (run / "events.jsonl").unlink()
        older(run)
        before = (run / "registry.sqlite").read_bytes()
        assert verify_run(run) == ()
        assert (run / "registry.sqlite").read_bytes() == before

    def test_once_migrated_it_is_sound_and_says_up_to_where(self, run: Path) -> None:
        (run / "events.jsonl").unlink()
        older(run)
        with closing(Registry.open(run / "registry.sqlite")) as registry:
            (newest,) = registry.connection.execute("SELECT MAX(seq) FROM events").fetchone()
            assert registry.connection.execute("SELECT seq FROM chained").fetchall() == [(newest,)]
        assert verify_run(run) == ()

    def test_a_kill_amid_the_migration_is_sound(self, run: Path) -> None:
        (run / "events.jsonl").unlink()
        with closing(sqlite3.connect(run / "registry.sqlite")) as connection:
            connection.execute("UPDATE events SET hash = NULL")
            connection.commit()
        assert verify_run(run) == ()

    def test_hashes_are_made_over_the_border_of_a_page(self) -> None:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(
                "CREATE TABLE chained (seq, events); CREATE TABLE events (seq INTEGER PRIMARY KEY, hash, at,"
                " fingerprint, batch, stage, kind, subject_id, seed_id, place, payload)"
            )
            connection.executemany(
                "INSERT INTO events (seq, at) VALUES (?, 'x')", [(n,) for n in range(2001)]
            )
            assert complete(connection) == 2001
            assert list(breaks(connection)) == []
            assert complete(connection) == 0


def test_a_newer_registry_ends_the_command_with_2(run: Path) -> None:
    with closing(sqlite3.connect(run / "registry.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 999")
    told = salitrap("verify", run)
    assert told.returncode == ExitCode.USAGE
    assert "newer salitrap" in told.stderr
