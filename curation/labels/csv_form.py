"""Rows as CSV that spreadsheets open rightly, and cells that none of them runs.

UTF-8 with a byte order mark, so that Chinese is read as such. A cell that begins like a formula gets an
apostrophe in front, and so does one that begins with an apostrophe and such a sign: taking one away again
restores every text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from curation.labels.rows import Row, What, columns_of
from curation.rejects import storable

BOM = "\ufeff"
FORMULA = frozenset("=+-@\t\r\n")
GUARD = "'"


def guarded(text: str) -> str:
    """``text`` as a cell that is no formula."""
    begins = text[:1] in FORMULA if text else False
    looks_guarded = text[:1] == GUARD and text[1:2] in FORMULA | {GUARD} and len(text) > 1
    return f"{GUARD}{text}" if begins or looks_guarded else text


def unguarded(cell: str) -> str:
    """The text of a cell."""
    is_guarded = cell[:1] == GUARD and len(cell) > 1 and cell[1] in FORMULA | {GUARD}
    return cell[1:] if is_guarded else cell


def csv_lines(rows: Iterable[Row], what: What) -> Iterator[str]:
    """The file line by line, with the byte order mark before the first."""
    columns = columns_of(what)
    yield BOM + _line(list(columns))
    for row in rows:
        yield _line([guarded(storable(row[name])) for name in columns])


def _line(cells: list[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()
