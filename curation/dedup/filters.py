"""Filters f1 to f4 over the accepted seeds, check and reserve in one step.

f1 equal normalised scenario name; f2 similar prompt; f3 similar trap core; f4 equal (tool, object,
action), synonyms counted as one word. f2 and f3 compare texts of one script by the Jaccard
similarity of the n-grams of phi(text). Within a dimension, two equal parts of a triple lower the
threshold for that pair by ``near_triple_discount``.

Some pairs are kept and listed for a person: those that differ only in numbers or units, since a
different unit may be a different trap; similar prompts with unlike trap cores, since one frame can
hold two traps; similarities below the threshold; and near triples. Verdicts depend on the order of
the seeds and on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from curation.dedup.similar import Prepared, SimilarTexts
from curation.dedup.triples import Entry, TripleBook, entry_of
from curation.pairs import Review, ReviewKind
from salitrap.records import Fault, Seed
from salitrap.settings import SimilaritySettings
from salitrap.text import normalise_name
from salitrap.text.units import differ_only_in_numbers_or_units, frame_of


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
            Fault.SIMILAR_TRAP_CORE: SimilarTexts(settings, threshold=settings.core_threshold),
        }

    def __len__(self) -> int:
        return len(self._alive)

    def reserve(self, batch: Iterable[Seed]) -> tuple[Verdict, ...]:
        """Judge each seed against all accepted before it, the kept ones of this batch included."""
        return tuple(self._reserve_one(seed) for seed in batch)

    def restore(self, accepted: Iterable[Seed]) -> None:
        """Take in seeds accepted by an earlier process, without judging them again."""
        for seed in accepted:
            self._insert(seed, entry_of(seed), self._prepared(seed))

    def release(self, seed_id: str) -> None:
        """Give up a reservation.

        Raises:
            KeyError: nothing is reserved under this id.
        """
        seed = self._alive.pop(seed_id)
        if self._names.get(normalise_name(seed.scenario)) == seed_id:
            del self._names[normalise_name(seed.scenario)]
        self._triples.remove(entry_of(seed))
        for texts in self._texts.values():
            texts.remove(seed_id)

    def _reserve_one(self, seed: Seed) -> Verdict:
        reviews = list[Review]()
        verdict = self._same_name(seed)
        if verdict is not None:
            return verdict
        entry, prepared = entry_of(seed), self._prepared(seed)
        near = frozenset(self._triples.sharing_two(entry))
        for fault in self._texts:
            verdict = verdict or self._similar(seed, fault, prepared, near, reviews)
        verdict = verdict or self._same_triple(seed, entry)
        if verdict is not None:
            return verdict
        reviews.extend(self._near_triple(seed, entry))
        self._insert(seed, entry, prepared)
        return Kept(seed.seed_id, tuple(reviews))

    def _prepared(self, seed: Seed) -> Texts:
        return {fault: texts.prepare(_text(seed, fault)) for fault, texts in self._texts.items()}

    def _insert(self, seed: Seed, entry: Entry, prepared: Texts) -> None:
        self._alive[seed.seed_id] = seed
        self._names.setdefault(normalise_name(seed.scenario), seed.seed_id)
        self._triples.add(entry)
        for fault, texts in self._texts.items():
            texts.add(seed.seed_id, prepared[fault])

    def _same_name(self, seed: Seed) -> Duplicate | None:
        twin = self._names.get(normalise_name(seed.scenario))
        if twin is None:
            return None
        return Duplicate(seed.seed_id, Fault.SAME_SCENARIO, twin, 1.0, f"scenario {seed.scenario!r} is taken")

    def _same_triple(self, seed: Seed, entry: Entry) -> Duplicate | None:
        twin = self._triples.same(entry)
        if twin is None:
            return None
        mine, theirs = _told(seed), _told(self._alive[twin])
        known = "taken" if mine == theirs else f"that of {theirs!r}"
        return Duplicate(
            seed.seed_id, Fault.SAME_TRIPLE, twin, 1.0, f"triple {mine!r} is {known}, synonyms counted as one"
        )

    def _similar(
        self, seed: Seed, fault: Fault, prepared: Texts, near: frozenset[str], reviews: list[Review]
    ) -> Duplicate | None:
        texts, mine = self._texts[fault], prepared[fault]
        threshold, floor = texts.threshold(mine.script), texts.floor(mine.script)
        worst: Duplicate | None = None
        for twin, score in texts.matches(mine, floor):
            limit = threshold - (self.settings.near_triple_discount if twin in near else 0.0)
            kind = self._listed_as(seed, self._alive[twin], fault, score >= limit, prepared)
            if kind is not None:
                reviews.append(_review(seed, twin, fault, kind, score))
            elif worst is None or score > worst.score:
                worst = Duplicate(
                    seed.seed_id, fault, twin, score, f"similarity {score:.3f}, limit {limit:.3f}"
                )
        return worst

    def _listed_as(
        self, seed: Seed, twin: Seed, fault: Fault, reached: bool, prepared: Texts
    ) -> ReviewKind | None:
        """Why a similar pair is listed; None when it is a duplicate. ``reached`` is the limit."""
        if differ_only_in_numbers_or_units(_text(seed, fault), _text(twin, fault)):
            return ReviewKind.NUMBERS_OR_UNITS_ONLY
        if not reached:
            return ReviewKind.NEAR
        if fault is Fault.SIMILAR_PROMPT and self._other_core(seed, twin, prepared):
            return ReviewKind.OTHER_CORE
        return None

    def _other_core(self, seed: Seed, twin: Seed, prepared: Texts) -> bool:
        """True when unlike trap cores say that a similar prompt is another trap; a copied prompt is none."""
        cores = self._texts[Fault.SIMILAR_TRAP_CORE]
        mine, theirs = prepared[Fault.SIMILAR_TRAP_CORE], cores.prepare(twin.trap_core)
        unlike = cores.similarity(mine, theirs) < self.settings.other_core_below
        return unlike and frame_of(seed.prompt) != frame_of(twin.prompt)

    def _near_triple(self, seed: Seed, entry: Entry) -> list[Review]:
        nearest = self._triples.nearest(entry)
        if nearest is None:
            return []
        return [_review(seed, nearest.owner, Fault.SAME_TRIPLE, ReviewKind.NEAR_TRIPLE, nearest.score)]


def _text(seed: Seed, fault: Fault) -> str:
    return seed.prompt if fault is Fault.SIMILAR_PROMPT else seed.trap_core


def _told(seed: Seed) -> str:
    return " / ".join((seed.triple.tool, seed.triple.object, seed.triple.action))


REASONS = {
    ReviewKind.NEAR: "similar, below the limit",
    ReviewKind.OTHER_CORE: "similar prompts, unlike trap cores",
    ReviewKind.NUMBERS_OR_UNITS_ONLY: "differs only in numbers or units",
    ReviewKind.NEAR_TRIPLE: "tool, object and action are similar, or two of them equal",
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
