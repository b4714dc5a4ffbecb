"""Check the tables of a dataset folder: columns, rows, id lists, and families that must not mix."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from exports.dataset.features import COLUMNS_OF, ID_OF, arrow_schema, column_types
from exports.dataset.findings import FolderFault, FolderFinding, finding
from exports.dataset.layout import MANIFEST
from exports.dataset.manifest import Manifest, SplitEntry, ids_hash

if TYPE_CHECKING:
    import pyarrow as pa


def table_findings(folder: Path, manifest: Manifest, sound: Collection[str]) -> Iterator[FolderFinding]:
    """Check every split whose parquet file is among the ``sound`` paths."""
    families: dict[str, str] = {}
    for name, config in manifest.configs.items():
        if name not in COLUMNS_OF:
            yield finding(FolderFault.BAD_MANIFEST, MANIFEST, f"config {name} is unknown; update SaliTrap")
            continue
        if config.columns != column_types(COLUMNS_OF[name]):
            yield finding(FolderFault.WRONG_COLUMNS, MANIFEST, f"config {name} lists other columns than ours")
        for split_name, split in config.splits.items():
            if split.parquet in sound:
                yield from _split_findings(folder, name, split_name, split, families)
            elif all(entry.path != split.parquet for entry in manifest.files):
                yield finding(FolderFault.BAD_MANIFEST, MANIFEST, f"{split.parquet} is not among its files")


def _split_findings(
    folder: Path, config: str, name: str, split: SplitEntry, families: dict[str, str]
) -> Iterator[FolderFinding]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(folder / split.parquet)
    except (OSError, pa.ArrowException) as error:
        yield finding(FolderFault.BAD_TABLE, split.parquet, f"cannot be read as parquet ({error})")
        return
    if not table.schema.equals(arrow_schema(COLUMNS_OF[config]), check_metadata=False):
        yield finding(FolderFault.WRONG_COLUMNS, split.parquet, "has other columns than the published schema")
        return
    yield from _row_findings(config, split, table)
    yield from _family_findings(name, split, table, families)


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
