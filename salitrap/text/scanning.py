"""Regular expressions that are tried only where a match can begin."""

from __future__ import annotations

import re
from collections.abc import Iterator


def matches_from(start: re.Pattern[str], pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what ``pattern.finditer(text)`` yields, given that every match begins where ``start`` matches.

    ``start`` is a single set of characters, which the engine skips through many times faster than it
    tries a long pattern. Empty matches are not foreseen.
    """
    place = start.search(text)
    while place:
        match = pattern.match(text, place.start())
        if match:
            yield match
        place = start.search(text, (match or place).end())
