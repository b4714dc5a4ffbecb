"""Hints for names that were mistyped."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_LISTED = 16


def nearest(given: str, known: Iterable[str]) -> str | None:
    """Return the known name that ``given`` comes close to, in any case; None when nothing does."""
    folded = {name.lower(): str(name) for name in reversed(list(known))}
    near = get_close_matches(given.strip().lower(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return ``did you mean 'x'?`` for a near miss, otherwise the known names, in their order."""
    names = list(known)
    near = nearest(given, names)
    if near is not None:
        return f"did you mean {near!r}?"
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"known are {', '.join(names[:MOST_LISTED])}{more}"
