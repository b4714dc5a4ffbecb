"""Exact search for all earlier texts whose Jaccard similarity reaches a floor.

Every gram toggles one bit of a parity signature, so the signatures of two sets differ in at most as many
bits as the sets differ in grams. More differing bits than (1-t)/(1+t) * (|a|+|b|) therefore prove J < t.
Sets are kept in bands of similar size, each with a width that suits the size; bands that are too small or
too large are skipped, signatures rule out nearly all the rest, and what is left is compared exactly: no
pair is ever missed, none is reported that does not reach the floor.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curation.dedup.bands import Band, edge_of, plan
from curation.dedup.engine import Engine, NumpyEngine, fast_engine
from curation.dedup.grams import EXACT_UP_TO, Grams, points_of, score_of_texts, size_of
from curation.dedup.signatures import Places

EngineName = Literal["auto", "numpy", "numba"]
SMALL = 4096
"""Below this size numpy is fast enough, and the compiled engine is not worth its start-up."""


_NO_WORDS = np.empty(0, dtype=np.uint64)


class Match(NamedTuple):
    """An earlier text at or above the floor; ``position`` counts additions from 0."""

    position: int
    score: float


class JaccardIndex:
    """Texts in normal form, in order of arrival; memory grows with their total length."""

    def __init__(self, n: int, engine: EngineName = "auto") -> None:
        """Compare n-grams of characters.

        Raises:
            ValueError: ``n`` is not positive.
            ImportError: the engine ``numba`` is asked for and not installed.
        """
        if n < 1:
            raise ValueError(f"n-grams need n >= 1, not {n}")
        self.n, self._wanted = n, engine
        self._texts, self._bands = list[str](), dict[int, Band]()
        self._edges: tuple[int, ...] = ()
        self._engine: Engine = NumpyEngine()
        if engine == "numba":
            self._use_fast()

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def engine(self) -> str:
        """Name of the engine in use."""
        return self._engine.name

    def grams(self, text: str) -> Grams:
        """Prepare ``text`` once for a search and an addition."""
        codes = self._engine.codes(points_of(text), self.n)
        return Grams(text, self.n, codes, size_of(text, self.n, codes))

    def add(self, grams: Grams) -> int:
        """Append a text and return its position."""
        position = len(self._texts)
        edge = edge_of(grams.size)
        band = self._bands.get(edge)
        if band is None:
            band = self._bands[edge] = Band(edge)
            self._edges = tuple(sorted(self._bands))
        band.add(position, grams.size, self._engine.signatures(grams.codes, band.widths))
        self._texts.append(grams.text)
        if len(self._texts) == SMALL and self._wanted == "auto":
            self._engine = fast_engine() or self._engine
        return position

    def matches(self, grams: Grams, floor: float) -> list[Match]:
        """Every text with similarity >= ``floor``, in order of arrival.

        Raises:
            ValueError: the floor is not in (0, 1].
        """
        if not 0.0 < floor <= 1.0:
            raise ValueError(f"floor {floor} is not in (0, 1]")
        near = self._near(grams, floor) if grams.size else []
        if not near:
            return []
        positions, sizes = near[0] if len(near) == 1 else map(np.concatenate, zip(*near, strict=True))
        scores = self._scores(grams, positions, sizes)
        reached = scores >= floor
        found = zip(positions[reached].tolist(), scores[reached].tolist(), strict=True)
        return list(map(Match._make, sorted(found)))

    def nearest(self, grams: Grams, floor: float) -> Match | None:
        """The most similar text at or above ``floor``, the oldest of equals."""
        return best(self.matches(grams, floor))

    def _near(self, grams: Grams, floor: float) -> list[tuple[Places, NDArray[np.int32]]]:
        """Positions and sizes of the texts that the bounds do not exclude, band by band."""
        found = list[tuple[Places, NDArray[np.int32]]]()
        windows, widths = plan(grams.size, floor, self._edges)
        words = self._engine.signatures(grams.codes, widths) if windows else _NO_WORDS
        for edge, part, bound in windows:
            band = self._bands[edge]
            places = self._engine.near(band.shelf, band.count, words[part], bound)
            if places.size:
                found.append(band.at(places))
        return found

    def _scores(self, grams: Grams, positions: Places, sizes: NDArray[np.int32]) -> NDArray[np.float64]:
        texts = [self._texts[position] for position in positions.tolist()]
        if self.n > EXACT_UP_TO:
            return np.array([score_of_texts(grams.text, text, self.n) for text in texts])
        common = self._engine.common(grams.codes, texts, self.n)
        return common / (grams.size + sizes - common)

    def _use_fast(self) -> None:
        engine = fast_engine()
        if engine is None:
            raise ImportError('the engine "numba" is not installed; install the extra: salitrap[fast]')
        self._engine = engine


def best(matches: list[Match]) -> Match | None:
    """The highest score; the oldest of equals."""
    return max(matches, key=lambda match: (match.score, -match.position), default=None)
