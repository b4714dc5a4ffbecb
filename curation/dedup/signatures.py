"""What the index and its engines share: parity signatures, shelves of them, and what a search asks.

Every code toggles one bit of a signature, so the signatures of two sets differ in at most as many bits as
the sets differ in codes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Widths = NDArray[np.int64]
"""Bits of signatures, multiples of 64, shape (signatures,)."""
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
FINER = 3
"""Fine signatures are so many times as wide as coarse ones."""
ROUNDING = 1e-9


class Shelf(NamedTuple):
    """Signatures of sets of similar size; columns and rows beyond the sets in use are free."""

    coarse: NDArray[np.uint64]
    """Shape (words, room): read for every set."""
    fine: NDArray[np.uint64]
    """Shape (room, FINER * words): read for the few that the coarse ones do not exclude."""
    sizes: NDArray[np.int32]
    """Grams a set, shape (room,)."""


class Query(NamedTuple):
    """A set to look for on a shelf, with what excludes others."""

    signature: Signature
    """As wide as the fine ones of the shelf."""
    size: int
    slope: float
    """A set of ``s`` grams is excluded by more than ``slope * (size + s)`` differing bits."""
    most: int
    """That bound for the largest set of the shelf."""
    first: int
    """Words of the coarse signature to read before those are dropped that exceed ``most`` already."""


def folded(signature: Signature) -> Signature:
    """The coarse signature of a set from its fine one: parts laid over each other."""
    coarse: Signature = np.bitwise_xor.reduce(signature.reshape(FINER, -1), axis=0)
    return coarse
