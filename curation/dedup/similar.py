"""Texts by script, each compared with the n-gram and threshold of its script."""

from __future__ import annotations

from typing import NamedTuple

from curation.dedup.grams import Grams, score_of_texts
from curation.dedup.index import EngineName, JaccardIndex, Match
from salitrap.settings import SimilaritySettings
from salitrap.text import Script, phi, script_of


class Prepared(NamedTuple):
    """A text ready to be searched for and to be added."""

    script: Script
    grams: Grams


class SimilarTexts:
    """One index a script. Texts of different scripts are never compared.

    ``script`` treats all texts as of that script; ``threshold`` stands for the settings' ones of f2.
    """

    def __init__(
        self,
        settings: SimilaritySettings,
        *,
        threshold: float | None = None,
        script: Script | None = None,
        engine: EngineName = "auto",
    ) -> None:
        self.settings, self.script, self._threshold = settings, script, threshold
        ngrams = {Script.CJK: settings.cjk_ngram, Script.ALPHABETIC: settings.alphabetic_ngram}
        self._indexes = {kind: JaccardIndex(n, engine) for kind, n in ngrams.items()}
        self._owners: dict[Script, list[str]] = {kind: [] for kind in Script}
        self._removed: set[str] = set()

    def prepare(self, text: str) -> Prepared:
        """Normalise ``text`` and take it apart, once for ``matches`` and ``add``."""
        script = self.script or script_of(text)
        return Prepared(script, self._indexes[script].grams(phi(text)))

    def add(self, owner: str, prepared: Prepared) -> None:
        """Take in a text under its owner's id."""
        self._indexes[prepared.script].add(prepared.grams)
        self._owners[prepared.script].append(owner)
        self._removed.discard(owner)

    def remove(self, owner: str) -> None:
        """Matches no longer name this owner."""
        self._removed.add(owner)

    def matches(self, prepared: Prepared, floor: float) -> list[tuple[str, float]]:
        """Owners of texts with similarity >= floor, in order of arrival, with the similarity."""
        found: list[Match] = self._indexes[prepared.script].matches(prepared.grams, floor)
        owners, removed = self._owners[prepared.script], self._removed
        return [(owners[at], score) for at, score in found if owners[at] not in removed]

    def similarity(self, left: Prepared, right: Prepared) -> float:
        """Similarity in [0, 1] of two texts; 0.0 when their scripts differ."""
        if left.script is not right.script:
            return 0.0
        return score_of_texts(left.grams.text, right.grams.text, left.grams.n)

    def threshold(self, script: Script) -> float:
        """Similarity at which a text of this script is a duplicate."""
        if self._threshold is not None:
            return self._threshold
        cjk = script is Script.CJK
        return self.settings.cjk_threshold if cjk else self.settings.alphabetic_threshold

    def floor(self, script: Script) -> float:
        """Lowest similarity that is worth a note."""
        lowest = min(self.settings.review_from, self.threshold(script) - self.settings.near_triple_discount)
        return max(lowest, 1e-6)
