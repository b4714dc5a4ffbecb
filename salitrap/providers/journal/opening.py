"""Open ``journal.sqlite``: ours or refused, at this version, and every failure explained."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from salitrap.errors import DiskFull, RunDirectoryError
from salitrap.providers.journal.schema import APPLICATION_ID, MIGRATIONS

_FULL = ("database or disk is full", "disk i/o error")
_CACHE_KIB = 4096


def connect(path: Path, read_only: bool) -> sqlite3.Connection:
    """Open the file; a reader neither creates it nor leaves anything beside it.

    Raises:
        RunDirectoryError: a reader finds no file.
    """
    if not read_only:
        return sqlite3.connect(path, isolation_level=None)
    if not path.is_file():
        raise RunDirectoryError(f"{path}: no such journal; is this a run directory?")
    # Without a log beside it the file is whole; read like this it needs no helper files, and leaves none.
    whole = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{whole}", uri=True, isolation_level=None)


def begun(path: Path) -> bool:
    """False for a file without tables: nothing could be recorded yet.

    Raises:
        RunDirectoryError: there is none, or it cannot be read.
    """
    try:
        with closing(connect(path, read_only=True)) as db:
            return bool(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    except sqlite3.Error as error:
        raise explained(error, path) from error


def prepare(db: sqlite3.Connection, path: Path, read_only: bool, columns: Sequence[str]) -> bool:
    """Bring the tables to this version; a reader sees what is lacking as empty tables and null ``columns``.

    Returns False to a reader of a file without tables: its process was killed before it wrote any.

    Raises:
        RunDirectoryError: not a journal of ours, or of a newer version.
    """
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    application = int(db.execute("PRAGMA application_id").fetchone()[0])
    tables = int(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if application != APPLICATION_ID and (tables or version):
        raise RunDirectoryError(f"{path}: not a SaliTrap journal; choose another run directory")
    if version > len(MIGRATIONS):
        raise RunDirectoryError(
            f"{path}: written by a newer SaliTrap (schema {version}, this one knows "
            f"{len(MIGRATIONS)}); upgrade, or choose another run directory"
        )
    if read_only:
        _fill_in(db, columns)
        return bool(tables)
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", f"cache_size = -{_CACHE_KIB}"):
        db.execute(f"PRAGMA {pragma}")
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        pragmas = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number};"
        db.executescript(f"BEGIN; {script}; {pragmas} COMMIT;")
    return True


def _fill_in(db: sqlite3.Connection, columns: Sequence[str]) -> None:
    """Show a reader tables that an older journal lacks as empty, columns as null; the file stays as it is."""
    known = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for name, statement in _tables():
        if name not in known:
            db.execute(statement.replace("CREATE TABLE", "CREATE TEMP TABLE", 1))
    there = {row[1] for row in db.execute("PRAGMA table_info(calls)")}
    if lacking := [name for name in columns if name not in there]:
        nulls = ", ".join(f"NULL AS {name}" for name in lacking)
        db.execute(f"CREATE TEMP VIEW calls AS SELECT *, {nulls} FROM main.calls")


def _tables() -> list[tuple[str, str]]:
    """Name and statement of every table as it is at this version."""
    with closing(sqlite3.connect(":memory:")) as blank:
        for script in MIGRATIONS:
            blank.executescript(script)
        return blank.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()


def explained(error: Exception, path: Path) -> Exception:
    """A failure of the database as ours, with the path and what to do."""
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
