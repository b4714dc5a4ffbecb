"""Filters f1 to f4 over the accepted seeds, check and reserve in one step.

f1 equal normalised scenario name; f2 similar prompt; f3 similar trap core; f4 equal normalised
(tool, object, action). f2 and f3 compare texts of one script by the Jaccard similarity of the
n-grams of phi(text). Within a dimension, two equal parts of a triple lower the threshold for that
pair by ``near_triple_discount``. A pair that differs only in numbers or units is not rejected by
similarity: a different unit may be a different trap. Verdicts depend on the order of the seeds and
on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curation.dedup.similar import Prepared, SimilarTexts
from curation.dedup.triples import TripleBook
from curation.dedup.units import differ_only_in_numbers_or_units
from curation.pairs import Review, ReviewKind
from salitrap.records import Fault, Seed
from salitrap.settings import SimilaritySettings
from salitrap.text import normalise_name


@dataclass(frozen=True, slots=True)
class Kept:
    """The seed is reserved; ``reviews`` are the pairs a person should read."""

    seed_id: str
    reviews: tuple[Review, ...]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The seed repeats ``twin_id``; ``score`` in [0, 1]."""

    seed_id: str
    fault: Fault
    twin_id: str
    score: float
    reason: str


Verdict = Kept | Duplicate
Texts = dict[Fault, Prepared]
"""The prepared prompt and trap core of a seed."""


class Deduplicator:
    """Everything accepted so far; a released seed no longer stands in anyone's way."""

    def __init__(self, settings: SimilaritySettings) -> None:
        self.settings = settings
        self._alive: dict[str, Seed] = {}
        self._names: dict[str, str] = {}
        self._triples = TripleBook()
        self._texts = {
            Fault.SIMILAR_PROMPT: SimilarTexts(settings),
            Fault.SIMILAR_TRAP_CORE: SimilarTexts(settings),
        }

    def __len__(self) -> int:
        return len(self._alive)

    def reserve(self, batch: Iterable[Seed]) -> tuple[Verdict, ...]:
        """Judge each seed against all accepted before it, the kept ones of this batch included."""
        return tuple(self._reserve_one(seed) for seed in batch)

    def restore(self, accepted: Iterable[Seed]) -> None:
        """Take in seeds accepted by an earlier process, without judging them again."""
        for seed in accepted:
            self._insert(seed, self._prepared(seed))

    def release(self, seed_id: str) -> None:
        """Give up a reservation.

        Raises:
            KeyError: nothing is reserved under this id.
        """
        seed = self._alive.pop(seed_id)
        if self._names.get(normalise_name(seed.scenario)) == seed_id:
            del self._names[normalise_name(seed.scenario)]
        self._triples.remove(seed)
        for texts in self._texts.values():
            texts.remove(seed_id)

    def _reserve_one(self, seed: Seed) -> Verdict:
        near = self._triples.near(seed)
        reviews = list[Review]()
        verdict = self._same_name(seed)
        if verdict is not None:
            return verdict
        prepared = self._prepared(seed)
        for fault in self._texts:
            verdict = verdict or self._similar(seed, fault, prepared[fault], near, reviews)
        verdict = verdict or self._same_triple(seed)
        if verdict is not None:
            return verdict
        reviews.extend(self._near_triple(seed, near))
        self._insert(seed, prepared)
        return Kept(seed.seed_id, tuple(reviews))

    def _prepared(self, seed: Seed) -> Texts:
        return {fault: texts.prepare(_text(seed, fault)) for fault, texts in self._texts.items()}

    def _insert(self, seed: Seed, prepared: Texts) -> None:
        self._alive[seed.seed_id] = seed
        self._names.setdefault(normalise_name(seed.scenario), seed.seed_id)
        self._triples.add(seed)
        for fault, texts in self._texts.items():
            texts.add(seed.seed_id, prepared[fault])

    def _same_name(self, seed: Seed) -> Duplicate | None:
        twin = self._names.get(normalise_name(seed.scenario))
        if twin is None:
            return None
        return Duplicate(seed.seed_id, Fault.SAME_SCENARIO, twin, 1.0, f"scenario {seed.scenario!r} is taken")

    def _same_triple(self, seed: Seed) -> Duplicate | None:
        twin = self._triples.same(seed)
        if twin is None:
            return None
        triple = " / ".join((seed.triple.tool, seed.triple.object, seed.triple.action))
        return Duplicate(seed.seed_id, Fault.SAME_TRIPLE, twin, 1.0, f"triple {triple!r} is taken")

    def _similar(
        self, seed: Seed, fault: Fault, prepared: Prepared, near: Sequence[str], reviews: list[Review]
    ) -> Duplicate | None:
        text, texts, close = _text(seed, fault), self._texts[fault], frozenset(near)
        threshold, floor = texts.threshold(prepared.script), texts.floor(prepared.script)
        worst: Duplicate | None = None
        for twin, score in texts.matches(prepared, floor):
            limit = threshold - (self.settings.near_triple_discount if twin in close else 0.0)
            if differ_only_in_numbers_or_units(text, _text(self._alive[twin], fault)):
                reviews.append(_review(seed, twin, fault, ReviewKind.NUMBERS_OR_UNITS_ONLY, score))
            elif score < limit:
                reviews.append(_review(seed, twin, fault, ReviewKind.NEAR, score))
            elif worst is None or score > worst.score:
                worst = Duplicate(
                    seed.seed_id, fault, twin, score, f"similarity {score:.3f}, limit {limit:.3f}"
                )
        return worst

    def _near_triple(self, seed: Seed, near: Sequence[str]) -> list[Review]:
        kind = ReviewKind.NEAR_TRIPLE
        return [_review(seed, twin, Fault.SAME_TRIPLE, kind, 2 / 3) for twin in near[:1]]


def _text(seed: Seed, fault: Fault) -> str:
    return seed.prompt if fault is Fault.SIMILAR_PROMPT else seed.trap_core


REASONS = {
    ReviewKind.NEAR: "similar, below the limit",
    ReviewKind.NUMBERS_OR_UNITS_ONLY: "differs only in numbers or units",
    ReviewKind.NEAR_TRIPLE: "two of tool, object and action are equal",
}


def _review(seed: Seed, twin: str, fault: Fault, kind: ReviewKind, score: float) -> Review:
    return Review(
        subject_id=seed.seed_id,
        twin_id=twin,
        filter=fault,
        kind=kind,
        score=score,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        reason=REASONS[kind],
    )
