"""Build a dataset folder: parquet, JSONL, card, changelog and manifest, all or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from curation.dialogues.records import KeptDialogue
from exports.dataset.card import is_simulated
from exports.dataset.changelog import Changes, changelog_text, changes_between, comparability_notice
from exports.dataset.contents import folder_contents
from exports.dataset.dialogue_rows import select_dialogues
from exports.dataset.disk import disk_faults, replacing, write_file
from exports.dataset.existing import Existing, inspect_place, require_higher
from exports.dataset.facts import ReleaseFacts, ScreeningCounts
from exports.dataset.history import read_history
from exports.dataset.licenses import license_notice
from exports.dataset.release import Release, checked_release
from exports.dataset.retired_rows import retired_dialogues
from exports.dataset.rows import Selection, select_rows
from exports.dataset.screening import screen_release
from exports.dataset.splits import skipped_splits, split_rows
from exports.dataset.table import Composition, composition
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.candidate import Rejection
from salitrap.records.item import CertifiedItem
from salitrap.settings.screening import ScreeningSettings


class BuiltDataset(Record):
    """A finished folder.

    ``splits`` gives items by split name, ``dialogues`` counts dialogues with their controls, ``withheld``
    what could not be published with the reason of each, ``notices`` what the user should know, ``files``
    relative paths. ``held_out`` counts items that went to the private holdout instead.
    """

    path: Path
    version: str
    splits: dict[str, int]
    simulated: bool
    composition: Composition
    dialogues: int = 0
    held_out: int = 0
    withheld: tuple[Rejection, ...]
    screening: ScreeningCounts | None = None
    notices: tuple[str, ...]
    files: tuple[str, ...]


def build_dataset(  # noqa: PLR0913  # what a user chooses for a release, one keyword each
    items: Iterable[CertifiedItem],
    facts: ReleaseFacts,
    *,
    dialogues: Iterable[KeptDialogue] = (),
    repeated: Iterable[Rejection] = (),
    screening: ScreeningSettings | None = None,
    out: Path,
    version: str,
    license: str,
    name: str,
    dev_share: float,
    holdout_share: float = 0.0,
    is_holdout: bool = False,
    date: str | None = None,
    previous: Path | None = None,
    overwrite: bool = True,
) -> BuiltDataset:
    """Build the dataset folder ``out``; equal input gives equal bytes, whatever its order.

    ``date`` is the day of this version. ``previous`` is the folder of an earlier version: its items keep
    version and date, what it retired stays retired, and the changelog says what came and went.
    ``is_holdout`` marks the folder of the families that ``holdout_share`` keeps back; items come divided
    (``exports.from_run``). ``repeated`` are the rejections of dialogues that repeat another family. A dataset
    that stands in ``out`` is replaced when the new one is complete; the notes of its card are kept. Without
    ``overwrite`` it is replaced by a higher version only, or by the very same bytes. All texts are screened
    by ``screening``.

    Raises:
        InputError: nothing to publish, a repeated item id, a bad version, license, name, share or date, an
            ``out`` with other things in it or with a version that is not lower, no right to write there,
            or a text that the screening blocks where it is to refuse.
        DiskFull: there was no space; ``out`` is as it was.
    """
    release = checked_release(name, version, license, dev_share, date).model_copy(
        update={"holdout_share": holdout_share, "is_holdout": is_holdout}
    )
    place = out.resolve()
    existing = inspect_place(place)
    history = read_history(previous, release)
    screened = screen_release(items, dialogues, screening or ScreeningSettings())
    facts = facts.model_copy(update={"screening": screened.counts})
    selection = select_rows(screened.items, release, history.added_in, history.retired)
    selection = selection.model_copy(update={"withheld": (*screened.left_out, *selection.withheld)})
    _refuse_nothing(selection)
    talks = select_dialogues(
        screened.dialogues, release, history.dialogues, repeated, retired_dialogues(previous)
    )
    splits = split_rows(selection.items, dev_share)
    before = history.added_in
    changes = changes_between(history.since, before, [item.item_id for item in selection.items])
    talked = changes_between(history.since, history.dialogues, [row.dialogue_id for row in talks.rows])
    changelog = changelog_text(release, changes, history.changelog, talked)
    files = folder_contents(
        release,
        facts,
        selection,
        splits,
        talks,
        changelog=changelog,
        notes=existing.notes,
    )
    if not overwrite:
        require_higher(place, existing, version, files)
    _write(place, files)
    return BuiltDataset(
        path=out,
        version=version,
        splits={split.value: len(held) for split, held in splits.items()},
        simulated=is_simulated((*selection.items, *talks.rows), facts),
        composition=composition(selection.items, facts.dimensions),
        dialogues=len(talks.rows),
        withheld=(*selection.withheld, *talks.withheld),
        screening=screened.counts,
        notices=(
            *skipped_splits(splits, dev_share),
            *screened.notices,
            *_notices(release, selection, changes, existing),
        ),
        files=tuple(sorted(files)),
    )


def _refuse_nothing(selection: Selection) -> None:
    if selection.items:
        return
    held = (
        f" ({len(selection.withheld)} withheld: {selection.withheld[0].reason})" if selection.withheld else ""
    )
    raise InputError(f"no certified items to publish{held}; nothing was written")


def _write(place: Path, files: Mapping[str, bytes]) -> None:
    with disk_faults(place), replacing(place) as folder:
        for path, content in files.items():
            write_file(folder / path, content)


def _notices(release: Release, selection: Selection, changes: Changes, existing: Existing) -> tuple[str, ...]:
    notices = [*license_notice(release.license), *comparability_notice(release, changes)]
    if selection.withheld:
        first = selection.withheld[0]
        notices.append(
            f"{len(selection.withheld)} items were withheld, the first {first.subject_id}: {first.reason}"
        )
    if changes.since is None and existing.version not in (None, release.version):
        notices.append(
            f"version {existing.version} in the same place was replaced and its changelog with it; give it "
            "as the previous version to carry on from it"
        )
    return tuple(notices)
