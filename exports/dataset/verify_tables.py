"""Check the tables of a dataset folder: columns, rows, id lists, and families that must not mix."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from exports.dataset.features import (
    COLUMNS_OF,
    ID_OF,
    NEWER,
    Columns,
    arrow_schema,
    column_types,
)
from exports.dataset.findings import FolderFault, FolderFinding, finding
from exports.dataset.layout import MANIFEST
from exports.dataset.manifest import ConfigEntry, Manifest, SplitEntry, ids_hash

if TYPE_CHECKING:
    import pyarrow as pa


def table_findings(folder: Path, manifest: Manifest, sound: Collection[str]) -> Iterator[FolderFinding]:
    """Check every split whose parquet file is among the ``sound`` paths."""
    families: dict[str, str] = {}
    for name, config in manifest.configs.items():
        if name not in COLUMNS_OF:
            yield finding(FolderFault.BAD_MANIFEST, MANIFEST, f"config {name} is unknown; update SaliTrap")
            continue
        if columns_of(name, config) is None:
            yield finding(FolderFault.WRONG_COLUMNS, MANIFEST, f"config {name} lists other columns than ours")
        for split_name, split in config.splits.items():
            if split.parquet in sound:
                columns = columns_of(name, config) or COLUMNS_OF[name]
                place = _Place(folder, name, split_name)
                yield from _split_findings(place, split, columns, families)
            elif all(entry.path != split.parquet for entry in manifest.files):
                yield finding(FolderFault.BAD_MANIFEST, MANIFEST, f"{split.parquet} is not among its files")


class _Place(NamedTuple):
    """Where a table stands: folder, configuration and split."""

    folder: Path
    config: str
    split: str


def columns_of(name: str, config: ConfigEntry) -> Columns | None:
    """The columns that a manifest lists, ours or those of an earlier release; None for others."""
    columns = COLUMNS_OF[name]
    for newer in (frozenset[str](), *NEWER):
        columns = tuple(column for column in columns if column.name not in newer)
        if config.columns == column_types(columns):
            return columns
    return None


def _split_findings(
    place: _Place, split: SplitEntry, columns: Columns, families: dict[str, str]
) -> Iterator[FolderFinding]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(place.folder / split.parquet)
    except (OSError, pa.ArrowException) as error:
        yield finding(FolderFault.BAD_TABLE, split.parquet, f"cannot be read as parquet ({error})")
        return
    if not table.schema.equals(arrow_schema(columns), check_metadata=False):
        yield finding(FolderFault.WRONG_COLUMNS, split.parquet, "has other columns than the published schema")
        return
    yield from _row_findings(place.config, split, table)
    yield from _family_findings(place.split, split, table, families)


def _row_findings(config: str, split: SplitEntry, table: pa.Table) -> Iterator[FolderFinding]:
    if table.num_rows != split.rows:
        yield finding(
            FolderFault.WRONG_ROWS, split.parquet, f"{table.num_rows} rows, the manifest says {split.rows}"
        )
    elif ids_hash(table[ID_OF[config]].to_pylist()) != split.ids_sha256:
        yield finding(FolderFault.WRONG_IDS, split.parquet, "holds other ids than the manifest says")


def _family_findings(
    name: str, split: SplitEntry, table: pa.Table, families: dict[str, str]
) -> Iterator[FolderFinding]:
    for family in dict.fromkeys(table["seed_id"].to_pylist()):
        other = families.setdefault(family, name)
        if other != name:
            yield finding(
                FolderFault.SHARED_FAMILY, split.parquet, f"seed {family} also occurs in split {other}"
            )
