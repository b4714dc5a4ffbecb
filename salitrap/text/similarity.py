"""Character features and their Jaccard similarity (filters f2 and f3)."""

from __future__ import annotations

from collections.abc import Set


def features(text: str, n: int) -> frozenset[str]:
    """Character n-grams of ``text`` as given; the whole text when it is shorter than ``n``.

    Short texts stay distinct that way; only the empty text has no feature.

    Raises:
        ValueError: ``n`` is not positive.
    """
    if n < 1:
        raise ValueError(f"n-grams need n >= 1, not {n}")
    if len(text) < n:
        return frozenset((text,)) if text else frozenset()
    return frozenset(text[start : start + n] for start in range(len(text) - n + 1))


def jaccard(a: Set[str], b: Set[str]) -> float:
    """Shared share of two sets, 0.0 to 1.0; two empty sets share nothing (0.0)."""
    shared = len(a & b)
    total = len(a) + len(b) - shared
    return shared / total if total else 0.0
