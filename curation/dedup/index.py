"""Exact search for all earlier texts whose Jaccard similarity reaches a floor.

Every gram toggles one bit of a parity signature, so the signatures of two sets differ in at most as many
bits as the sets differ in grams. More differing bits than (1-t)/(1+t) * (|a|+|b|) therefore prove J < t.
Sets are kept in bands of similar size, each with a width that suits the size; bands that are too small or
too large are skipped, signatures rule out nearly all the rest, and what is left is compared exactly: no
pair is ever missed, none is reported that does not reach the floor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from curation.dedup.bands import Band, edges_between, folded
from curation.dedup.engine import ROUNDING, Engine, NumpyEngine, fast_engine
from curation.dedup.grams import EXACT_UP_TO, Grams, points_of, score, score_of_texts, size_of

EngineName = Literal["auto", "numpy", "numba"]
SMALL = 4096
"""Below this size numpy is fast enough, and the compiled engine is not worth its start-up."""


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
        (edge,) = edges_between(grams.size, grams.size)
        band = self._bands.get(edge)
        if band is None:
            band = self._bands[edge] = Band(edge)
        band.add(position, grams.size, self._engine.signature(grams.codes, band.fine_bits))
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
        scored = (
            Match(position, self._score(grams, position, size)) for position, size in self._near(grams, floor)
        )
        return sorted(match for match in scored if match.score >= floor)

    def nearest(self, grams: Grams, floor: float) -> Match | None:
        """The most similar text at or above ``floor``, the oldest of equals."""
        return best(self.matches(grams, floor))

    def _score(self, grams: Grams, position: int, size: int) -> float:
        other = self._texts[position]
        if self.n > EXACT_UP_TO:
            return score_of_texts(grams.text, other, self.n)
        if other == grams.text:
            return 1.0 if size else 0.0
        return score(self._engine.common(grams.codes, points_of(other), self.n), grams.size, size)

    def _near(self, grams: Grams, floor: float) -> Iterator[tuple[int, int]]:
        """(position, size) of the texts that the bounds do not exclude."""
        if not grams.size:
            return
        lowest, highest = floor * grams.size - ROUNDING, grams.size / floor + ROUNDING
        edges = edges_between(int(lowest), int(highest))
        bands = [self._bands[edge] for edge in edges if edge in self._bands]
        if not bands:
            return
        signature = self._engine.signature(grams.codes, max(band.fine_bits for band in bands))
        for band in reversed(bands):
            signature = folded(signature, band.fine_bits)
            for position, size in band.near(self._engine, signature, grams.size, floor):
                if lowest <= size <= highest:
                    yield position, size

    def _use_fast(self) -> None:
        engine = fast_engine()
        if engine is None:
            raise ImportError('the engine "numba" is not installed; install the extra: salitrap[fast]')
        self._engine = engine


def best(matches: list[Match]) -> Match | None:
    """The highest score; the oldest of equals."""
    return max(matches, key=lambda match: (match.score, -match.position), default=None)
