"""The bytes of every file of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from exports.dataset.card import card_text, is_simulated
from exports.dataset.dialogue_rows import DialogueSelection
from exports.dataset.facts import ReleaseFacts
from exports.dataset.features import COLUMNS_OF, ID_OF, column_types
from exports.dataset.front_matter import ConfigSizes, SplitSize
from exports.dataset.jsonl_file import jsonl_bytes
from exports.dataset.layout import (
    CARD,
    CHANGELOG,
    DIALOGUES,
    ITEMS,
    MANIFEST,
    RETIRED,
    RETIRED_DIALOGUES,
    jsonl_path,
    parquet_path,
)
from exports.dataset.manifest import (
    ConfigEntry,
    FileEntry,
    Manifest,
    SplitEntry,
    WithheldEntry,
    file_entry,
    ids_hash,
    manifest_bytes,
)
from exports.dataset.parquet_file import parquet_bytes, writer_name
from exports.dataset.plots import plots_of
from exports.dataset.release import Release
from exports.dataset.rows import Selection
from exports.dataset.splits import Split, SplitItems, split_rows
from exports.harness import HarnessFacts, harness_files
from salitrap.records.base import Record
from salitrap.records.candidate import Rejection
from salitrap.records.ids import sha256_text

NOTHING_MORE: Mapping[str, bytes] = MappingProxyType({})


class _Table(Record):
    """One split in both formats: contents and manifest entries by path, and its sizes for the card."""

    contents: dict[str, bytes]
    entries: tuple[FileEntry, ...]
    size: SplitSize
    split: SplitEntry


class _Config(Record):
    """One configuration: its entry in the manifest, and its tables by split."""

    entry: ConfigEntry
    tables: dict[Split, _Table]

    @property
    def sizes(self) -> ConfigSizes:
        """Sizes by split."""
        return {split: table.size for split, table in self.tables.items()}


def folder_contents(  # noqa: PLR0913  # all that a folder is made of, one argument each
    release: Release,
    facts: ReleaseFacts,
    selection: Selection,
    splits: SplitItems,
    dialogues: DialogueSelection,
    *,
    changelog: str,
    notes: str,
    more: Mapping[str, bytes] = NOTHING_MORE,
    withheld_before: Sequence[WithheldEntry] = (),
) -> dict[str, bytes]:
    """Return file contents by relative path; the manifest, which describes the others, comes last.

    ``changelog`` is the whole text of that file, ``notes`` what follows the generated part of the card.
    ``more`` are files beside those of every release, ``withheld_before`` what an earlier version withheld.
    Without dialogues the folder has no such configuration, nor without retired items or dialogues, since one
    without rows cannot be loaded.
    """
    configs = {ITEMS: _config(ITEMS, splits)}
    if dialogues.rows:
        talks = split_rows(dialogues.rows, release.dev_share)
        configs[DIALOGUES] = _config(DIALOGUES, talks)
    if selection.retired:
        configs[RETIRED] = _config(RETIRED, split_rows(selection.retired, release.dev_share))
    if dialogues.retired:
        configs[RETIRED_DIALOGUES] = _config(
            RETIRED_DIALOGUES, split_rows(dialogues.retired, release.dev_share)
        )
    sizes = {name: config.sizes for name, config in configs.items()}
    withheld = (*withheld_before, *map(_withheld, (*selection.withheld, *dialogues.withheld)))
    card = card_text(release, facts, splits, dialogues, sizes, len(withheld), selection.retired)
    texts = {CARD: (card + notes).encode("utf-8"), CHANGELOG: changelog.encode("utf-8"), **more}
    tables = [table for config in configs.values() for table in config.tables.values()]
    entries = [entry for table in tables for entry in table.entries]
    simulated = is_simulated((*selection.items, *dialogues.rows), facts)
    texts |= _harness(release, configs, simulated=simulated)
    texts |= plots_of(selection.items, facts.dimensions)
    entries += [file_entry(path, content) for path, content in texts.items()]
    manifest = Manifest(
        **release.model_dump(),
        **facts.model_dump(exclude={"simulated", "dimensions"}),
        simulated=simulated,
        writer=writer_name(),
        withheld=withheld,
        configs={name: config.entry for name, config in configs.items()},
        card_sha256=sha256_text(card),
        files=tuple(sorted(entries, key=lambda entry: entry.path)),
    )
    data = {path: content for table in tables for path, content in table.contents.items()}
    return {**data, **texts, MANIFEST: manifest_bytes(manifest)}


def _withheld(held: Rejection) -> WithheldEntry:
    return WithheldEntry(item_id=held.subject_id, fault=held.fault.value, reason=held.reason)


def _harness(release: Release, configs: Mapping[str, _Config], *, simulated: bool) -> Mapping[str, bytes]:
    """Files by which other harnesses run the dataset."""
    splits = {name: tuple(split.value for split in config.tables) for name, config in configs.items()}
    told = release.model_dump(include={"name", "version", "license", "canary"})
    return harness_files(HarnessFacts(**told, simulated=simulated, configs=splits))


def _config(name: str, splits: Mapping[Split, Sequence[Record]]) -> _Config:
    tables = {split: _table(name, split, rows) for split, rows in splits.items()}
    entries = {split.value: table.split for split, table in tables.items()}
    return _Config(entry=ConfigEntry(columns=column_types(COLUMNS_OF[name]), splits=entries), tables=tables)


def _table(name: str, split: Split, rows: Sequence[Record]) -> _Table:
    columns, ids = COLUMNS_OF[name], [str(getattr(row, ID_OF[name])) for row in rows]
    parquet = parquet_bytes(rows, columns)
    places = (parquet_path(name, split), jsonl_path(name, split))
    contents = dict(zip(places, (parquet.content, jsonl_bytes(rows, columns)), strict=True))
    return _Table(
        contents=contents,
        entries=tuple(file_entry(path, content, len(rows)) for path, content in contents.items()),
        size=SplitSize(rows=len(rows), table_bytes=parquet.table_bytes, file_bytes=len(parquet.content)),
        split=SplitEntry(rows=len(rows), ids_sha256=ids_hash(ids), parquet=places[0], jsonl=places[1]),
    )
