"""What the index and its engines share: parity signatures, shelves of them, and what excludes a set.

Every code toggles one bit of a signature, so the signatures of two sets differ in at most as many bits as
the sets differ in codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Signature = NDArray[np.uint64]
"""Parity bits of a set, shape (words,)."""
Places = NDArray[np.int64]
"""Where sets stand on a shelf, counted from 0, shape (found,)."""
Counts = NDArray[np.int64]
"""How many codes, one figure a text, shape (texts,)."""

WORD = 64
MIX = 0x9E3779B97F4A7C15
KEPT_BITS = 40
"""A code's place in a signature is ``(code * MIX mod 2^64) >> 40``, modulo the width."""
FINER = 4
"""Fine signatures are so many times as wide as coarse ones."""
ROUNDING = 1e-9


class Widths(NamedTuple):
    """How wide signatures are that are computed together and laid one behind the other."""

    bits: NDArray[np.int64]
    """Multiples of 64, shape (signatures,)."""
    starts: NDArray[np.int64]
    """Bits before each of them, shape (signatures,)."""
    total: int

    @classmethod
    def of(cls, words: Sequence[int]) -> Widths:
        """Widths of so many words each."""
        bits = WORD * np.array(words, dtype=np.int64)
        return cls(bits, np.cumsum(bits) - bits, int(bits.sum()))


class Shelf(NamedTuple):
    """Signatures of sets of similar size; columns and rows beyond the sets in use are free."""

    coarse: NDArray[np.uint64]
    """Shape (words, room): read for every set."""
    fine: NDArray[np.uint64]
    """Shape (room, FINER * words): read for the few that the coarse ones do not exclude."""
    sizes: NDArray[np.int32]
    """Grams a set, shape (room,)."""


class Bound(NamedTuple):
    """What excludes sets of a shelf from being similar to one of ``size`` grams."""

    size: int
    slope: float
    """A set of ``s`` grams is excluded by more than ``slope * (size + s)`` differing bits."""
    most: int
    """That many for the largest set of the shelf."""
    first: int
    """Words of the coarse signature to read before those are dropped that exceed ``most`` already."""


def folded(signature: Signature) -> Signature:
    """The coarse signature of a set from its fine one: parts laid over each other."""
    coarse: Signature = np.bitwise_xor.reduce(signature.reshape(FINER, -1), axis=0)
    return coarse
