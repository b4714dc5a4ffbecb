"""The databases themselves, and the lists beside them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from curation.integrity.findings import RunFault, RunFinding
from curation.registry import Registry
from curation.registry.chain import given_out
from curation.registry.registry import NAME

EVENTS = "events.jsonl"


def database_findings(path: Path) -> Iterator[RunFinding]:
    """What SQLite itself says of a file; the first few lines."""
    if not path.is_file():
        yield RunFinding(
            fault=RunFault.MISSING_FILE, path=path.name, subject="", message="the file is missing"
        )
        return
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            told = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
    except sqlite3.DatabaseError as error:
        told = [str(error)]
    for line in told:
        if line != "ok":
            yield RunFinding(fault=RunFault.DAMAGED_FILE, path=path.name, subject="", message=line)


@dataclass(frozen=True, slots=True)
class EventList:
    """What ``events.jsonl`` says: its number of lines, and number and hash of its last event.

    ``hash`` is None where a version without hashes wrote it, ``seq`` where the last line cannot be read.
    """

    lines: int
    seq: int | None
    hash: str | None


def read_list(path: Path) -> EventList | None:
    """Read the list of events; None when there is none, or an empty one."""
    lines, last = 0, b""
    try:
        with path.open("rb") as file:
            for line in file:
                lines, last = lines + 1, line
    except FileNotFoundError:
        return None
    return EventList(lines, *_number_and_hash(last)) if lines else None


def _number_and_hash(line: bytes) -> tuple[int | None, str | None]:
    try:
        found = json.loads(line)
    except ValueError:
        return None, None
    if not isinstance(found, dict) or not isinstance(found.get("seq"), int):
        return None, None
    return found["seq"], found.get("hash")


def tail_findings(listed: EventList | None, registry: Registry) -> Iterator[RunFinding]:
    """The newest event must be the last that was written, and that of ``events.jsonl`` must be there.

    The file is written when a process ends; after a kill it is older than the registry, which is sound.
    """
    there, given = given_out(registry.connection)
    if there != given:
        told = f"the last event written was {given}, the registry ends with {there}"
        yield _finding(RunFault.TAIL_CUT, NAME, given, told)
    if listed is not None:
        yield from _list_findings(listed, registry)


def _list_findings(listed: EventList, registry: Registry) -> Iterator[RunFinding]:
    """The list is what the registry held when it was written: as many events, the last with the same hash."""
    if listed.seq is None or (listed.hash is None and not _older(registry, listed.seq)):
        told = f"line {listed.lines} is no event with a number and a hash"
        yield _finding(RunFault.LIST_DIFFERS, EVENTS, listed.lines, told)
        return
    query = "SELECT hash FROM events WHERE seq = ?"
    row = registry.connection.execute(query, (listed.seq,)).fetchone()
    if row is None or listed.hash not in (None, row[0]):
        told = f"event {listed.seq} of {EVENTS} is not in the registry as it was"
        yield _finding(RunFault.TAIL_CUT, NAME, listed.seq, told)
        return
    query = "SELECT COUNT(*) FROM events WHERE seq <= ?"
    (there,) = registry.connection.execute(query, (listed.seq,)).fetchone()
    if listed.lines != there:
        told = f"{listed.lines} lines up to event {listed.seq}, the registry has {there} events up to it"
        yield _finding(RunFault.LIST_DIFFERS, EVENTS, listed.seq, told)


def _older(registry: Registry, seq: int) -> bool:
    """True for an event that had no hash when it was written, but got one later."""
    query = "SELECT 1 FROM chained WHERE seq >= ?"
    return registry.connection.execute(query, (seq,)).fetchone() is not None


def _finding(fault: RunFault, path: str, subject: int, told: str) -> RunFinding:
    return RunFinding(fault=fault, path=path, subject=str(subject), message=told)
