"""Names in the order in which people count: D1, D2, D10."""

from __future__ import annotations

import re

_DIGITS = re.compile("([0-9]+)")
NaturalKey = tuple[tuple[tuple[int, int, str], ...], str]


def natural_key(name: str) -> NaturalKey:
    """Key for ``sorted``: digits in a row compare as the number they are, all else as text.

    Two different names never have the same key.
    """
    return tuple(_part_key(part) for part in _DIGITS.split(name) if part), name


def _part_key(part: str) -> tuple[int, int, str]:
    if not _DIGITS.fullmatch(part):
        return 1, 0, part
    number = part.lstrip("0")
    return 0, len(number), number
