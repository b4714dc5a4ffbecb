"""Sets of similar size: their signatures side by side, and which bands a search has to look at."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate, pairwise
from math import ceil, exp, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curation.dedup.signatures import FINER, ROUNDING, WORD, Bound, Places, Shelf, Signature, Widths, folded

FIRST_ROOM = 64
NARROWEST = 3
BITS_A_GRAM = 2
"""Words of the narrowest coarse signatures; wider ones have so many bits for each gram of the largest set."""
EDGES = tuple(int(16 * 2 ** (step / 2)) for step in range(128))
"""Largest sizes of the bands, each 1.41 times the one before."""


class Window(NamedTuple):
    """A band that may hold what a search looks for."""

    edge: int
    part: slice
    """Where its words are among those of all signatures of the plan."""
    bound: Bound


class Plan(NamedTuple):
    """Which bands to search, and with signatures of which widths."""

    windows: tuple[Window, ...]
    widths: Widths


def edge_of(size: int) -> int:
    """The edge of the band for sets of ``size`` grams."""
    return EDGES[bisect_left(EDGES, size)]


@lru_cache(maxsize=4096)
def plan(size: int, floor: float, edges: tuple[int, ...]) -> Plan:
    """Which of the bands with these edges can reach similarity ``floor`` with a set of ``size`` grams."""
    smallest, largest = int(floor * size - ROUNDING), int(size / floor + ROUNDING)
    reached = [edge for edge in edges if edge_of(smallest) <= edge <= edge_of(largest)]
    words = [FINER * coarse_words(edge) for edge in reached]
    parts = (slice(*ends) for ends in pairwise(accumulate(words, initial=0)))
    windows = [
        Window(edge, part, bound(edge, size, floor)) for edge, part in zip(reached, parts, strict=True)
    ]
    return Plan(tuple(windows), Widths.of(words))


def bound(edge: int, size: int, floor: float) -> Bound:
    """What excludes sets of a band. ``d`` differing grams of ``g`` mean a similarity of (g - d) / (g + d)."""
    slope = (1.0 - floor) / (1.0 + floor)
    most = int(slope * (size + edge) + ROUNDING)
    return Bound(size, slope, most, words_enough(coarse_words(edge), size + edge, most))


def coarse_words(edge: int) -> int:
    """Words of the coarse signatures of a band."""
    return max(NARROWEST, ceil(BITS_A_GRAM * edge / WORD))


def words_enough(words: int, grams: int, most: int) -> int:
    """How many words to read of most signatures: those in which unrelated sets exceed ``most`` bits.

    Any answer gives the same result; this one saves reading. Texts of one corpus share some grams,
    hence the 0.55.
    """
    bits = words * WORD
    expected = bits / 2 * (1 - exp(-2 * 0.55 * grams / bits))
    share = (most + 2.5 * sqrt(most / 2)) / expected if expected else 1.0
    return min(words, max(NARROWEST, ceil(words * share)))


class Band:
    """Sets of at most ``edge`` grams, and more than the edge before."""

    def __init__(self, edge: int) -> None:
        words = coarse_words(edge)
        self.edge, self.count, self.widths = edge, 0, Widths.of([FINER * words])
        self.shelf = Shelf(
            coarse=np.zeros((words, FIRST_ROOM), dtype=np.uint64),
            fine=np.zeros((FIRST_ROOM, FINER * words), dtype=np.uint64),
            sizes=np.zeros(FIRST_ROOM, dtype=np.int32),
        )
        self._positions = np.zeros(FIRST_ROOM, dtype=np.int64)

    def add(self, position: int, size: int, signature: Signature) -> None:
        """Append a set with its fine signature."""
        if self.count == self._positions.size:
            self._grow()
        place = self.count
        self.shelf.coarse[:, place] = folded(signature)
        self.shelf.fine[place] = signature
        self.shelf.sizes[place], self._positions[place] = size, position
        self.count += 1

    def at(self, places: Places) -> tuple[Places, NDArray[np.int32]]:
        """Positions and sizes of the sets at ``places``."""
        return self._positions[places], self.shelf.sizes[places]

    def _grow(self) -> None:
        room = max(FIRST_ROOM, self.count // 2)
        coarse, fine, sizes = self.shelf
        self.shelf = Shelf(
            np.pad(coarse, ((0, 0), (0, room))), np.pad(fine, ((0, room), (0, 0))), np.pad(sizes, (0, room))
        )
        self._positions = np.pad(self._positions, (0, room))
