"""How near two triples (tool, object, action) are, once synonyms count as one word (filter f4).

The parts are compared character by character with rapidfuzz's ratio, word order aside. The score of a pair is
that of its least similar part: a trap with another action, or with another object, is another trap.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rapidfuzz import fuzz

from salitrap.records import Triple
from salitrap.text import script_of
from salitrap.text.synonyms import Synonyms, shipped_synonyms

Parts = tuple[str, str, str]


class Nearest(NamedTuple):
    """The triple of ``owner`` and its score, in [0, 1]."""

    owner: str
    score: float


def canonical_parts(triple: Triple, synonyms: Synonyms | None = None) -> Parts:
    """Normal form of tool, object and action with one word for all synonyms; equal means the same triple."""
    table = shipped_synonyms() if synonyms is None else synonyms
    return (table.thing(triple.tool), table.thing(triple.object), table.action(triple.action))


def near_triple(left: Triple, right: Triple, synonyms: Synonyms | None = None) -> float:
    """Similarity in [0, 1] of the least similar part; 1.0 when all parts are equal after synonyms.

    Parts of different scripts score 0.0, and so does an empty part, whatever it is compared with.
    """
    return parts_score(canonical_parts(left, synonyms), canonical_parts(right, synonyms))


def parts_score(left: Parts, right: Parts) -> float:
    """The same for canonical parts."""
    return min(part_score(mine, theirs) for mine, theirs in zip(left, right, strict=True))


def part_scores(left: Triple, right: Triple, synonyms: Synonyms | None = None) -> tuple[float, float, float]:
    """Similarity in [0, 1] of the tools, of the objects and of the actions."""
    mine, theirs = canonical_parts(left, synonyms), canonical_parts(right, synonyms)
    tool, thing, action = (part_score(one, other) for one, other in zip(mine, theirs, strict=True))
    return tool, thing, action


def part_score(left: str, right: str) -> float:
    """Similarity in [0, 1] of two normal forms, as they stand: nothing is stripped from them."""
    if not left.strip() or not right.strip() or script_of(left) is not script_of(right):
        return 0.0
    if left == right:
        return 1.0
    return min(fuzz.token_sort_ratio(left, right, processor=None) / 100.0, _BELOW_EQUAL)


def nearest_triple(
    triple: Triple, others: Iterable[tuple[str, Triple]], cutoff: float, synonyms: Synonyms | None = None
) -> Nearest | None:
    """The first of the nearest ``others`` (owner, triple) that scores at least ``cutoff``; None when none."""
    best: Nearest | None = None
    for owner, other in others:
        score = near_triple(triple, other, synonyms)
        if score >= cutoff and (best is None or score > best.score):
            best = Nearest(owner, score)
    return best


_BELOW_EQUAL = 1.0 - 1e-6
"""Words in another order are near, not equal: only equal normal forms score 1.0."""
