"""All checks of a run directory, in an order in which the first finding says most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from curation.directory import Layout, read_revisions
from curation.integrity.events import chain_findings, id_findings
from curation.integrity.files import EventList, database_findings, read_list, tail_findings
from curation.integrity.findings import RunFault, RunFinding
from curation.integrity.references import call_findings, reference_findings
from curation.integrity.view import sum_findings, view_findings
from curation.registry import NAME, Registry
from curation.registry.chain import is_chained

Told = Callable[[str], None]


def verify_run(directory: Path, tell: Told = lambda step: None) -> tuple[RunFinding, ...]:
    """Check a run directory; an empty result means that it is whole. Nothing in it is changed.

    ``tell`` hears which check begins. A file that SQLite cannot read ends the checks that need it. The
    checks look at a copy of the registry, made at one moment in the system's folder for temporary files and
    removed afterwards: a process that writes meanwhile does not matter, and an older version is migrated
    in the copy only.

    Raises:
        RunDirectoryError: no run here, or one of a newer version.
        DiskFull: no room for the copy.
    """
    layout = Layout(directory)
    layout.require()
    read_revisions(layout)
    tell("files")
    registry, journal = (tuple(database_findings(path)) for path in (layout.registry, layout.journal))
    if registry:
        return (*registry, *journal)
    listed = read_list(layout.events)  # before the copy: a list that is newer than it could not be compared
    with TemporaryDirectory() as folder, closing(_copied(layout, listed, Path(folder) / NAME)) as opened:
        found = list(_of_registry(listed, opened, tell))
        if not journal:
            tell("calls")
            found += call_findings(opened, layout.journal)
    return (*found, *journal)


def _copied(layout: Layout, listed: EventList | None, copy: Path) -> Registry:
    """A copy to look at. A kill amid the migration of an older file leaves no hashes: the copy gets them."""
    registry = Registry.open_copy(layout.registry, copy)
    if is_chained(registry.connection) or (listed is not None and listed.hash is not None):
        return registry
    registry.close()
    Registry.open(copy).close()
    return Registry.open_reader(copy)


def _of_registry(listed: EventList | None, registry: Registry, tell: Told) -> Iterator[RunFinding]:
    checks: tuple[tuple[str, Callable[[], Iterator[RunFinding]]], ...] = (
        ("chain of events", lambda: chain_findings(registry)),
        ("lists", lambda: tail_findings(listed, registry)),
        ("ids", lambda: id_findings(registry)),
        ("references", lambda: reference_findings(registry)),
        ("view", lambda: view_findings(registry)),
    )
    readable = True
    for step, check in checks:
        tell(step)
        for finding in check():
            readable = readable and finding.fault is not RunFault.WRONG_ID
            yield finding
    if readable:
        tell("sums")
        yield from sum_findings(registry)
