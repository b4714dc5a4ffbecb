"""The bytes of every file of a release."""

from __future__ import annotations

from exports.dataset.card import card_text, is_simulated
from exports.dataset.facts import ReleaseFacts
from exports.dataset.front_matter import SplitSize
from exports.dataset.jsonl_file import jsonl_bytes
from exports.dataset.layout import CARD, CHANGELOG, ITEMS, MANIFEST, jsonl_path, parquet_path
from exports.dataset.manifest import (
    ConfigEntry,
    FileEntry,
    Manifest,
    SplitEntry,
    WithheldEntry,
    file_entry,
    ids_hash,
    item_column_types,
    manifest_bytes,
)
from exports.dataset.parquet_file import parquet_bytes, writer_name
from exports.dataset.release import Release
from exports.dataset.rows import Selection
from exports.dataset.splits import Split, SplitItems
from salitrap.records.base import Record
from salitrap.records.ids import sha256_text
from salitrap.records.item import Item


class _Table(Record):
    """One split in both formats: contents and manifest entries by path, and its sizes for the card."""

    contents: dict[str, bytes]
    entries: tuple[FileEntry, ...]
    size: SplitSize


def folder_contents(
    release: Release,
    facts: ReleaseFacts,
    selection: Selection,
    splits: SplitItems,
    *,
    changelog: str,
    notes: str,
) -> dict[str, bytes]:
    """Return file contents by relative path; the manifest, which describes the others, comes last.

    ``changelog`` is the whole text of that file, ``notes`` what follows the generated part of the card.
    """
    tables = {split: _table(split, items) for split, items in splits.items()}
    sizes = {split: table.size for split, table in tables.items()}
    card = card_text(release, facts, splits, sizes, len(selection.withheld))
    texts = {CARD: (card + notes).encode("utf-8"), CHANGELOG: changelog.encode("utf-8")}
    entries = [entry for table in tables.values() for entry in table.entries]
    entries += [file_entry(path, content) for path, content in texts.items()]
    manifest = _manifest(release, facts, selection, splits, entries, sha256_text(card))
    data = {path: content for table in tables.values() for path, content in table.contents.items()}
    return {**data, **texts, MANIFEST: manifest_bytes(manifest)}


def _table(split: Split, items: tuple[Item, ...]) -> _Table:
    parquet = parquet_bytes(items)
    contents = {
        parquet_path(ITEMS, split): parquet.content,
        jsonl_path(ITEMS, split): jsonl_bytes(items),
    }
    entries = tuple(file_entry(path, content, len(items)) for path, content in contents.items())
    size = SplitSize(rows=len(items), table_bytes=parquet.table_bytes, file_bytes=len(parquet.content))
    return _Table(contents=contents, entries=entries, size=size)


def _manifest(
    release: Release,
    facts: ReleaseFacts,
    selection: Selection,
    splits: SplitItems,
    entries: list[FileEntry],
    card_sha256: str,
) -> Manifest:
    return Manifest(
        **release.model_dump(),
        **facts.model_dump(exclude={"simulated", "dimensions"}),
        simulated=is_simulated(selection.items, facts),
        writer=writer_name(),
        withheld=tuple(
            WithheldEntry(item_id=held.subject_id, fault=held.fault.value, reason=held.reason)
            for held in selection.withheld
        ),
        configs={ITEMS: _config(splits)},
        card_sha256=card_sha256,
        files=tuple(sorted(entries, key=lambda entry: entry.path)),
    )


def _config(splits: SplitItems) -> ConfigEntry:
    entries = {
        split.value: SplitEntry(
            rows=len(items),
            ids_sha256=ids_hash(item.item_id for item in items),
            parquet=parquet_path(ITEMS, split),
            jsonl=jsonl_path(ITEMS, split),
        )
        for split, items in splits.items()
    }
    return ConfigEntry(columns=item_column_types(), splits=entries)
