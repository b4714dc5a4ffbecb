"""The databases themselves, and the lists beside them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from curation.directory import Layout
from curation.integrity.findings import RunFault, RunFinding
from curation.registry import Registry
from curation.registry.chain import head_of


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


def tail_findings(layout: Layout, registry: Registry) -> Iterator[RunFinding]:
    """The last line of ``events.jsonl`` must be an event of the registry, with its hash.

    The file is written when a process ends; after a kill it is older than the registry, which is sound.
    """
    last = _last_line(layout.events)
    if last is None or "hash" not in last:
        return
    query = "SELECT hash FROM events WHERE seq = ?"
    row = registry.connection.execute(query, (last["seq"],)).fetchone()
    if row is None or row[0] != last["hash"]:
        told = f"event {last['seq']} of {layout.events.name} is not in the registry as it was"
        yield RunFinding(
            fault=RunFault.TAIL_CUT, path=layout.registry.name, subject=str(last["seq"]), message=told
        )
    elif row[0] == head_of(registry.connection):
        yield from _list_findings(layout, registry)


def _list_findings(layout: Layout, registry: Registry) -> Iterator[RunFinding]:
    """Nothing was written since: the list has exactly the events of the registry."""
    (there,) = registry.connection.execute("SELECT COUNT(*) FROM events").fetchone()
    with layout.events.open("rb") as file:
        lines = sum(1 for _ in file)
    if lines != there:
        told = f"{lines} lines, the registry has {there} events"
        yield RunFinding(fault=RunFault.LIST_DIFFERS, path=layout.events.name, subject="", message=told)


def _last_line(path: Path) -> dict[str, object] | None:
    """The last whole line of a list; None when there is none that can be read."""
    last = b""
    try:
        with path.open("rb") as file:
            for line in file:
                last = line
        found = json.loads(last)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and "seq" in found else None
