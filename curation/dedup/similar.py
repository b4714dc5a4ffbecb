"""Texts by script, each compared with the n-gram and threshold of its script."""

from __future__ import annotations

from curation.dedup.grams import Grams, grams
from curation.dedup.index import JaccardIndex
from salitrap.settings import SimilaritySettings
from salitrap.text import Script, phi, script_of


class SimilarTexts:
    """One index a script. Texts of different scripts are never compared."""

    def __init__(self, settings: SimilaritySettings) -> None:
        self.settings = settings
        self._indexes = {script: JaccardIndex() for script in Script}
        self._owners: dict[Script, list[str]] = {script: [] for script in Script}
        self._removed: set[str] = set()

    def add(self, owner: str, text: str) -> None:
        """Take in a text under its owner's id."""
        script = script_of(text)
        self._indexes[script].add(self._grams(text, script))
        self._owners[script].append(owner)
        self._removed.discard(owner)

    def remove(self, owner: str) -> None:
        """Matches no longer name this owner."""
        self._removed.add(owner)

    def matches(self, text: str, floor: float) -> list[tuple[str, float]]:
        """Owners of texts with similarity >= floor, in order of arrival, with the similarity."""
        script = script_of(text)
        found = self._indexes[script].matches(self._grams(text, script), floor)
        owners = self._owners[script]
        named = [(owners[position], score) for position, score in found]
        return [(owner, score) for owner, score in named if owner not in self._removed]

    def threshold(self, text: str) -> float:
        """Similarity at which a text of this script is a duplicate."""
        cjk = script_of(text) is Script.CJK
        return self.settings.cjk_threshold if cjk else self.settings.alphabetic_threshold

    def floor(self, text: str) -> float:
        """Lowest similarity that is worth a note."""
        lowest = min(self.settings.review_from, self.threshold(text) - self.settings.near_triple_discount)
        return max(lowest, 1e-6)

    def _grams(self, text: str, script: Script) -> Grams:
        n = self.settings.cjk_ngram if script is Script.CJK else self.settings.alphabetic_ngram
        return grams(phi(text), n)
