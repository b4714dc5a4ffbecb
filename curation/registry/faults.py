"""SQLite's errors as ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from salitrap.errors import DiskFull, RunDirectoryError, SalitrapError

UNWRITABLE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY})
UNREADABLE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN})
BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
PRIMARY_CODE = 0xFF


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite on ``path`` into the toolkit's.

    Raises:
        DiskFull: the file could not be written.
        RunDirectoryError: the file is damaged, cannot be opened, or is in use.
        SalitrapError: anything else SQLite refuses, which is our fault.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _ours(error, path) from error


def _ours(error: sqlite3.Error, path: Path) -> SalitrapError:
    code = (getattr(error, "sqlite_errorcode", None) or 0) & PRIMARY_CODE
    if code in UNWRITABLE:
        return DiskFull(
            f"{path}: could not be written ({error}); free some space and run the same command again"
        )
    if code in UNREADABLE:
        return RunDirectoryError(
            f"{path}: cannot be read ({error}); restore it from a copy or start a new run"
        )
    if code in BUSY:
        return RunDirectoryError(f"{path}: in use by another process ({error}); wait for it or stop it")
    return SalitrapError(f"{path}: {error}")
