"""A new version of a dataset without certain items or dialogues: an erratum, which needs no run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exports.dataset.changelog import with_entry
from exports.dataset.contents import folder_contents
from exports.dataset.dialogue_rows import (
    DialogueSelection,
    PublishedDialogue,
    RetiredDialogue,
    dialogue_order,
)
from exports.dataset.disk import disk_faults, replacing, write_file
from exports.dataset.existing import inspect_place, require_higher
from exports.dataset.facts import ReleaseFacts
from exports.dataset.layout import CARD, MANIFEST
from exports.dataset.markdown import plain
from exports.dataset.old_card import dimension_names, notes_below
from exports.dataset.release import Release, checked_release, version_key
from exports.dataset.rows import Selection, item_order
from exports.dataset.splits import split_rows
from exports.dataset.withdrawn import Withdrawn, withdrawn_from
from exports.hardening.source import SourceRelease, read_release
from salitrap import __version__
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.item import Item, RetiredItem


class Retracted(Record):
    """The folder that was written: ids withdrawn, counts of what stays, and what the user should know."""

    path: Path
    since: str
    version: str
    date: str
    items: tuple[str, ...]
    dialogues: tuple[str, ...]
    items_kept: int
    dialogues_kept: int
    notices: tuple[str, ...]


def retract(
    folder: Path, ids: Sequence[str], reason: str, *, out: Path, date: str, version: str | None = None
) -> Retracted:
    """Write the version that follows ``folder`` to ``out``, without the items and dialogues of ``ids``.

    A trap dialogue takes its controls along. What is withdrawn goes to the configurations of retired rows;
    rows that stay do not change. ``folder`` is only read. Equal arguments give equal bytes.

    Raises:
        InputError: no dataset, an id that is not in it, a reason that is not one line, a date that is none
            or lies before the dataset's, a version that is not higher, no items left, or a place that
            cannot be used.
        DiskFull: there was no space; ``out`` is as it was.
    """
    place = out.resolve()
    if place == folder.resolve():
        raise InputError(f"{out}: holds the version itself; give --out another folder")
    _check_reason(reason)
    source = read_release(folder)
    gone = withdrawn_from(source, ids)
    release = _release(source, version, date)
    existing = inspect_place(place)
    selection, talks = _items(source, gone, release, reason), _talks(source, gone, release, reason)
    told = _changes(source, gone, reason, date)
    files = folder_contents(
        release,
        _facts(source, gone, release),
        selection,
        split_rows(selection.items, release.dev_share),
        talks,
        changelog=with_entry(release, told, source.changelog),
        notes=existing.notes or notes_below(folder / CARD),
        withheld_before=source.manifest.withheld,
    )
    require_higher(place, existing, release.version, files)
    with disk_faults(place), replacing(place) as building:
        for path, content in files.items():
            write_file(building / path, content)
    return Retracted(
        path=out,
        since=source.manifest.version,
        version=release.version,
        date=date,
        items=gone.items,
        dialogues=gone.dialogues,
        items_kept=len(selection.items),
        dialogues_kept=len(talks.rows),
        notices=tuple(_notices(source, gone, release, files)),
    )


def _release(source: SourceRelease, version: str | None, date: str) -> Release:
    manifest = source.manifest
    major = version_key(manifest.version)[0]
    chosen = version or f"{major + 1}.0.0"
    release = checked_release(manifest.name, chosen, manifest.license, manifest.dev_share, date)
    if version_key(chosen) <= version_key(manifest.version):
        raise InputError(
            f"version {chosen}: {source.folder} holds version {manifest.version}; give a higher one, or none "
            f"for {major + 1}.0.0"
        )
    if manifest.date is not None and date < manifest.date:
        raise InputError(f"date {date}: version {manifest.version} is of {manifest.date}; give a later day")
    kept_back = {"holdout_share": manifest.holdout_share, "is_holdout": manifest.is_holdout}
    return release.model_copy(update={**kept_back, "canary": manifest.canary})


def _check_reason(reason: str) -> None:
    if not reason.strip() or not reason.isprintable() or reason != reason.strip():
        raise InputError(f"--reason {reason!r}: give one line of text that says what is wrong")


def _items(source: SourceRelease, gone: Withdrawn, release: Release, reason: str) -> Selection:
    leaving = set(gone.items)
    retired = [
        RetiredItem.model_validate(_retired(row, release, reason))
        for row in source.items
        if row.item_id in leaving
    ]
    return Selection(
        items=tuple(row for row in source.items if row.item_id not in leaving),
        withheld=(),
        retired=tuple(sorted([*source.retired, *retired], key=item_order)),
    )


def _talks(source: SourceRelease, gone: Withdrawn, release: Release, reason: str) -> DialogueSelection:
    leaving = set(gone.dialogues)
    retired = [
        RetiredDialogue.model_validate(_retired(row, release, reason))
        for row in source.dialogues
        if row.dialogue_id in leaving
    ]
    return DialogueSelection(
        rows=tuple(row for row in source.dialogues if row.dialogue_id not in leaving),
        retired=tuple(sorted([*source.retired_dialogues, *retired], key=dialogue_order)),
    )


def _retired(row: Record, release: Release, reason: str) -> dict[str, object]:
    why = {"retired_in": release.version, "retired_on": release.date, "retired_reason": reason}
    return {**row.model_dump(), **why}


def _facts(source: SourceRelease, gone: Withdrawn, release: Release) -> ReleaseFacts:
    """What the manifest says of the run, and the count of what left now."""
    manifest = source.manifest
    kept = ("settings_hash", "models", "prompts", "judge", "screening", "simulated")
    rows: list[Item | PublishedDialogue] = [*source.items, *source.dialogues]
    left = (f"items withdrawn in {release.version}", len(gone.items))
    return ReleaseFacts(
        **{name: getattr(manifest, name) for name in kept},
        tool_version=__version__,
        funnel=(*manifest.funnel, *([left] if gone.items else [])),
        dimensions=dimension_names(source.folder / CARD, {row.dimension_tag for row in rows}),
    )


def _changes(source: SourceRelease, gone: Withdrawn, reason: str, date: str) -> str:
    """The entry of the changelog, without its heading."""
    since, items, talks = source.manifest.version, len(gone.items), len(gone.dialogues)
    head = (
        f"Since {since}: {items} items withdrawn, {len(source.items) - items} kept. Reason ({date}): "
        f"{plain(reason)}"
    )
    counts = f"{talks} withdrawn, {len(source.dialogues) - talks} kept."
    parts = [head, _listed(gone.items)]
    parts += [f"Dialogues with their controls: {counts}", _listed(gone.dialogues)] if talks else []
    parts.append(f"Scores are not comparable with those of {since}.")
    return "\n\n".join(part for part in parts if part)


def _listed(ids: Sequence[str]) -> str:
    return "\n".join(f"- withdrawn `{one}`" for one in ids)


def _notices(source: SourceRelease, gone: Withdrawn, release: Release, files: dict[str, bytes]) -> list[str]:
    manifest = source.manifest
    notices = [f"scores on {release.version} are not comparable with those on {manifest.version}"]
    if version_key(release.version)[0] == version_key(manifest.version)[0]:
        notices[0] += f"; that calls for version {version_key(manifest.version)[0] + 1}.0.0"
    made = [one.dialogue_id for one in source.dialogues if one.source_id in gone.items]
    staying = [one for one in made if one not in gone.dialogues]
    if staying:
        notices.append(
            f"dialogues made from withdrawn items stay: {len(staying)}, the first {staying[0]}; name "
            "them with --item to withdraw them too"
        )
    tables = [split for config in manifest.configs.values() for split in config.splits.values()]
    data = {path for split in tables for path in (split.parquet, split.jsonl)}
    left = sorted({entry.path for entry in manifest.files} - data - set(files) - {MANIFEST})
    if left:
        notices.append(
            f"files that describe {manifest.version} alone were not carried over: {', '.join(left)}"
        )
    return notices
