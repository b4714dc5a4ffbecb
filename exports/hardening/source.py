"""The release that is hardened, read from its folder and checked against its manifest."""

from __future__ import annotations

from pathlib import Path

from exports.dataset.dialogue_rows import PublishedDialogue, RetiredDialogue
from exports.dataset.layout import CHANGELOG, DIALOGUES, ITEMS, RETIRED, RETIRED_DIALOGUES
from exports.dataset.manifest import Manifest
from exports.evaluation.dataset_rows import ALL_SPLITS, RowT, manifest_of, revision_of, rows_of
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.item import Item, RetiredItem


class SourceRelease(Record):
    """All rows of a dataset folder; ``revision`` is its version and the start of its manifest's hash."""

    folder: Path
    manifest: Manifest
    revision: str
    items: tuple[Item, ...]
    retired: tuple[RetiredItem, ...] = ()
    dialogues: tuple[PublishedDialogue, ...] = ()
    retired_dialogues: tuple[RetiredDialogue, ...] = ()
    changelog: str = ""


def read_release(folder: Path) -> SourceRelease:
    """Read a dataset folder.

    Raises:
        InputError: no dataset folder, or a file that differs from the manifest.
    """
    manifest = manifest_of(folder)
    return SourceRelease(
        folder=folder,
        manifest=manifest,
        revision=revision_of(folder, manifest),
        items=_rows(folder, manifest, ITEMS, Item),
        retired=_rows(folder, manifest, RETIRED, RetiredItem),
        dialogues=_rows(folder, manifest, DIALOGUES, PublishedDialogue),
        retired_dialogues=_rows(folder, manifest, RETIRED_DIALOGUES, RetiredDialogue),
        changelog=_changelog(folder),
    )


def _rows(folder: Path, manifest: Manifest, config: str, kind: type[RowT]) -> tuple[RowT, ...]:
    """All rows of a configuration; none of one that the dataset does not have."""
    if config not in manifest.configs:
        return ()
    return tuple(rows_of(folder, manifest, config, ALL_SPLITS, kind))


def _changelog(folder: Path) -> str:
    try:
        return (folder / CHANGELOG).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / CHANGELOG}: cannot be read ({error}); verify the folder") from error
