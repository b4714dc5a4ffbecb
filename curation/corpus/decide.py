"""Keep or drop one text after the other, each against all that were kept before it.

A text is dropped when it equals a kept one apart from white space, or when the most similar kept one
reaches the threshold of its script. A pair that differs in numbers or units alone is kept and listed, and
so is a pair below the threshold and from ``review_from`` on. The same number in another script (50, 五十) is
no difference. No other order, no timing and no hash seed enters a decision.
"""

from __future__ import annotations

import unicodedata
from array import array
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b

from curation.dedup.index import EngineName, JaccardIndex, Match
from curation.pairs import ReviewKind
from salitrap.settings import SimilaritySettings
from salitrap.text import Script, phi, script_of
from salitrap.text.units import Frame, differ_only_in_numbers_or_units, frame_of


class Language(StrEnum):
    """Whose feature and threshold apply; ``auto`` decides for each text by its script."""

    AUTO = "auto"
    EN = "en"
    ZH = "zh"


SCRIPTS = {Language.AUTO: None, Language.EN: Script.ALPHABETIC, Language.ZH: Script.CJK}


class Filter(StrEnum):
    """What a text was dropped for."""

    IDENTICAL = "identical"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class Twin:
    """A text kept earlier; ``number`` counts all texts from 0, ``score`` is in [0, 1]."""

    number: int
    score: float


@dataclass(frozen=True, slots=True)
class Decision:
    """``dropped_for`` names the filter, ``review`` why a kept text should be read; both beside ``twin``."""

    dropped_for: Filter | None = None
    review: ReviewKind | None = None
    twin: Twin | None = None

    @property
    def kept(self) -> bool:
        """Whether the text stays."""
        return self.dropped_for is None


class CorpusDeduplicator:
    """What was kept so far; memory grows with the kept texts."""

    def __init__(
        self,
        settings: SimilaritySettings,
        language: Language = Language.AUTO,
        engine: EngineName = "auto",
    ) -> None:
        self._script = SCRIPTS[language]
        self._shelves = {
            Script.CJK: _Shelf(settings.cjk_ngram, settings.cjk_threshold, settings.review_from, engine),
            Script.ALPHABETIC: _Shelf(
                settings.alphabetic_ngram, settings.alphabetic_threshold, settings.review_from, engine
            ),
        }
        self._exact: dict[bytes, int] = {}
        self._count = 0

    @property
    def engine(self) -> str:
        """The fastest engine in use."""
        return min(shelf.engine for shelf in self._shelves.values())

    def add(self, text: str) -> Decision:
        """Decide about the next text and remember it if it is kept."""
        number, self._count = self._count, self._count + 1
        squeezed = "".join(unicodedata.normalize("NFC", text).split())
        if not squeezed:
            return Decision()
        twin = self._exact.setdefault(_digest(squeezed), number)
        if twin != number:
            return Decision(Filter.IDENTICAL, None, Twin(twin, 1.0))
        decision = self._shelves[self._script or script_of(text)].add(number, text)
        if not decision.kept:
            del self._exact[_digest(squeezed)]
        return decision


class _Shelf:
    """The kept texts of one script."""

    def __init__(self, n: int, threshold: float, review_from: float, engine: EngineName) -> None:
        self._index = JaccardIndex(n, engine)
        self._threshold, self._floor = threshold, min(threshold, review_from)
        self._numbers, self._raw = array("q"), list[str]()
        self._forms: dict[str, int] = {}
        self._frames: dict[int, dict[Frame, int]] = {}

    @property
    def engine(self) -> str:
        return self._index.engine

    def add(self, number: int, text: str) -> Decision:
        form = phi(text)
        if form in self._forms:
            return self._of_known_form(number, text, self._forms[form])
        grams = self._index.grams(form)
        decision = self._judged(text, self._index.matches(grams, self._floor))
        if decision.kept:
            self._forms[form] = self._index.add(grams)
            self._numbers.append(number)
            self._raw.append(text)
        return decision

    def _of_known_form(self, number: int, text: str, first: int) -> Decision:
        """Equal to the ``first`` of its form but for numbers and white space; it stands for all of them."""
        frames = self._frames.setdefault(first, {frame_of(self._raw[first]): self._numbers[first]})
        twin = frames.setdefault(frame_of(text), number)
        if twin != number:
            return Decision(Filter.SIMILAR, None, Twin(twin, 1.0))
        return self._listed(ReviewKind.NUMBERS_OR_UNITS_ONLY, Match(first, 1.0))

    def _judged(self, text: str, matches: list[Match]) -> Decision:
        listed = Decision()
        for match in sorted(matches, key=lambda match: (-match.score, match.position)):
            if match.score < self._threshold:
                return listed if listed.review else self._listed(ReviewKind.NEAR, match)
            if not differ_only_in_numbers_or_units(text, self._raw[match.position]):
                return Decision(Filter.SIMILAR, None, self._twin(match))
            if listed.review is None:
                listed = self._listed(ReviewKind.NUMBERS_OR_UNITS_ONLY, match)
        return listed

    def _listed(self, kind: ReviewKind, match: Match) -> Decision:
        return Decision(None, kind, self._twin(match))

    def _twin(self, match: Match) -> Twin:
        return Twin(self._numbers[match.position], match.score)


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
