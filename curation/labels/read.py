"""Read what comes back: CSV in whatever form spreadsheets write it, or an export of Argilla."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curation.labels.argilla import rows_of_record
from curation.labels.csv_form import unguarded
from curation.labels.rows import KEYS, Row, What
from salitrap.errors import InputError

DELIMITERS = (",", ";", "\t")
LONGEST_CELL = 1_000_000
Numbered = tuple[int, Row]
"""A row with its number in the file, the header being row 1 of a CSV."""


def read_rows(path: Path) -> tuple[What, list[Numbered]]:
    """Rows of a file, and what they are about; empty rows are passed over.

    Raises:
        InputError: it cannot be read, is empty, or is neither such a CSV nor an export of Argilla.
    """
    text = _decoded(path)
    if not text.strip():
        raise InputError(f"{path}: is empty")
    is_json = text.lstrip()[:1] in ("[", "{")
    return _from_argilla(path, text) if is_json else _from_csv(path, text)


def _decoded(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return _text(path, content, encoding)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _text(path, content, "gb18030")


def _text(path: Path, content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not {encoding} at byte {error.start}; save it as UTF-8 CSV") from error


def _from_csv(path: Path, text: str) -> tuple[What, list[Numbered]]:
    csv.field_size_limit(LONGEST_CELL)
    head = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=head.count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise InputError(f"{path}: not CSV ({error}); save it as UTF-8 CSV") from error
    names = [name.strip().casefold().replace(" ", "_") for name in lines[0]]
    what = _what(path, set(names))
    numbered = enumerate(lines[1:], 2)
    return what, [(at, _row(names, cells)) for at, cells in numbered if any(map(str.strip, cells))]


def _row(names: list[str], cells: list[str]) -> Row:
    """Cells by column; those that are missing at the end of a row are empty, those too many left out."""
    filled = [*cells, *[""] * (len(names) - len(cells))]
    return {name: unguarded(cell) for name, cell in zip(names, filled, strict=False) if name}


def _what(path: Path, names: set[str]) -> What:
    for what in What:
        if set(KEYS[what]) <= names:
            return what
    needed = " or ".join(", ".join(KEYS[what]) for what in What)
    raise InputError(
        f"{path}: the first row must name the columns {needed}; export again and fill that file in"
    )


def _from_argilla(path: Path, text: str) -> tuple[What, list[Numbered]]:
    records = list(_records(path, text))
    first = records[0].get("metadata") if records and isinstance(records[0], dict) else None
    what = _what(path, set(first) if isinstance(first, dict) else set())
    rows = list[Numbered]()
    for number, record in enumerate(records, 1):
        try:
            rows += [(number, row) for row in rows_of_record(record, what)]
        except (ValueError, AttributeError) as error:
            raise InputError(f"{path}: record {number}: {error}") from error
    return what, rows


def _records(path: Path, text: str) -> Iterator[dict[str, Any]]:
    try:
        if text.lstrip().startswith("["):
            yield from json.loads(text)
        else:
            yield from (json.loads(line) for line in text.split("\n") if line.strip())
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); export it again") from error
