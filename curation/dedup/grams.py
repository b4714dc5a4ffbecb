"""Character n-grams as sorted integers: the same sets as ``salitrap.text.features``, compact and exact."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from salitrap.text import features

Grams = NDArray[np.uint64]
CODE_POINTS = 0x110000
EXACT_UP_TO = 3


def grams(text: str, n: int) -> Grams:
    """Return the distinct n-grams of ``text``, ascending; the whole text when it is shorter than n.

    Up to n = 3 the encoding is injective; beyond, grams are 64-bit BLAKE2 digests.
    """
    if n > EXACT_UP_TO or len(text) < n:
        return _unique(_encoded(gram, n) for gram in features(text, n))
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64) + 1
    codes = np.zeros(len(points) - n + 1, dtype=np.uint64)
    for offset in range(n):
        codes = codes * np.uint64(CODE_POINTS + 1) + points[offset : offset + len(codes)]
    return np.unique(codes)


def jaccard_of(left: Grams, right: Grams) -> float:
    """Share of common grams; two empty sets have none."""
    common = int(np.intersect1d(left, right, assume_unique=True).size)
    union = left.size + right.size - common
    return common / union if union else 0.0


def _unique(codes: Iterable[int]) -> Grams:
    return np.unique(np.fromiter(codes, dtype=np.uint64))


def _encoded(gram: str, n: int) -> int:
    if n > EXACT_UP_TO:
        return int.from_bytes(
            hashlib.blake2b(gram.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
        )
    code = 0
    for character in gram:
        code = code * (CODE_POINTS + 1) + ord(character) + 1
    return code
