"""The items of an evaluation, and exactly which version of which dataset they are."""

from __future__ import annotations

from pathlib import Path

from exports.dataset.layout import ITEMS
from exports.evaluation.dataset_rows import manifest_of, revision_of, rows_of
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.enums import Language
from salitrap.records.ids import sha256_text
from salitrap.records.item import Item


class Evalset(Record):
    """Items in the order of the dataset.

    ``revision`` is the version and the start of the SHA-256 of the manifest, which covers every row:
    equal revisions mean equal items.
    """

    name: str
    revision: str
    items: tuple[Item, ...]


def load_evalset(
    folder: Path, *, split: str = "test", language: Language | None = None, limit: int | None = None
) -> Evalset:
    """Read the items of one split (or ``all``), in one language or all, checked against the manifest.

    ``limit`` keeps that many items, chosen by a hash of their ids: the same for everyone, spread over
    all dimensions, and a larger limit only adds.

    Raises:
        InputError: no dataset folder, no such split, nothing in that language, or a file that differs
            from the manifest.
    """
    manifest = manifest_of(folder)
    rows = rows_of(folder, manifest, ITEMS, split, Item)
    items = tuple(item for item in rows if language in (None, item.language))
    if not items:
        raise InputError(f"{folder}: no items in language {language} in split {split!r}")
    return Evalset(name=manifest.name, revision=revision_of(folder, manifest), items=limited(items, limit))


def limited(items: tuple[Item, ...], limit: int | None) -> tuple[Item, ...]:
    """Return the ``limit`` items whose ids have the smallest hash, in their old order."""
    if limit is None or limit >= len(items):
        return items
    chosen = set(sorted((item.item_id for item in items), key=sha256_text)[:limit])
    return tuple(item for item in items if item.item_id in chosen)
