"""Filters f1 to f4 against brute force, and the pairs no threshold can decide (cases 21 and 27)."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.dedup import Deduplicator, Duplicate, Kept, ReviewKind
from curation.dedup.near_triples import canonical_parts
from salitrap.records import Fault, Language, Seed, Triple
from salitrap.settings import SimilaritySettings
from salitrap.text import features, jaccard, phi
from salitrap.text.units import differ_only_in_numbers_or_units
from tests.curation.world import seed

SIMILARITY = SimilaritySettings()


def plain(number: int, prompt: str, language: Language = Language.EN, **changes: Any) -> Seed:
    """A seed that only its prompt can make a duplicate."""
    letter = chr(ord("k") + number)
    unlike = f"{letter * 4}{letter.upper() * 4}"
    made = {
        "scenario": f"scene {number}",
        "prompt": prompt,
        "trap_core": unlike,
        "language": language,
        "triple": Triple(tool=letter * 5, object=letter * 6, action=letter * 7),
    }
    return seed(number, **{**made, **changes})


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 60), max_size=40), st.randoms(use_true_random=False))
def test_verdicts_are_those_of_comparing_every_pair(numbers: list[int], random: Any) -> None:
    """One reservation at a time or all at once, with the filters in order, against a plain double loop."""
    seeds = [seed(number) for number in numbers]
    at_once = Deduplicator(SIMILARITY).reserve(seeds)
    singly = Deduplicator(SIMILARITY)
    assert tuple(singly.reserve([one])[0] for one in seeds) == at_once
    kept = list[Seed]()
    for one, verdict in zip(seeds, at_once, strict=True):
        expected = brute_force(one, kept)
        assert (verdict.fault if isinstance(verdict, Duplicate) else None) == expected
        if expected is None:
            kept.append(one)


def brute_force(one: Seed, kept: list[Seed]) -> Fault | None:
    def score(name: str, other: Seed) -> float:
        return jaccard(*(features(phi(getattr(seed, name)), 3) for seed in (one, other)))

    def similar(name: str, limit: float, other: Seed) -> bool:
        parts = zip(canonical_parts(one.triple), canonical_parts(other.triple), strict=True)
        near = sum(mine == theirs for mine, theirs in parts) >= 2
        reached = score(name, other) >= limit - (0.05 if near else 0.0)
        return reached and not differ_only_in_numbers_or_units(getattr(one, name), getattr(other, name))

    def other_core(other: Seed) -> bool:
        return score("trap_core", other) < 0.25 and one.prompt != other.prompt

    if any(other.scenario == one.scenario for other in kept):
        return Fault.SAME_SCENARIO
    if any(similar("prompt", 0.7, other) and not other_core(other) for other in kept):
        return Fault.SIMILAR_PROMPT
    if any(similar("trap_core", 0.7, other) for other in kept):
        return Fault.SIMILAR_TRAP_CORE
    same = any(canonical_parts(other.triple) == canonical_parts(one.triple) for other in kept)
    return Fault.SAME_TRIPLE if same else None


A = "洗车店离我家只有五十米，我想去洗车，你说我该走路去还是开车去？"
B = "洗车店离我家只有50米，我准备去洗车。你说我应该走路去还是开车去？"
C = "洗车店离我家只有50米，我想去洗车，该走路还是开车？"
D = "洗车店离我家只有50公里，我想去洗车，该走路还是开车？"
E = "The car wash is 50 m away. Walk or drive?"
F = "The car wash is 50 km away. Walk or drive?"


@pytest.mark.parametrize(
    "pair", itertools.chain.from_iterable(itertools.permutations(p) for p in [(A, B), (C, D), (E, F)])
)
def test_a_pair_that_needs_a_reader_is_kept_and_listed_in_either_order(pair: tuple[str, str]) -> None:
    language = Language.EN if pair[0].isascii() else Language.ZH
    first, second = (plain(number, text, language) for number, text in enumerate(pair))
    kept, listed = Deduplicator(SIMILARITY).reserve([first, second])
    assert isinstance(kept, Kept) and isinstance(listed, Kept)
    (review,) = listed.reviews
    wanted = ReviewKind.NEAR if set(pair) == {A, B} else ReviewKind.NUMBERS_OR_UNITS_ONLY
    assert (review.kind, review.twin_id, review.subject_id) == (wanted, first.seed_id, second.seed_id)
    assert review.score >= SIMILARITY.review_from


def test_f1_ignores_case_and_punctuation_and_looks_across_dimensions() -> None:
    first = plain(1, "an utterly plain text", scenario="Broth, in a colander")
    second = plain(2, "something else entirely", scenario="broth in a  COLANDER!", dimension_tag="D3")
    (_, verdict) = Deduplicator(SIMILARITY).reserve([first, second])
    assert isinstance(verdict, Duplicate)
    assert (verdict.fault, verdict.twin_id, verdict.score) == (Fault.SAME_SCENARIO, first.seed_id, 1.0)


COPIED = "We carry 40 portions of the broth over to the hall and back before the choir comes in at noon."
NEARLY = COPIED.replace("the choir comes", "our choir comes")
CORES = (
    "A colander does not hold the broth on the way to the hall.",
    "The broth is lost from a colander on the way to the hall.",
)
"""Of one trap: nearer than ``other_core_below``, farther than ``core_threshold``."""


@pytest.mark.parametrize(
    ("name", "fault"), [("prompt", Fault.SIMILAR_PROMPT), ("trap_core", Fault.SIMILAR_TRAP_CORE)]
)
def test_f2_and_f3_compare_prompt_with_prompt_and_core_with_core(name: str, fault: Fault) -> None:
    first = plain(1, "unlike anything", trap_core=CORES[0])
    second = plain(2, "something else entirely", trap_core=CORES[1])
    first, second = first.model_copy(update={name: COPIED}), second.model_copy(update={name: NEARLY})
    (_, verdict) = Deduplicator(SIMILARITY).reserve([first, second])
    assert isinstance(verdict, Duplicate)
    score = jaccard(features(phi(COPIED), 3), features(phi(NEARLY), 3))
    assert (verdict.fault, verdict.twin_id, verdict.score) == (fault, first.seed_id, score)
    assert f"{score:.3f}" in verdict.reason
    other = {"prompt": "trap_core", "trap_core": "prompt"}[name]
    crossed = plain(3, "a third matter").model_copy(update={other: NEARLY})
    assert isinstance(Deduplicator(SIMILARITY).reserve([first, crossed])[1], Kept)


def test_the_first_filter_that_objects_is_named() -> None:
    first = seed(1)
    whole = first.model_copy(update={"ground_truth": "told in other words, and a different record"})
    for changes, fault in (
        ({}, Fault.SAME_SCENARIO),
        ({"scenario": "a new name"}, Fault.SIMILAR_PROMPT),
        ({"scenario": "a new name", "prompt": "Nothing like it"}, Fault.SIMILAR_TRAP_CORE),
        ({"scenario": "a new name", "prompt": "Nothing like it", "trap_core": "Else"}, Fault.SAME_TRIPLE),
    ):
        (_, verdict) = Deduplicator(SIMILARITY).reserve([first, whole.model_copy(update=changes)])
        assert isinstance(verdict, Duplicate) and verdict.fault is fault


def test_f4_takes_the_whole_triple_and_two_parts_are_noted_within_a_dimension() -> None:
    triple = Triple(tool="sieve", object="soup", action="carry")
    first = plain(1, "an utterly plain text", triple=triple)
    same = plain(2, "something else entirely", triple=Triple(tool="Sieve", object="soup ", action="carry"))
    near = plain(3, "quite a third matter now", triple=Triple(tool="sieve", object="soup", action="store"))
    far = plain(
        4,
        "nobody saw this coming",
        triple=near.triple.model_copy(update={"action": "sell"}),
        dimension_tag="D2",
    )
    verdicts = Deduplicator(SIMILARITY).reserve([first, same, near, far])
    assert isinstance(verdicts[1], Duplicate) and verdicts[1].fault is Fault.SAME_TRIPLE
    assert isinstance(verdicts[2], Kept) and [r.kind for r in verdicts[2].reviews] == [ReviewKind.NEAR_TRIPLE]
    assert isinstance(verdicts[3], Kept) and not verdicts[3].reviews


def test_two_equal_parts_lower_the_limit_of_that_pair_alone() -> None:
    prompt = "We carry the broth over to the hall and back before the choir comes in at noon."
    similar = prompt.replace("before the choir", "after the guests")
    score = jaccard(features(phi(prompt), 3), features(phi(similar), 3))
    tight = SimilaritySettings(alphabetic_threshold=score + 0.02)
    triple = Triple(tool="sieve", object="soup", action="carry")
    first = plain(1, prompt, triple=triple, trap_core=CORES[0])
    unrelated = plain(2, similar, trap_core=CORES[1])
    related = plain(3, similar, triple=triple.model_copy(update={"action": "sell"}), trap_core=CORES[1])
    assert isinstance(Deduplicator(tight).reserve([first, unrelated])[1], Kept)
    verdict = Deduplicator(tight).reserve([first, related])[1]
    assert isinstance(verdict, Duplicate) and verdict.fault is Fault.SIMILAR_PROMPT


def test_a_released_seed_is_in_nobodys_way() -> None:
    dedup = Deduplicator(SIMILARITY)
    dedup.reserve([seed(5)])
    (again,) = dedup.reserve([seed(5, tag="D2")])
    assert isinstance(again, Duplicate)
    dedup.release(seed(5).seed_id)
    (free,) = dedup.reserve([seed(5, tag="D2")])
    assert isinstance(free, Kept) and not free.reviews


def test_restored_seeds_judge_as_reserved_ones() -> None:
    seeds = [seed(number) for number in range(0, 400, 13)]
    dedup, restored = Deduplicator(SIMILARITY), Deduplicator(SIMILARITY)
    verdicts = dedup.reserve(seeds)
    restored.restore(one for one, verdict in zip(seeds, verdicts, strict=True) if isinstance(verdict, Kept))
    later = [seed(number) for number in range(5, 400, 29)]
    assert restored.reserve(later) == dedup.reserve(later)


def test_texts_of_other_scripts_are_not_compared() -> None:
    english, chinese = plain(1, "50 m 50 m 50 m"), plain(2, "五十米五十米五十米", Language.ZH)
    assert all(isinstance(verdict, Kept) for verdict in Deduplicator(SIMILARITY).reserve([english, chinese]))


def test_two_thousand_seeds_take_seconds() -> None:
    begun = time.process_time()
    dedup = Deduplicator(SIMILARITY)
    verdicts = dedup.reserve(seed(number) for number in range(2000))
    assert len(verdicts) == 2000
    assert time.process_time() - begun < 20.0


def test_verdicts_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from curation.dedup import Deduplicator; from salitrap.settings import SimilaritySettings;"
        "from tests.curation.world import seed;"
        "print(Deduplicator(SimilaritySettings()).reserve([seed(n * 7) for n in range(60)]))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in (0, 1)
    }
    assert len(told) == 1
