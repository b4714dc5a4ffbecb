"""The next version's folder: kept rows as they are, revisions and new items, and what was retired."""

from __future__ import annotations

from pathlib import Path

from curation.hardening import Hardened
from exports.dataset.build import BuiltDataset
from exports.dataset.card import is_simulated
from exports.dataset.changelog import with_entry
from exports.dataset.contents import folder_contents
from exports.dataset.dialogue_rows import DialogueSelection
from exports.dataset.disk import disk_faults, replacing, write_file
from exports.dataset.existing import inspect_place, require_higher
from exports.dataset.facts import ReleaseFacts
from exports.dataset.release import Release, checked_release
from exports.dataset.screening import screen_release
from exports.dataset.splits import skipped_splits, split_rows
from exports.dataset.table import composition
from exports.hardening.changes import changes_text
from exports.hardening.report import FILE, HardeningReport, additions_of, report_bytes, report_of
from exports.hardening.rows import fresh_rows, selection_of, settled
from exports.hardening.source import SourceRelease
from exports.hardening.version import next_version
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.settings import Settings


class BuiltHardening(Record):
    """The folder that was written, and the report in it."""

    built: BuiltDataset
    report: HardeningReport


def build_hardened(
    source: SourceRelease,
    hardened: Hardened,
    facts: ReleaseFacts,
    settings: Settings,
    *,
    out: Path,
    date: str,
) -> BuiltHardening:
    """Build the version that follows ``source``; its folder is only read.

    Kept rows do not change. A revision that cannot be published leaves its parent as it was: retired if it is
    solved, kept otherwise. Dialogues are carried over.

    Raises:
        InputError: nothing changed, nothing is left to publish, the date is none, ``out`` cannot be used, or
            the screening blocks a text where it is to refuse.
        DiskFull: there was no space; ``out`` is as it was.
    """
    place = out.resolve()
    if place == source.folder.resolve():
        raise InputError(f"{out}: holds the release itself; give --out another folder")
    existing = inspect_place(place)
    screened = screen_release([one.item for one in additions_of(hardened)], (), settings.screening)
    fresh = fresh_rows(source, hardened, screened, _release(source, source.manifest.version, date))
    final = settled(hardened, {item.item_id for item in fresh.items})
    release = _release(source, next_version(source.manifest.version, final), date)
    report = report_of(final, settings, source.manifest.version, source.revision)
    selection = selection_of(source, final, release, fresh, settings)
    splits = split_rows(selection.items, release.dev_share)
    talks = DialogueSelection(rows=source.dialogues, retired=source.retired_dialogues)
    told = facts.model_copy(update={"screening": screened.counts, "funnel": _funnel(report)})
    files = folder_contents(
        release,
        told,
        selection,
        splits,
        talks,
        changelog=with_entry(release, changes_text(report, len(source.dialogues)), source.changelog),
        notes=existing.notes,
        more={FILE: report_bytes(report)},
    )
    require_higher(place, existing, release.version, files)
    with disk_faults(place), replacing(place) as folder:
        for path, content in files.items():
            write_file(folder / path, content)
    built = BuiltDataset(
        path=out,
        version=release.version,
        splits={split.value: len(held) for split, held in splits.items()},
        simulated=is_simulated((*selection.items, *talks.rows), told),
        composition=composition(selection.items, told.dimensions),
        dialogues=len(talks.rows),
        withheld=selection.withheld,
        screening=screened.counts,
        notices=(*skipped_splits(splits, release.dev_share), *screened.notices),
        files=tuple(sorted(files)),
    )
    return BuiltHardening(built=built, report=report)


def _release(source: SourceRelease, version: str, date: str) -> Release:
    manifest = source.manifest
    release = checked_release(manifest.name, version, manifest.license, manifest.dev_share, date)
    kept_back = {"holdout_share": manifest.holdout_share, "is_holdout": manifest.is_holdout}
    return release.model_copy(update=kept_back)


def _funnel(report: HardeningReport) -> tuple[tuple[str, int], ...]:
    counts = report.counts
    return (
        (f"items of version {report.since}", counts.released),
        ("kept", counts.kept),
        ("revised", counts.revised),
        ("retired", counts.retired),
        ("new", counts.new),
    )
