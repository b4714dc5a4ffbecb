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
    """Give rows of an older file their hashes, all or nothing; returns how many."""
    rows = connection.execute(_IN_ORDER).fetchall()
    if not any(row[1] is None for row in rows):
        return 0
    before, made = START, list[tuple[str, int]]()
    for seq, _, *told in rows:
        before = link(before, told)
        made.append((before, seq))
    connection.executemany("UPDATE events SET hash = ? WHERE seq = ?", made)
    connection.execute("INSERT INTO chained (seq, events) VALUES (?, ?)", (made[-1][1], len(made)))
    return len(made)


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
