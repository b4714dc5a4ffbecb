"""The hash chain over the events: each row's hash covers what it says and the hash of the row before.

A row that is changed, taken out, moved or put in breaks the chain at that place. The newest hash also stands
in ``events.jsonl``, which is written when a process ends, so that a tail that was cut off is noticed too.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence

START = ""
"""What stands before the first event."""

COVERED = ("at", "fingerprint", "batch", "stage", "kind", "subject_id", "seed_id", "place", "payload")
"""Columns that the hash covers, in order."""

BEFORE_ALL = -(2**63)
"""Smaller than the number of any event."""

_PAGE = f"SELECT seq, hash, {', '.join(COVERED)} FROM events WHERE seq > ? ORDER BY seq LIMIT 1000"
_IN_ORDER = f"SELECT seq, hash, {', '.join(COVERED)} FROM events ORDER BY seq"


def link(before: str, row: Sequence[object]) -> str:
    """Hex SHA-256 of the hash before and of the covered columns of a row."""
    told = json.dumps([before, *row], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(told.encode("ascii")).hexdigest()


def head_of(connection: sqlite3.Connection) -> str:
    """The hash of the newest event, ``START`` when there is none."""
    row = connection.execute("SELECT hash FROM events ORDER BY seq DESC LIMIT 1").fetchone()
    return row[0] if row else START


def is_chained(connection: sqlite3.Connection) -> bool:
    """False for a file whose events have no hashes yet; they get them all at once."""
    row = connection.execute("SELECT hash FROM events ORDER BY seq LIMIT 1").fetchone()
    return row is None or row[0] is not None


def complete(connection: sqlite3.Connection) -> int:
    """Give rows of an older file their hashes, a page at a time; returns how many.

    The caller's transaction makes it all or nothing.
    """
    if connection.execute("SELECT 1 FROM events WHERE hash IS NULL LIMIT 1").fetchone() is None:
        return 0
    before, after, count = START, BEFORE_ALL, 0
    while rows := connection.execute(_PAGE, (after,)).fetchall():
        made = list[tuple[str, int]]()
        for after, _, *told in rows:
            before = link(before, told)
            made.append((before, after))
        connection.executemany("UPDATE events SET hash = ? WHERE seq = ?", made)
        count += len(made)
    connection.execute("INSERT INTO chained (seq, events) VALUES (?, ?)", (after, count))
    return count


def given_out(connection: sqlite3.Connection) -> tuple[int, int]:
    """The highest number of an event that is there, and the highest that was ever given out.

    They are equal: a batch ends with a row of its own. Numbers in between may be missing, since a row that
    is there already uses one up.
    """
    (there,) = connection.execute("SELECT COALESCE(MAX(seq), 0) FROM events").fetchone()
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
    return int(there), int(row[0]) if row else 0


def breaks(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """Yield (seq, kind, subject) of every event whose hash does not follow from it and the one before.

    After a break the chain goes on from the hash that stands there, so that one change is one break.
    """
    before = START
    for row in connection.execute(_IN_ORDER):
        seq, found, *told = row
        if found != link(before, told):
            yield seq, str(told[4]), str(told[5])
        before = found if isinstance(found, str) else START
