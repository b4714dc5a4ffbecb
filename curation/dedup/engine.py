"""The four inner loops of the index, in numpy; ``compiled`` has the same four for numba."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from curation.dedup.grams import BASE, Codes, Points

Signature = NDArray[np.uint64]
"""Parity bits of a set, shape (words,)."""
Places = NDArray[np.int64]

WORD = 64
MIX = 0x9E3779B97F4A7C15
KEPT_BITS = 40
"""A code's place in a signature is ``(code * MIX mod 2^64) >> 40``, modulo the width."""
ROUNDING = 1e-9
CHUNK = 16384
"""Columns compared at a time: what is in work stays in the processor's cache."""


class Shelf(NamedTuple):
    """Signatures of sets of similar size; columns and rows beyond the sets in use are free."""

    coarse: NDArray[np.uint64]
    """Shape (words, room): read for every set."""
    fine: NDArray[np.uint64]
    """Shape (room, 2 * words): read for the few that the coarse ones do not exclude."""
    sizes: NDArray[np.int32]
    """Grams a set, shape (room,)."""


class Query(NamedTuple):
    """A set to look for, with what excludes others."""

    coarse: Signature
    fine: Signature
    size: int
    slope: float
    """A set of ``s`` grams is excluded by more than ``slope * (size + s)`` differing bits."""
    most: int
    """That bound for the largest set of the shelf."""
    first: int
    """Words of the coarse signature to read before those are dropped that exceed ``most`` already."""


class Engine(Protocol):
    """Computes on code points, codes and signatures; all engines give the same numbers."""

    name: str

    def codes(self, points: Points, n: int) -> Codes:
        """Distinct n-grams in any order; the whole text as one when it is shorter than n."""

    def signature(self, codes: Codes, bits: int) -> Signature:
        """Parity signature of ``bits`` bits, a power of two from 64 on: every code toggles one bit."""

    def common(self, codes: Codes, points: Points, n: int) -> int:
        """How many of ``codes`` (as ``codes`` returned them) the text of ``points`` has too."""

    def near(self, shelf: Shelf, count: int, query: Query) -> Places:
        """Which of the first ``count`` sets are not excluded, ascending."""


class NumpyEngine:
    """Needs nothing but numpy."""

    name = "numpy"

    def __init__(self) -> None:
        self._bits = np.empty((0, CHUNK), dtype=np.uint64)
        self._counts = np.empty((0, CHUNK), dtype=np.uint8)

    def codes(self, points: Points, n: int) -> Codes:
        """Distinct n-grams, ascending."""
        codes = encoded(points, n)
        if codes.size < 2:
            return codes
        codes.sort()
        distinct: Codes = codes[np.concatenate((_TRUE, codes[1:] != codes[:-1]))]
        return distinct

    def signature(self, codes: Codes, bits: int) -> Signature:
        """One bit toggled a code."""
        places = (codes * np.uint64(MIX)) >> np.uint64(KEPT_BITS) & np.uint64(bits - 1)
        odd = np.bincount(places.astype(np.int64), minlength=bits).astype(np.uint8) & 1
        words: Signature = np.packbits(odd, bitorder="little").view(np.uint64)
        return words

    def common(self, codes: Codes, points: Points, n: int) -> int:
        """Binary search of every gram of the text."""
        others = encoded(points, n)
        if not codes.size or not others.size:
            return 0
        places = np.minimum(np.searchsorted(codes, others), codes.size - 1)
        seen = np.zeros(codes.size, dtype=bool)
        seen[places[codes[places] == others]] = True
        return int(np.count_nonzero(seen))

    def near(self, shelf: Shelf, count: int, query: Query) -> Places:
        """Chunk by chunk: first words, then the other words, then the fine signatures."""
        found = [
            _finely(
                shelf,
                query,
                start + self._coarsely(shelf.coarse[:, start : min(start + CHUNK, count)], query),
            )
            for start in range(0, count, CHUNK)
        ]
        return np.concatenate(found) if found else np.empty(0, dtype=np.int64)

    def _coarsely(self, columns: NDArray[np.uint64], query: Query) -> Places:
        first, signature = query.first, query.coarse
        differing = self._differing(columns[:first], signature[:first])
        left = np.flatnonzero(differing <= query.most)
        if left.size and first < signature.size:
            rest = np.bitwise_count(columns[first:, left] ^ signature[first:, None])
            left = left[differing[left] + rest.sum(axis=0, dtype=np.int64) <= query.most]
        return left

    def _differing(self, columns: NDArray[np.uint64], signature: Signature) -> NDArray[np.uint32]:
        words, count = columns.shape
        if words > len(self._bits):
            self._bits = np.empty((words, CHUNK), dtype=np.uint64)
            self._counts = np.empty((words, CHUNK), dtype=np.uint8)
        bits, counts = self._bits[:words, :count], self._counts[:words, :count]
        np.bitwise_xor(columns, signature[:, None], out=bits)
        np.bitwise_count(bits, out=counts)
        totals: NDArray[np.uint32] = np.add.reduce(counts, axis=0, dtype=np.uint32)
        return totals


def _finely(shelf: Shelf, query: Query, places: Places) -> Places:
    if not places.size:
        return places
    differing = np.bitwise_count(shelf.fine[places] ^ query.fine).sum(axis=1, dtype=np.int64)
    near: Places = places[differing <= query.slope * (query.size + shelf.sizes[places]) + ROUNDING]
    return near


_TRUE = np.ones(1, dtype=bool)


def encoded(points: Points, n: int) -> Codes:
    """Codes of all n-grams in text order, repeats included."""
    length = min(n, points.size)
    if not length:
        return np.empty(0, dtype=np.uint64)
    wide = points.astype(np.uint64) + np.uint64(1)
    codes = wide[: points.size - length + 1].copy()
    for offset in range(1, length):
        codes *= np.uint64(BASE)
        codes += wide[offset : offset + codes.size]
    return codes


def fast_engine() -> Engine | None:
    """The compiled engine, or None where numba is not installed (extra ``fast``) or does not load."""
    try:
        from curation.dedup.compiled import NumbaEngine
    except (ImportError, OSError):
        return None
    return NumbaEngine()
