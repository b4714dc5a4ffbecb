"""Check the tables of a dataset folder: columns, rows, id lists, and families that must not mix."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from exports.dataset.features import arrow_schema
from exports.dataset.findings import FolderFault, FolderFinding, finding
from exports.dataset.layout import MANIFEST
from exports.dataset.manifest import Manifest, SplitEntry, ids_hash, item_column_types

if TYPE_CHECKING:
    import pyarrow as pa


def table_findings(folder: Path, manifest: Manifest, sound: Collection[str]) -> Iterator[FolderFinding]:
    """Check every split whose parquet file is among the ``sound`` paths."""
    for name, config in manifest.configs.items():
        if config.columns != item_column_types():
            yield finding(FolderFault.WRONG_COLUMNS, MANIFEST, f"config {name} lists other columns than ours")
        families: dict[str, str] = {}
        for split_name, split in config.splits.items():
            if split.parquet in sound:
                yield from _split_findings(folder, split_name, split, families)
            elif all(entry.path != split.parquet for entry in manifest.files):
                yield finding(FolderFault.BAD_MANIFEST, MANIFEST, f"{split.parquet} is not among its files")


def _split_findings(
    folder: Path, name: str, split: SplitEntry, families: dict[str, str]
) -> Iterator[FolderFinding]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(folder / split.parquet)
    except (OSError, pa.ArrowException) as error:
        yield finding(FolderFault.BAD_TABLE, split.parquet, f"cannot be read as parquet ({error})")
        return
    if not table.schema.equals(arrow_schema(), check_metadata=False):
        yield finding(FolderFault.WRONG_COLUMNS, split.parquet, "has other columns than the published schema")
        return
    yield from _row_findings(split, table)
    yield from _family_findings(name, split, table, families)


def _row_findings(split: SplitEntry, table: pa.Table) -> Iterator[FolderFinding]:
    if table.num_rows != split.rows:
        yield finding(
            FolderFault.WRONG_ROWS, split.parquet, f"{table.num_rows} rows, the manifest says {split.rows}"
        )
    elif ids_hash(table["item_id"].to_pylist()) != split.ids_sha256:
        yield finding(FolderFault.WRONG_IDS, split.parquet, "holds other item ids than the manifest says")


def _family_findings(
    name: str, split: SplitEntry, table: pa.Table, families: dict[str, str]
) -> Iterator[FolderFinding]:
    for family in dict.fromkeys(table["seed_id"].to_pylist()):
        other = families.setdefault(family, name)
        if other != name:
            yield finding(
                FolderFault.SHARED_FAMILY, split.parquet, f"seed {family} also occurs in split {other}"
            )
