"""The next version from a hardening's run directory."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from curation.directory import Layout, read_revisions
from curation.funnel import funnel_of
from curation.hardening import Hardened, Release, hardened_of
from curation.registry import Registry
from curation.registry.progress import last_change
from exports.calibration.standing import standing_of_run
from exports.dataset.facts import ReleaseFacts
from exports.from_run import MEND, facts_of
from exports.hardening.build import BuiltHardening, build_hardened
from exports.hardening.report import HardeningReport, report_of
from exports.hardening.source import SourceRelease
from salitrap.records.base import Record
from salitrap.settings import Settings


class HardeningRun(Record):
    """What a run directory says of a hardening that came to its end.

    ``changed_on`` is the day of the newest event: the day of the next version unless the user names one.
    """

    hardened: Hardened
    settings: Settings
    facts: ReleaseFacts
    changed_on: str


def read_hardening(directory: Path, release: Release) -> HardeningRun:
    """Read the outcome from the registry.

    Raises:
        RunDirectoryError: no run here, damaged, or written by a newer version.
        KeyError: an item was not answered by the pool yet.
    """
    layout = Layout(directory)
    revision = read_revisions(layout)[-1]
    with closing(Registry.open_reader(layout.registry)) as registry:
        hardened = hardened_of(registry, release, revision.settings)
        funnel, changed = funnel_of(registry), last_change(registry)
    made = [one.item for one in hardened.new]
    facts = facts_of(revision, funnel, made, standing_of_run(directory, MEND))
    return HardeningRun(
        hardened=hardened, settings=revision.settings, facts=facts, changed_on=changed or revision.at[:10]
    )


def build_next(
    source: SourceRelease, run: HardeningRun, *, out: Path, date: str | None = None
) -> BuiltHardening:
    """Build the version after ``source`` in ``out``; see ``build_hardened``."""
    return build_hardened(source, run.hardened, run.facts, run.settings, out=out, date=date or run.changed_on)


def report_without_version(source: SourceRelease, run: HardeningRun) -> HardeningReport:
    """The report of a hardening after which the release stands."""
    return report_of(run.hardened, run.settings, source.manifest.version, source.revision)
