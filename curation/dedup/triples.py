"""(tool, object, action) of the accepted seeds: equal triples, and near ones. Synonyms count as one word."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from curation.dedup.near_triples import Nearest, Parts, canonical_parts, parts_score
from salitrap.records import Seed

Cell = tuple[str, str]
"""Dimension and language."""
NEAR_FROM = 0.7
"""Similarity of the least similar part from which a pair is listed (docs/dedup-thresholds.md)."""
SLACK = 0.1
"""The quick look is in single precision: it stops at tools this much below, in per cent."""


class Entry(NamedTuple):
    """A seed's triple, synonyms replaced, and where it belongs."""

    owner: str
    cell: Cell
    parts: Parts


def entry_of(seed: Seed) -> Entry:
    """Take the triple of a seed, once for all methods of the book."""
    cell = (seed.dimension_tag, seed.language.value)
    return Entry(seed.seed_id, cell, canonical_parts(seed.triple))


class TripleBook:
    """Equal triples are looked up everywhere, near ones within a dimension and language."""

    def __init__(self) -> None:
        self._whole: dict[Parts, list[str]] = {}
        self._pairs: dict[tuple[Cell, int, str, str], list[str]] = {}
        self._cells: dict[Cell, dict[str, Parts]] = {}

    def add(self, entry: Entry) -> None:
        """Enter a triple."""
        self._whole.setdefault(entry.parts, []).append(entry.owner)
        for key in _pairs(entry):
            self._pairs.setdefault(key, []).append(entry.owner)
        self._cells.setdefault(entry.cell, {})[entry.owner] = entry.parts

    def remove(self, entry: Entry) -> None:
        """Take a triple out."""
        self._whole[entry.parts].remove(entry.owner)
        for key in _pairs(entry):
            self._pairs[key].remove(entry.owner)
        del self._cells[entry.cell][entry.owner]

    def same(self, entry: Entry) -> str | None:
        """The first seed with the same triple."""
        owners = self._whole.get(entry.parts, [])
        return owners[0] if owners else None

    def sharing_two(self, entry: Entry) -> tuple[str, ...]:
        """Seeds that share at least two parts in the same place, each once."""
        owners = [owner for key in _pairs(entry) for owner in self._pairs.get(key, [])]
        return tuple(dict.fromkeys(owners))

    def nearest(self, entry: Entry) -> Nearest | None:
        """The first of the most similar triples in the same place.

        Its score, that of the least similar part in [0, 1], reaches ``NEAR_FROM``, or two parts are equal.
        """
        known = self._cells.get(entry.cell, {})
        best: Nearest | None = None
        for owner in (*self._with_a_near_tool(entry), *self.sharing_two(entry)[:1]):
            score = parts_score(entry.parts, known[owner])
            if best is None or score > best.score:
                best = Nearest(owner, score)
        return best

    def _with_a_near_tool(self, entry: Entry) -> list[str]:
        known = self._cells.get(entry.cell, {})
        if not known:
            return []
        owners, tools = list(known), [parts[0] for parts in known.values()]
        alike = process.cdist([entry.parts[0]], tools, scorer=fuzz.token_sort_ratio, processor=None)[0]
        near = [owners[place] for place in np.flatnonzero(alike >= 100.0 * NEAR_FROM - SLACK)]
        return [owner for owner in near if parts_score(entry.parts, known[owner]) >= NEAR_FROM]


def _pairs(entry: Entry) -> list[tuple[Cell, int, str, str]]:
    tool, thing, action = entry.parts
    return [(entry.cell, 0, thing, action), (entry.cell, 1, tool, action), (entry.cell, 2, tool, thing)]
