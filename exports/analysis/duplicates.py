"""Answers that stand in the files more than once: equal rows count once, different ones are a fault."""

from __future__ import annotations

from typing import NamedTuple

from exports.analysis.row_line import LineFault, shown
from salitrap.records import LabelRow, sha256_text

_KEY = ("model", "item_id", "arm", "repeat", "turn", "judge", "dataset_revision")
_TEXTS = ("answer", "reasoning")


class _Seen(NamedTuple):
    place: str
    row: LabelRow
    texts: str


class Places:
    """Remembers where each answer was first seen; long texts are kept as a hash only."""

    def __init__(self) -> None:
        self._seen: dict[tuple[object, ...], _Seen] = {}
        self.repeated = 0
        self.example = ""

    def add(self, row: LabelRow, place: str) -> LabelRow | None:
        """Return the row without its long texts, or None when the same row was seen before.

        Raises:
            LineFault: a different row with the same key was seen before.
        """
        texts = sha256_text("\0".join(getattr(row, name) for name in _TEXTS))
        kept = row.model_copy(update=dict.fromkeys(_TEXTS, ""))
        before = self._seen.setdefault(_key_of(row), _Seen(place, kept, texts))
        if before.row is kept:
            return kept
        difference = _difference(kept, texts, before)
        if difference:
            raise LineFault(
                f"{_named(row)} stands at {before.place} too, with {difference}; keep one of the two"
            )
        self.repeated += 1
        self.example = self.example or f"{place} repeats {before.place}"
        return None


def _key_of(row: LabelRow) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in _KEY)


def _named(row: LabelRow) -> str:
    said = (f"{name} {shown(getattr(row, name))}" for name in _KEY if getattr(row, name) != "")
    return f"the answer ({', '.join(said)})"


def _difference(row: LabelRow, texts: str, before: _Seen) -> str:
    for name in LabelRow.model_fields:
        here, there = getattr(row, name), getattr(before.row, name)
        if here != there:
            return f"{name} {_value(there)} instead of {_value(here)}"
    return "" if texts == before.texts else "another answer or reasoning"


def _value(value: object) -> str:
    return shown(str(value)) if isinstance(value, str) else shown(value)
