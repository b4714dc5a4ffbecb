"""The four inner loops of the index, in numpy; ``compiled`` has the same four for numba."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from curation.dedup.grams import BASE, Codes, Points, points_of
from curation.dedup.signatures import (
    KEPT_BITS,
    MIX,
    ROUNDING,
    Bound,
    Counts,
    Places,
    Shelf,
    Signature,
    Widths,
    folded,
)

CHUNK = 16384
"""Columns compared at a time: what is in work stays in the processor's cache."""
BYTE = 255
"""Bounds up to here are compared with counts of one byte."""


class Engine(Protocol):
    """Computes on code points, codes and signatures; all engines give the same numbers."""

    name: str

    def codes(self, points: Points, n: int) -> Codes:
        """Distinct n-grams in any order; the whole text as one when it is shorter than n."""

    def signatures(self, codes: Codes, widths: Widths) -> Signature:
        """Parity signatures of one set in several widths, one behind the other."""

    def common(self, codes: Codes, texts: Sequence[str], n: int) -> Counts:
        """How many of ``codes`` (as ``codes`` returned them) each of the texts has too."""

    def near(self, shelf: Shelf, count: int, signature: Signature, bound: Bound) -> Places:
        """Which of the first ``count`` sets are not excluded, ascending; ``signature`` is a fine one."""


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
        new = np.ones(codes.size, dtype=bool)
        np.not_equal(codes[1:], codes[:-1], out=new[1:])
        distinct: Codes = codes[new]
        return distinct

    def signatures(self, codes: Codes, widths: Widths) -> Signature:
        """Bits of all widths are counted in one go."""
        mixed = ((codes * np.uint64(MIX)) >> np.uint64(KEPT_BITS)).view(np.int64)
        places = mixed % widths.bits[:, None]
        places += widths.starts[:, None]
        odd = np.bincount(places.ravel(), minlength=widths.total).astype(np.uint8) & 1
        words: Signature = np.packbits(odd, bitorder="little").view(np.uint64)
        return words

    def common(self, codes: Codes, texts: Sequence[str], n: int) -> Counts:
        """Binary search of every gram of the texts, all of them in one go."""
        counts = np.zeros(len(texts), dtype=np.int64)
        if not codes.size:
            return counts
        counts += np.count_nonzero(_seen(codes, texts, n), axis=1)
        for place, text in enumerate(texts):
            if 0 < len(text) < n:
                counts[place] = np.count_nonzero(codes == encoded(points_of(text), n))
        return counts

    def near(self, shelf: Shelf, count: int, signature: Signature, bound: Bound) -> Places:
        """Chunk by chunk: the first coarse words of all sets, then the fine signatures of those left."""
        coarse = folded(signature)[: bound.first]
        found = [_NOWHERE]
        for start in range(0, count, CHUNK):
            chunk = slice(start, min(start + CHUNK, count))
            differing = self._differing(shelf.coarse[: bound.first, chunk], coarse, bound.most)
            (left,) = (differing <= bound.most).nonzero()
            if left.size:
                found.append(_finely(shelf, left + start, differing[left], signature, bound))
        return found[-1] if len(found) < 3 else np.concatenate(found)

    def _differing(
        self, columns: NDArray[np.uint64], signature: Signature, most: int
    ) -> NDArray[np.unsignedinteger]:
        """Differing bits by column; a count beyond ``most`` may come out too small, none too large."""
        words, count = columns.shape
        if words > len(self._bits):
            self._bits = np.empty((words, CHUNK), dtype=np.uint64)
            self._counts = np.empty((words, CHUNK), dtype=np.uint8)
        bits, counts = self._bits[:words, :count], self._counts[:words, :count]
        np.bitwise_xor(columns, signature[:, None], out=bits)
        np.bitwise_count(bits, out=counts)
        totals: NDArray[np.unsignedinteger] = np.add.reduce(
            counts, axis=0, dtype=np.uint8 if most <= BYTE else np.uint32
        )
        return totals


def _seen(codes: Codes, texts: Sequence[str], n: int) -> NDArray[np.bool_]:
    """Which codes each text of at least n characters has, shape (texts, codes)."""
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    others = encoded(points_of("".join(texts)), n)
    within = owners[: others.size] == owners[owners.size - others.size :]
    places = np.minimum(np.searchsorted(codes, others), codes.size - 1)
    found = np.flatnonzero((codes[places] == others) & within)
    seen = np.zeros((len(texts), codes.size), dtype=bool)
    seen[owners[found], places[found]] = True
    return seen


def _finely(
    shelf: Shelf,
    places: Places,
    coarsely: NDArray[np.unsignedinteger],
    signature: Signature,
    bound: Bound,
) -> Places:
    """Those of ``places`` that their own bounds do not exclude; ``coarsely`` are the bits counted so far."""
    bounds = bound.slope * shelf.sizes.take(places) + (bound.slope * bound.size + ROUNDING)
    left = coarsely <= bounds
    places, bounds = places[left], bounds[left]
    if not places.size:
        return places
    differing = np.bitwise_count(shelf.fine.take(places, axis=0) ^ signature).sum(axis=1)
    near: Places = places[differing <= bounds]
    return near


_NOWHERE = np.empty(0, dtype=np.int64)


def encoded(points: Points, n: int) -> Codes:
    """Codes of all n-grams in text order, repeats included."""
    length = min(n, points.size)
    if not length:
        return np.empty(0, dtype=np.uint64)
    wide = points.astype(np.uint64)
    wide += np.uint64(1)
    codes: Codes = wide[: points.size - length + 1]
    for offset in range(1, length):
        codes = codes * np.uint64(BASE)
        codes += wide[offset : offset + codes.size]
    return codes


def fast_engine() -> Engine | None:
    """The compiled engine, or None where numba is not installed (extra ``fast``) or does not load."""
    try:
        from curation.dedup.compiled import NumbaEngine
    except (ImportError, OSError):
        return None
    return NumbaEngine()
