"""Exact search for all earlier sets whose Jaccard similarity reaches a floor.

Every gram toggles one bit of a parity signature, so the signatures of two sets differ in at most
as many bits as the sets differ in grams. More differing bits than (1-t)/(1+t) * (|a|+|b|)
therefore prove J < t. A short signature rules out most pairs, a long one most of the rest, and
the few survivors are compared exactly: no pair is ever missed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curation.dedup.grams import Grams, jaccard_of

LONG_BITS = 1024
SHORT_BITS = LONG_BITS // 2
WORD = 64
MIX = np.uint64(0x9E3779B97F4A7C15)
ROUNDING = 1e-9
FIRST_ROOM = 64


class Match(NamedTuple):
    """An earlier set at or above the floor; ``position`` counts additions from 0."""

    position: int
    score: float


class JaccardIndex:
    """Sets in order of arrival; memory grows with their total size."""

    def __init__(self) -> None:
        self._sets: list[Grams] = []
        self._sizes = np.zeros(FIRST_ROOM, dtype=np.int64)
        self._short = np.zeros((SHORT_BITS // WORD, FIRST_ROOM), dtype=np.uint64)
        self._long = np.zeros((LONG_BITS // WORD, FIRST_ROOM), dtype=np.uint64)

    def __len__(self) -> int:
        return len(self._sets)

    def add(self, grams: Grams) -> int:
        """Append a set and return its position."""
        position = len(self._sets)
        if position == self._sizes.size:
            self._grow()
        signature = _signature(grams)
        self._long[:, position] = signature
        self._short[:, position] = _folded(signature)
        self._sizes[position] = grams.size
        self._sets.append(grams)
        return position

    def matches(self, grams: Grams, floor: float) -> list[Match]:
        """Every set with similarity >= ``floor``, in order of arrival.

        Raises:
            ValueError: the floor is not in (0, 1].
        """
        if not 0.0 < floor <= 1.0:
            raise ValueError(f"floor {floor} is not in (0, 1]")
        scored = (
            Match(int(position), jaccard_of(grams, self._sets[position]))
            for position in self._survivors(grams, floor)
        )
        return [match for match in scored if match.score >= floor]

    def _survivors(self, grams: Grams, floor: float) -> NDArray[np.intp]:
        count, size, signature = len(self._sets), grams.size, _signature(grams)
        sizes = self._sizes[:count]
        bound = (1.0 - floor) / (1.0 + floor) * (sizes + size) + ROUNDING
        near = np.flatnonzero(_differing(self._short[:, :count], _folded(signature)) <= bound)
        near = near[_differing(self._long[:, near], signature) <= bound[near]]
        smaller, larger = np.minimum(sizes[near], size), np.maximum(sizes[near], size)
        return near[smaller >= floor * larger - ROUNDING]

    def _grow(self) -> None:
        room = self._sizes.size
        self._sizes = np.concatenate([self._sizes, np.zeros(room, dtype=np.int64)])
        self._short = np.concatenate([self._short, np.zeros_like(self._short)], axis=1)
        self._long = np.concatenate([self._long, np.zeros_like(self._long)], axis=1)


def _signature(grams: Grams) -> NDArray[np.uint64]:
    bits = (grams * MIX) >> np.uint64(WORD - (LONG_BITS - 1).bit_length())
    odd = np.bincount(bits.astype(np.int64), minlength=LONG_BITS).astype(np.uint8) & 1
    return np.packbits(odd, bitorder="little").view(np.uint64)


def _folded(signature: NDArray[np.uint64]) -> NDArray[np.uint64]:
    half = signature.size // 2
    return signature[:half] ^ signature[half:]


def _differing(columns: NDArray[np.uint64], signature: NDArray[np.uint64]) -> NDArray[np.int64]:
    total = np.zeros(columns.shape[1], dtype=np.int64)
    for word, value in zip(columns, signature, strict=True):
        total += np.bitwise_count(word ^ value)
    return total
