"""Write results in the order of their units although they arrive in any order."""

from __future__ import annotations

from typing import BinaryIO

from salitrap.records.ids import canonical_json
from salitrap.records.label_row import LabelRow


class OrderedWriter:
    """Writes what unit ``i`` came to as soon as all units before it are written; holds back the others."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._next = 0
        self._waiting: dict[int, bytes] = {}

    def put(self, index: int, *rows: LabelRow) -> None:
        """Take the rows of unit ``index``; each index comes once."""
        self._waiting[index] = b"".join(map(row_line, rows))
        while (line := self._waiting.pop(self._next, None)) is not None:
            self._file.write(line)
            self._next += 1


def row_line(row: LabelRow) -> bytes:
    """One line of JSON, keys sorted, so that equal rows are equal bytes."""
    return (canonical_json(row.model_dump(mode="json")) + "\n").encode("utf-8", "replace")
