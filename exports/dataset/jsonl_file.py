"""Rows as JSON lines, for people and for tools without parquet."""

from __future__ import annotations

import json
from collections.abc import Sequence

from exports.dataset.features import ITEM_COLUMNS, Columns
from exports.dataset.parquet_file import row_of
from salitrap.records.base import Record

# Line ends for str.splitlines, though not for JSON: escaped, so that one row stays one line everywhere.
_LINE_ENDS = {char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}
_ESCAPES = str.maketrans(_LINE_ENDS)


def jsonl_bytes(rows: Sequence[Record], columns: Columns = ITEM_COLUMNS) -> bytes:
    """Return one JSON object a row in UTF-8, keys in column order, each line ended."""
    return "".join(json_line(row_of(row, columns)) + "\n" for row in rows).encode("utf-8")


def json_line(row: dict[str, object]) -> str:
    """Return one object as JSON that no reader takes for several lines."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False).translate(_ESCAPES)
