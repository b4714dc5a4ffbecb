"""Rows as a parquet file whose bytes depend on the rows and on the pyarrow release alone."""

from __future__ import annotations

from collections.abc import Sequence

from exports.dataset.features import ITEM_COLUMNS, Columns, arrow_schema, column_names
from salitrap.records.base import Record

ROW_GROUP = 1000


class ParquetBytes(Record):
    """The file, and the size in bytes its table takes in memory."""

    content: bytes
    table_bytes: int


def parquet_bytes(rows: Sequence[Record], columns: Columns = ITEM_COLUMNS) -> ParquetBytes:
    """Return ``rows`` as parquet, readable by ``datasets`` with its features."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist([row_of(row, columns) for row in rows], schema=arrow_schema(columns))
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=3,
        row_group_size=ROW_GROUP,
        use_dictionary=True,
        write_statistics=True,
        write_page_index=True,
        store_schema=True,
    )
    return ParquetBytes(content=sink.getvalue().to_pybytes(), table_bytes=table.nbytes)


def row_of(row: Record, columns: Columns = ITEM_COLUMNS) -> dict[str, object]:
    """Return one row as plain values, in column order."""
    values = row.model_dump(mode="json")
    return {name: values[name] for name in column_names(columns)}


def writer_name() -> str:
    """Return what wrote the parquet files; other releases may give other bytes for equal rows."""
    import pyarrow as pa

    return f"pyarrow {pa.__version__}"
