"""Character n-grams as integers: the same sets as ``salitrap.text.features``, compact and exact."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salitrap.text import features, jaccard

Points = NDArray[np.uint32]
"""Code points of a text, shape (characters,)."""
Codes = NDArray[np.uint64]
"""One integer per distinct n-gram, shape (grams,)."""

BASE = 0x110001
"""One more than there are code points: they count from 1, so that no gram is a prefix of another."""
EXACT_UP_TO = 3
"""Up to this n a gram is its code; beyond, different grams may share one, which only ``Grams.size`` knows."""


class Grams(NamedTuple):
    """The distinct n-grams of ``text``; the whole text is the only one when it is shorter than n."""

    text: str
    n: int
    codes: Codes
    size: int


def points_of(text: str) -> Points:
    """Code points of ``text``, lone surrogates included."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def size_of(text: str, n: int, codes: Codes) -> int:
    """How many distinct n-grams ``text`` has, given their codes."""
    return codes.size if n <= EXACT_UP_TO else len(features(text, n))


def score_of_texts(left: str, right: str, n: int) -> float:
    """Jaccard similarity from the texts themselves, for n without exact codes."""
    return jaccard(features(left, n), features(right, n))
