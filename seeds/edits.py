"""Small changes to a text that leave all the rest of it alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

LINE_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Put ``new`` in place of the characters from ``start`` up to ``end`` (offsets from 0)."""

    start: int
    end: int
    new: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with ``edits`` made; of two that overlap only the first is made."""
    pieces, at = [], 0
    for edit in sorted(set(edits)):
        if edit.start >= at:
            pieces += [text[at : edit.start], edit.new]
            at = edit.end
    return "".join([*pieces, text[at:]])


class Places:
    """Lines and columns of a text, as editors count them."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(found.end() for found in LINE_BREAK.finditer(text))]

    def line(self, index: int) -> int:
        """Line, from 1, of a character."""
        return bisect_right(self.starts, index)

    def column(self, index: int) -> int:
        """Column, from 1, of a character."""
        return index - self.starts[self.line(index) - 1] + 1
