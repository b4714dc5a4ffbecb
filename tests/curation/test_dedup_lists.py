"""What filters f2 to f4 list instead of dropping, and synonyms in f4."""

from __future__ import annotations

from curation.dedup import Deduplicator, Duplicate, Kept, ReviewKind
from curation.dedup.near_triples import near_triple
from salitrap.records import Fault, Seed, Triple
from salitrap.text import features, jaccard, phi
from tests.curation.test_dedup import COPIED, CORES, NEARLY, SIMILARITY, plain


def test_one_frame_with_another_trap_is_listed_and_a_copied_prompt_is_not() -> None:
    """f2 dropped sister traps: nearly the same prompt, and another reason why it cannot work."""
    first = plain(1, COPIED, trap_core=CORES[0])
    sister = plain(2, NEARLY, trap_core="At noon the hall is locked, so nobody can be served there.")
    copy = plain(3, COPIED.replace("40", "４０"), trap_core="Nothing like the others.")
    verdicts = Deduplicator(SIMILARITY).reserve([first, sister, copy])
    assert isinstance(verdicts[1], Kept)
    (review,) = verdicts[1].reviews
    assert (review.kind, review.filter, review.twin_id) == (
        ReviewKind.OTHER_CORE,
        Fault.SIMILAR_PROMPT,
        first.seed_id,
    )
    assert review.score >= SIMILARITY.alphabetic_threshold
    assert isinstance(verdicts[2], Duplicate)
    assert (verdicts[2].fault, verdicts[2].twin_id, verdicts[2].score) == (
        Fault.SIMILAR_PROMPT,
        first.seed_id,
        1.0,
    )
    strict = SIMILARITY.model_copy(update={"other_core_below": 0.0})
    assert isinstance(Deduplicator(strict).reserve([first, sister])[1], Duplicate)


def test_trap_cores_have_a_threshold_of_their_own() -> None:
    first, second = plain(1, "unlike anything"), plain(2, "something else entirely")
    core = "A colander does not hold the broth on the way to the hall."
    other = "The colander does not hold broth on its way to the hall."
    score = jaccard(features(phi(core), 3), features(phi(other), 3))
    assert score < SIMILARITY.core_threshold == SIMILARITY.alphabetic_threshold
    seeds = [one.model_copy(update={"trap_core": text}) for one, text in ((first, core), (second, other))]
    for limit, dropped in ((score, True), (score + 0.01, False)):
        settings = SIMILARITY.model_copy(update={"core_threshold": limit})
        verdict = Deduplicator(settings).reserve(seeds)[1]
        assert isinstance(verdict, Duplicate) is dropped
        if isinstance(verdict, Duplicate):
            assert (verdict.fault, verdict.twin_id, verdict.score) == (
                Fault.SIMILAR_TRAP_CORE,
                seeds[0].seed_id,
                score,
            )


def triples(*parts: tuple[str, str, str]) -> list[Seed]:
    texts = [
        "an utterly plain text",
        "something else entirely",
        "quite a third matter now",
        "who saw this coming",
    ]
    return [
        plain(number, text, triple=Triple(tool=tool, object=thing, action=action))
        for number, (text, (tool, thing, action)) in enumerate(zip(texts, parts, strict=False))
    ]


def test_f4_counts_synonyms_as_one_word() -> None:
    first, same = triples(("fridge", "telephone", "open"), ("refrigerator", "phone", "unlock"))
    verdict = Deduplicator(SIMILARITY).reserve([first, same])[1]
    assert isinstance(verdict, Duplicate)
    assert (verdict.fault, verdict.twin_id, verdict.score) == (Fault.SAME_TRIPLE, first.seed_id, 1.0)
    assert "'refrigerator / phone / unlock' is that of 'fridge / telephone / open'" in verdict.reason


def test_a_near_triple_is_listed_with_score_and_nearest_twin() -> None:
    seeds = triples(
        ("garden hose", "frozen lake", "water"),
        ("garden hoses", "frozen lakes", "watering"),
        ("anvil", "wool", "sing"),
        ("garden hose", "frozen lake", "sew"),
    )
    verdicts = Deduplicator(SIMILARITY).reserve(seeds)
    found = [verdict.reviews for verdict in verdicts if isinstance(verdict, Kept)]
    assert [len(reviews) for reviews in found] == [0, 1, 0, 1]
    near, two = found[1][0], found[3][0]
    assert (near.kind, near.filter, near.twin_id) == (
        ReviewKind.NEAR_TRIPLE,
        Fault.SAME_TRIPLE,
        seeds[0].seed_id,
    )
    assert near.score == near_triple(seeds[0].triple, seeds[1].triple) >= 0.7
    assert (two.twin_id, two.kind) == (seeds[0].seed_id, ReviewKind.NEAR_TRIPLE)
    assert two.score == near_triple(seeds[0].triple, seeds[3].triple) < 0.7


def test_a_released_triple_is_near_to_nobody() -> None:
    first, near = triples(
        ("garden hose", "frozen lake", "water"), ("garden hoses", "frozen lakes", "watering")
    )
    dedup = Deduplicator(SIMILARITY)
    dedup.reserve([first])
    dedup.release(first.seed_id)
    (verdict,) = dedup.reserve([near])
    assert isinstance(verdict, Kept) and not verdict.reviews
