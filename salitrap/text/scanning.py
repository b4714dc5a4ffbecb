"""Regular expressions that are tried only where a match can begin."""

from __future__ import annotations

import re


def matches_from(start: re.Pattern[str], pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Return what ``pattern.finditer(text)`` yields, given that every match begins where ``start`` matches.

    ``start`` is a single set of characters, which the engine skips through many times faster than it
    tries a long pattern. Empty matches are not foreseen.
    """
    found, search, tried = list[re.Match[str]](), start.search, pattern.match
    place = search(text)
    while place:
        match = tried(text, place.start())
        if match:
            found.append(match)
            place = match
        place = search(text, place.end())
    return found
