"""The items of an evaluation, and exactly which version of which dataset they are."""

from __future__ import annotations

from pathlib import Path

from exports.dataset.layout import ITEMS
from exports.evaluation.dataset_rows import manifest_of, revision_of, rows_of
from exports.evaluation.window import came_back, checked_window
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
    folder: Path,
    *,
    split: str = "test",
    language: Language | None = None,
    limit: int | None = None,
    as_of: str | None = None,
    added_since: str | None = None,
) -> Evalset:
    """Read the items of one split (or ``all``), in one language or all, checked against the manifest.

    ``as_of`` a version takes the items that it had, those retired later included; ``added_since`` a day only
    what appeared on it or later. ``limit`` keeps that many items, chosen by a hash of their ids: the same for
    everyone, spread over all dimensions, and a larger limit only adds.

    Raises:
        InputError: no dataset folder, no such split, version or day, nothing in that language, version or
            time, or a file that differs from the manifest.
    """
    manifest = manifest_of(folder)
    window = checked_window(manifest, as_of, added_since)
    rows = [*rows_of(folder, manifest, ITEMS, split, Item), *came_back(folder, manifest, split, window)]
    items = tuple(item for item in rows if language in (None, item.language) and window.holds(item))
    if not items:
        told = f" in language {language}" if language else ""
        raise InputError(f"{folder}: no items{told} in split {split!r}{window.told}")
    return Evalset(name=manifest.name, revision=revision_of(folder, manifest), items=limited(items, limit))


def limited(items: tuple[Item, ...], limit: int | None) -> tuple[Item, ...]:
    """Return the ``limit`` items whose ids have the smallest hash, in their old order."""
    if limit is None or limit >= len(items):
        return items
    chosen = set(sorted((item.item_id for item in items), key=sha256_text)[:limit])
    return tuple(item for item in items if item.item_id in chosen)
