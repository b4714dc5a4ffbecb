"""The current view must be what the events give, and its counts must add up."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from curation.funnel import funnel_of
from curation.integrity.findings import RunFault, RunFinding
from curation.registry import Registry
from curation.registry.registry import NAME

VIEW = (
    "seeds", "waves", "reviews", "rejections", "candidates", "evaluations", "answers", "judgements",
    "decisions", "stability", "items", "seed_state", "viability", "opinions", "labels", "edits", "dialogues",
    "recertified",
)  # fmt: skip
"""Tables that follow from the events alone."""

SHOWN = 20
"""Differing rows of a table that are named."""


def view_findings(registry: Registry) -> Iterator[RunFinding]:
    """Rows that the events do not give, and rows that they give and that are not there.

    The events are played again in a copy on the disk, which is removed afterwards.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder) / NAME
        _copied(registry, copy)
        if (refused := _replayed(copy)) is not None:
            yield RunFinding(fault=RunFault.VIEW_DIFFERS, path=NAME, subject="", message=refused)
            return
        registry.connection.execute("ATTACH DATABASE ? AS replayed", (f"{copy.as_uri()}?mode=ro",))
        try:
            for table in VIEW:
                yield from _differences(registry.connection, table)
        finally:
            registry.connection.execute("DETACH DATABASE replayed")


def sum_findings(registry: Registry) -> Iterator[RunFinding]:
    """Counts of the funnel that do not add up."""
    for told in funnel_of(registry).faults():
        yield RunFinding(fault=RunFault.SUM_WRONG, path=NAME, subject="", message=told)


def _replayed(copy: Path) -> str | None:
    """Play the events of a copy again; why that cannot be done, None when it was."""
    with closing(Registry.open(copy)) as registry:
        for table in VIEW:
            registry.connection.execute(f"DELETE FROM {table}")
        try:
            registry.replay()
        except (ValueError, KeyError, TypeError, sqlite3.Error) as error:
            return f"the events cannot be played again ({type(error).__name__}: {str(error).splitlines()[0]})"
    return None


def _copied(registry: Registry, copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as target:
        registry.connection.backup(target)


def _differences(connection: sqlite3.Connection, table: str) -> Iterator[RunFinding]:
    for told, one, other in (
        ("is there, though the events do not give it", "main", "replayed"),
        ("is not there, though the events give it", "replayed", "main"),
    ):
        query = f"SELECT * FROM {one}.{table} EXCEPT SELECT * FROM {other}.{table} LIMIT {SHOWN}"
        for row in connection.execute(query):
            yield RunFinding(
                fault=RunFault.VIEW_DIFFERS,
                path=NAME,
                subject=str(row[0]),
                message=f"a row of {table} ({row[0]}) {told}",
            )
