"""What screening finds."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from salitrap.records.base import Record
from salitrap.settings.screening import ScreenCategory


class Severity(StrEnum):
    """``block`` keeps a text back, ``warn`` only reports it."""

    BLOCK = "block"
    WARN = "warn"


class Hit(NamedTuple):
    """A place in a folded text: [start, end), and what is there."""

    category: ScreenCategory
    start: int
    end: int


class Marks:
    """Characters of a text that are taken; asking costs the length of a place, not the number of places."""

    def __init__(self, text: str) -> None:
        self._taken = bytearray(len(text))

    def add(self, start: int, end: int) -> None:
        """Take [start, end)."""
        self._taken[start:end] = b"\x01" * (end - start)

    def touch(self, start: int, end: int) -> bool:
        """True when a character of [start, end) is taken."""
        return 1 in self._taken[start:end]


class ScreenFinding(Record):
    """One finding; ``start`` and ``end`` are characters of ``field``, and ``shown`` is never in clear.

    ``by`` is ``rules`` or ``model``.
    """

    category: ScreenCategory
    severity: Severity
    field: str
    start: int
    end: int
    shown: str
    by: str = "rules"

    @property
    def told(self) -> str:
        """The finding in one line."""
        return f"{self.field}: {self.category.value} {self.shown!r}"
