"""The release that is hardened, read from its folder and checked against its manifest."""

from __future__ import annotations

from pathlib import Path

from exports.dataset.dialogue_rows import PublishedDialogue
from exports.dataset.layout import CHANGELOG, DIALOGUES, ITEMS, RETIRED
from exports.dataset.manifest import Manifest
from exports.evaluation.dataset_rows import ALL_SPLITS, manifest_of, revision_of, rows_of
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
    changelog: str = ""


def read_release(folder: Path) -> SourceRelease:
    """Read a dataset folder.

    Raises:
        InputError: no dataset folder, or a file that differs from the manifest.
    """
    manifest = manifest_of(folder)
    retired = rows_of(folder, manifest, RETIRED, ALL_SPLITS, RetiredItem) if _has(manifest, RETIRED) else ()
    talks = (
        rows_of(folder, manifest, DIALOGUES, ALL_SPLITS, PublishedDialogue)
        if _has(manifest, DIALOGUES)
        else ()
    )
    return SourceRelease(
        folder=folder,
        manifest=manifest,
        revision=revision_of(folder, manifest),
        items=tuple(rows_of(folder, manifest, ITEMS, ALL_SPLITS, Item)),
        retired=tuple(retired),
        dialogues=tuple(talks),
        changelog=_changelog(folder),
    )


def _has(manifest: Manifest, config: str) -> bool:
    return config in manifest.configs


def _changelog(folder: Path) -> str:
    try:
        return (folder / CHANGELOG).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / CHANGELOG}: cannot be read ({error}); verify the folder") from error
