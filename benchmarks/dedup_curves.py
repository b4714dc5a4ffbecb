"""Precision and recall of the filters on the labelled pairs, by feature and threshold."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from benchmarks.dedup_pairs import Language, Pair, PairKind, read_pairs
from curation.dedup.near_triples import part_scores
from curation.dedup.units import differ_only_in_numbers_or_units
from salitrap.settings import SimilaritySettings
from salitrap.text import NUMERAL_MASK, features, jaccard, mask_numerals, phi
from salitrap.text.synonyms import NO_SYNONYMS, Synonyms, shipped_synonyms
from salitrap.wilson import Interval, wilson

SETTINGS = SimilaritySettings()
DEFAULT_N = {"en": SETTINGS.alphabetic_ngram, "zh": SETTINGS.cjk_ngram}
DEFAULT_THRESHOLD = {"en": SETTINGS.alphabetic_threshold, "zh": SETTINGS.cjk_threshold}
GRID = tuple(step / 100 for step in range(30, 95, 5))
EQUAL = 1.0
NGRAMS = {"characters": 1, "2-grams": 2, "3-grams": 3, "5-grams": 5}
Score = Callable[[str, str], float]
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Scored:
    """A pair's similarity; ``aside`` when it differs in numbers or units alone, so that a person decides."""

    pair: Pair
    score: float
    aside: bool


@dataclass(frozen=True, slots=True)
class Point:
    """What one threshold does: duplicates dropped and kept, other pairs dropped and kept."""

    threshold: float
    caught: int
    missed: int
    wronged: int
    spared: int

    @property
    def precision(self) -> float | None:
        """Share of duplicates among what is dropped; None when nothing is."""
        return _share(self.caught, self.caught + self.wronged)

    @property
    def recall(self) -> float | None:
        """Share of the duplicates that is dropped."""
        return _share(self.caught, self.caught + self.missed)

    def intervals(self) -> tuple[Interval, Interval]:
        """95 % Wilson intervals of precision and recall, each pair taken as independent."""
        return (
            wilson(self.caught, self.caught + self.wronged),
            wilson(self.caught, self.caught + self.missed),
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """One filter with one feature in one language."""

    language: Language
    filter: str
    feature: str
    default_feature: bool
    default_threshold: float
    scored: tuple[Scored, ...]
    points: tuple[Point, ...]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def point(scored: Sequence[Scored], threshold: float) -> Point:
    """Count the decisions at one threshold; what is set aside is never dropped."""
    dropped = [one.score >= threshold and not one.aside for one in scored]
    pairs = list(zip(scored, dropped, strict=True))
    caught = sum(drop for one, drop in pairs if one.pair.duplicate)
    wronged = sum(drop for one, drop in pairs if not one.pair.duplicate)
    duplicates = sum(one.pair.duplicate for one in scored)
    return Point(threshold, caught, duplicates - caught, wronged, len(scored) - duplicates - wronged)


def ngram_score(n: int) -> Score:
    """Jaccard similarity of the n-grams of phi, as the filters compute it."""
    return lambda a, b: jaccard(features(phi(a), n), features(phi(b), n))


def word_score(a: str, b: str) -> float:
    """Jaccard similarity of the sets of words (runs of letters and digits), numerals masked."""
    words = [frozenset(WORD.findall(mask_numerals(text, NUMERAL_MASK).casefold())) for text in (a, b)]
    return jaccard(*words)


def triple_score(combine: Callable[[Sequence[float]], float], synonyms: Synonyms) -> Callable[[Pair], float]:
    """Similarity of a pair's triples: ``combine`` over the scores of the three parts."""

    def score(pair: Pair) -> float:
        assert pair.triples is not None
        return combine(part_scores(*pair.triples, synonyms))

    return score


def curves(language: Language) -> list[Curve]:
    """Every filter and feature of a language."""
    pairs = read_pairs(language)
    return [*_text_curves(language, pairs), *_triple_curves(language, pairs)]


def _text_curves(language: Language, pairs: Sequence[Pair]) -> list[Curve]:
    made = list[Curve]()
    scores: dict[str, Score] = {name: ngram_score(n) for name, n in NGRAMS.items()}
    scores["words"] = word_score
    for name in ("f2", "f3"):
        texts = [(pair, pair.cores if name == "f3" else (pair.a, pair.b)) for pair in pairs]
        known = [(pair, *both) for pair, both in texts if both is not None]
        for feature, score in scores.items():
            scored = tuple(
                Scored(pair, score(a, b), differ_only_in_numbers_or_units(a, b)) for pair, a, b in known
            )
            default = NGRAMS.get(feature) == DEFAULT_N[language]
            made.append(_curve(language, name, feature, default, scored))
    return made


def _triple_curves(language: Language, pairs: Sequence[Pair]) -> list[Curve]:
    known = [pair for pair in pairs if pair.triples is not None]
    ways = {
        "weakest part": triple_score(min, shipped_synonyms()),
        "weakest part, no synonyms": triple_score(min, NO_SYNONYMS),
        "mean of parts": triple_score(fmean, shipped_synonyms()),
    }
    return [
        _curve(
            language,
            "f4",
            feature,
            feature == "weakest part",
            tuple(Scored(pair, score(pair), False) for pair in known),
        )
        for feature, score in ways.items()
    ]


def _curve(language: Language, name: str, feature: str, default: bool, scored: tuple[Scored, ...]) -> Curve:
    grid = (*GRID, EQUAL) if name == "f4" else GRID
    mark = {"f3": SETTINGS.core_threshold, "f4": EQUAL}.get(name, DEFAULT_THRESHOLD[language])
    return Curve(language, name, feature, default, mark, scored, tuple(point(scored, at) for at in grid))


def as_json(curve: Curve) -> dict[str, Any]:
    """A curve with its counts, shares and intervals."""
    return {
        "language": curve.language,
        "filter": curve.filter,
        "feature": curve.feature,
        "default_feature": curve.default_feature,
        "default_threshold": curve.default_threshold,
        "pairs": {kind.value: sum(one.pair.kind is kind for one in curve.scored) for kind in PairKind},
        "points": [_point_json(each) for each in curve.points],
    }


def _point_json(each: Point) -> dict[str, Any]:
    precision, recall = each.intervals()
    counts = {name: getattr(each, name) for name in ("threshold", "caught", "missed", "wronged", "spared")}
    return {
        **counts,
        "precision": each.precision,
        "precision_interval": list(precision),
        "recall": each.recall,
        "recall_interval": list(recall),
    }
