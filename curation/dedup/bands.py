"""Sets of similar size: their signatures side by side, and the bound that excludes most of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from math import ceil, exp, sqrt

import numpy as np

from curation.dedup.engine import ROUNDING, WORD, Engine, Query, Shelf, Signature

FIRST_ROOM = 64
NARROWEST = 256
NARROW_UP_TO = 90
"""Bits of a signature, and the largest set for which so few exclude most; from 256 grams on, two a gram."""
EDGES = tuple(int(16 * 2 ** (step / 2)) for step in range(64))
"""Largest sizes of the bands, each 1.41 times the one before."""


def edges_between(smallest: int, largest: int) -> tuple[int, ...]:
    """The edges of all bands that can hold sizes from ``smallest`` to ``largest``."""
    return EDGES[bisect_left(EDGES, smallest) : bisect_left(EDGES, largest) + 1]


class Band:
    """Sets of at most ``edge`` grams, and more than the edge before."""

    def __init__(self, edge: int) -> None:
        self.edge = edge
        self.bits = NARROWEST if edge <= NARROW_UP_TO else 2 * NARROWEST
        while self.bits < 2 * edge:
            self.bits *= 2
        self.count = 0
        words = self.bits // WORD
        self._shelf = Shelf(
            coarse=np.zeros((words, FIRST_ROOM), dtype=np.uint64),
            fine=np.zeros((FIRST_ROOM, 2 * words), dtype=np.uint64),
            sizes=np.zeros(FIRST_ROOM, dtype=np.int32),
        )
        self._positions = np.zeros(FIRST_ROOM, dtype=np.int64)

    @property
    def fine_bits(self) -> int:
        """Width of the signature that ``add`` and ``near`` are given."""
        return 2 * self.bits

    def add(self, position: int, size: int, signature: Signature) -> None:
        """Append a set."""
        if self.count == self._positions.size:
            self._grow()
        place = self.count
        self._shelf.coarse[:, place] = folded(signature, self.bits)
        self._shelf.fine[place] = signature
        self._shelf.sizes[place], self._positions[place] = size, position
        self.count += 1

    def near(
        self, engine: Engine, signature: Signature, size: int, floor: float
    ) -> Iterator[tuple[int, int]]:
        """(position, size) of each set that may reach similarity ``floor`` with one of ``size`` grams."""
        slope = (1.0 - floor) / (1.0 + floor)
        most = int(slope * (size + self.edge) + ROUNDING)
        coarse = folded(signature, self.bits)
        first = words_enough(coarse.size, size + self.edge, most)
        places = engine.near(self._shelf, self.count, Query(coarse, signature, size, slope, most, first))
        for place in places.tolist():
            yield int(self._positions[place]), int(self._shelf.sizes[place])

    def _grow(self) -> None:
        room = max(FIRST_ROOM, self.count // 2)
        coarse, fine, sizes = self._shelf
        self._shelf = Shelf(
            np.pad(coarse, ((0, 0), (0, room))), np.pad(fine, ((0, room), (0, 0))), np.pad(sizes, (0, room))
        )
        self._positions = np.pad(self._positions, (0, room))


def folded(signature: Signature, bits: int) -> Signature:
    """The signature of the same set at a smaller width: halves laid over each other."""
    while signature.size * WORD > bits:
        half = signature.size // 2
        signature = np.bitwise_xor(signature[:half], signature[half:])
    return signature


@lru_cache(maxsize=4096)
def words_enough(words: int, grams: int, most: int) -> int:
    """How many words to read of most signatures: those in which unrelated sets exceed ``most`` bits.

    Any answer gives the same result; this one saves reading. Texts of one corpus share some grams,
    hence the 0.55.
    """
    bits = words * WORD
    expected = bits / 2 * (1 - exp(-2 * 0.55 * grams / bits))
    share = (most + 2.5 * sqrt(most / 2)) / expected if expected else 1.0
    return min(words, max(1, ceil(words * share)))
