"""The rows of a JSONL or parquet file, one after the other, and a copy of those that are wanted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from salitrap.errors import InputError

JSONL = (".jsonl", ".ndjson")
PARQUET = (".parquet",)
BATCH = 4096
"""Rows of a parquet file in memory at a time."""


class Row(NamedTuple):
    """A row with its number, from 1: the line of a JSONL file. ``fault`` says why there is no text.

    ``has_field`` tells whether the field is there, be it text or not; None where the row is no object.
    """

    number: int
    text: str
    fault: str = ""
    has_field: bool | None = None


Wanted = Callable[[Row], bool]


def copy_rows(source: Path, target: Path, field: str, wanted: Wanted) -> int:
    """Copy the wanted rows of ``source``, unchanged and in order, in the same format.

    Returns the number of blank lines, which are no rows and are not copied.

    Raises:
        InputError: the file is missing, of another format, or has no such field in any row.
    """
    if source.suffix.lower() in PARQUET:
        _copy_parquet(source, target, field, wanted)
        return 0
    return _copy_jsonl(source, target, field, wanted)


def check_format(source: Path) -> None:
    """Refuse what cannot be read.

    Raises:
        InputError: the file is missing or of another format.
    """
    if source.suffix.lower() not in (*JSONL, *PARQUET):
        raise InputError(f"{source}: expected a file named *.jsonl, *.ndjson or *.parquet")
    if not source.is_file():
        raise InputError(f"{source}: there is no such file")


def _copy_jsonl(source: Path, target: Path, field: str, wanted: Wanted) -> int:
    blank, lacking, found = 0, "", False
    with source.open("rb") as lines, target.open("wb") as kept:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                blank += 1
                continue
            row = _parsed(number, line, field)
            found = found or row.has_field is True
            lacking = lacking or (row.fault if row.has_field is False else "")
            if wanted(row):
                kept.write(line if line.endswith(b"\n") else line + b"\n")
    if lacking and not found:
        raise InputError(f"{source}: {lacking}; no row has it, name one with --field")
    return blank


def _parsed(number: int, line: bytes, field: str) -> Row:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Row(number, "", f"not UTF-8: byte {error.start + 1} of the line")
    except RecursionError:
        return Row(number, "", "JSON nested too deeply")
    except json.JSONDecodeError as error:
        return Row(number, "", f"not JSON: {error.msg} at character {error.pos + 1} of the line")
    except ValueError:  # the one other reason that the json module has
        return Row(number, "", "holds a number of more than 4,300 digits, which cannot be read")
    if not isinstance(value, dict):
        return Row(number, "", "expected a JSON object")
    if field not in value:
        known = ", ".join(map(str, value)) or "none"
        return Row(number, "", f"no field {field!r}; fields: {known[:200]}", has_field=False)
    return _checked(number, value[field], field)


def _checked(number: int, text: object, field: str) -> Row:
    if isinstance(text, str):
        return Row(number, text, has_field=True)
    return Row(number, "", f"field {field!r} holds {_called(text)}, expected text", has_field=True)


def _called(value: object) -> str:
    """What a JSON value is called."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        return "a number"
    return "a list" if isinstance(value, list) else "an object"


def _copy_parquet(source: Path, target: Path, field: str, wanted: Wanted) -> None:
    try:
        with pq.ParquetFile(source) as table:
            _check_field(source, table.schema_arrow, field)
            with pq.ParquetWriter(target, table.schema_arrow, compression=_compression(table)) as kept:
                for batch in _filtered(table, field, wanted):
                    kept.write_batch(batch)
    except pa.ArrowInvalid as error:
        raise InputError(f"{source}: not a readable parquet file: {str(error).splitlines()[0]}") from error


def _filtered(table: pq.ParquetFile, field: str, wanted: Wanted) -> Iterator[pa.RecordBatch]:
    number = 0
    for batch in table.iter_batches(batch_size=BATCH):
        chosen = list[bool]()
        for text in batch.column(field).to_pylist():
            number += 1
            chosen.append(wanted(_checked(number, text, field)))
        if any(chosen):
            yield batch if all(chosen) else batch.filter(pa.array(chosen))


def _check_field(source: Path, schema: pa.Schema, field: str) -> None:
    if schema.names.count(field) != 1:
        raise InputError(
            f"{source}: no field {field!r}; fields: {', '.join(schema.names)}; name one with --field"
        )
    kind = schema.field(field).type
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not (pa.types.is_string(plain) or pa.types.is_large_string(plain) or pa.types.is_string_view(plain)):
        raise InputError(f"{source}: field {field!r} holds {kind}, expected text")


def _compression(table: pq.ParquetFile) -> str:
    metadata = table.metadata
    if not metadata.num_row_groups or not metadata.num_columns:
        return "snappy"
    return str(metadata.row_group(0).column(0).compression).replace("UNCOMPRESSED", "NONE").lower()
