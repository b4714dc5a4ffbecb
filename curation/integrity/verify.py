"""All checks of a run directory, in an order in which the first finding says most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from curation.directory import Layout, read_revisions
from curation.integrity.events import chain_findings, id_findings
from curation.integrity.files import database_findings, tail_findings
from curation.integrity.findings import RunFault, RunFinding
from curation.integrity.references import call_findings, reference_findings
from curation.integrity.view import sum_findings, view_findings
from curation.registry import Registry

Told = Callable[[str], None]


def verify_run(directory: Path, tell: Told = lambda step: None) -> tuple[RunFinding, ...]:
    """Check a run directory; an empty result means that it is whole. Nothing in it is changed.

    ``tell`` hears which check begins. A file that SQLite cannot read ends the checks that need it. The
    registry of an older version is migrated first, as by every command that reads one.

    Raises:
        RunDirectoryError: no run here, or one of a newer version.
    """
    layout = Layout(directory)
    layout.require()
    read_revisions(layout)
    tell("files")
    registry, journal = (tuple(database_findings(path)) for path in (layout.registry, layout.journal))
    if registry:
        return (*registry, *journal)
    with closing(Registry.open_reader(layout.registry)) as opened:
        found = list(_of_registry(layout, opened, tell))
        if not journal:
            tell("calls")
            found += call_findings(opened, layout.journal)
    return (*found, *journal)


def _of_registry(layout: Layout, registry: Registry, tell: Told) -> Iterator[RunFinding]:
    checks: tuple[tuple[str, Callable[[], Iterator[RunFinding]]], ...] = (
        ("chain of events", lambda: chain_findings(registry)),
        ("lists", lambda: tail_findings(layout, registry)),
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
