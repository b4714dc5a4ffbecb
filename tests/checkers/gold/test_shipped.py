"""The shipped gold sets are what they say they are."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest

from checkers.gold import GoldAnswer, GoldCandidate, Half, shipped_candidates, shipped_gold
from checkers.gold.records import evidence_fault
from checkers.label_rule import is_late_notice, label_of
from checkers.quotes import find_quote
from salitrap.records import Fault, Label, Language, Notices
from salitrap.text import find_numerals
from seeds import load_domains

ANSWERS, CANDIDATES = shipped_gold(), shipped_candidates()
HARD = {
    "notice_in_the_middle",
    "hedge",
    "joke",
    "patch",
    "partial_plan",
    "wrong_reason",
    "different_question",
    "number_to_show_failure",
    "buried",
    "restates",
    "injection",
    "reversal",
}
ONLY_FRESH = {"silent_patch", "other_doubt", "no_negation"}
LEAST_SENTENCE = 6
"""Shorter ones ("9:35 leave") may well occur twice."""
TAGS = {"D1", "D2", "D3", "D4"}


def by_question(half: Half) -> set[str]:
    return {answer.prompt for answer in ANSWERS.answers if answer.half is half}


def test_there_are_enough_answers_and_they_say_who_labelled_them() -> None:
    assert len(ANSWERS.answers) >= 200
    assert ANSWERS.labelled_by == ("author",)
    assert not ANSWERS.ties


@pytest.mark.parametrize("answer", ANSWERS.answers, ids=lambda answer: answer.answer_id)
def test_the_label_follows_from_the_evidence_and_the_quote_occurs(answer: GoldAnswer) -> None:
    assert answer.evidence is not None
    assert evidence_fault(answer.answer, answer.label, answer.evidence) is None
    assert label_of(answer.evidence) is answer.label
    if answer.evidence.notices is not Notices.NEVER:
        assert "\n" not in answer.evidence.quote
        assert find_quote(answer.answer, answer.evidence.quote), "a judge that gave it would not be believed"


@pytest.mark.parametrize("answer", ANSWERS.answers, ids=lambda answer: answer.answer_id)
def test_every_answer_has_a_rationale_and_a_known_kind(answer: GoldAnswer) -> None:
    assert len(answer.rationale) >= 10
    assert answer.kind in {"plain", *HARD, *ONLY_FRESH}
    assert len(find_numerals(answer.prompt)) >= 3


def test_both_languages_and_all_dimensions_are_in_all_halves() -> None:
    cells = Counter((answer.half, answer.language, answer.dimension_tag) for answer in ANSWERS.answers)
    assert set(cells) == {(half, language, tag) for half in Half for language in Language for tag in TAGS}
    assert min(cells.values()) >= 12
    assert max(cells.values()) <= 20


@pytest.mark.parametrize("half", [None, *Half])
def test_labels_are_balanced(half: Half | None) -> None:
    part = ANSWERS.part(half=half).answers
    shares = {label: count / len(part) for label, count in Counter(one.label for one in part).items()}
    assert set(shares) == set(Label)
    assert min(shares.values()) >= 0.10
    assert max(shares.values()) <= 0.25


@pytest.mark.parametrize("half", list(Half))
def test_every_kind_of_hard_case_is_in_each_half(half: Half) -> None:
    kinds = Counter(answer.kind for answer in ANSWERS.part(half=half).answers)
    assert set(kinds) >= HARD
    assert sum(kinds[kind] for kind in HARD) >= 0.4 * kinds.total()


def test_the_fresh_half_has_kinds_of_its_own_and_as_many_of_each_label() -> None:
    fresh = ANSWERS.part(half=Half.FRESH)
    assert {answer.kind for answer in fresh.answers} >= ONLY_FRESH
    for language in Language:
        mine = fresh.part(languages=(language,))
        assert mine.questions >= 20
        assert set(Counter(answer.label for answer in mine.answers).values()) == {10}


def test_fresh_answers_share_no_sentence_with_any_answer() -> None:
    """A judge that was fitted to stock phrases would look better than it is."""
    found = Counter(
        (sentence, answer.half) for answer in ANSWERS.answers for sentence in set(sentences(answer.answer))
    )
    known = {sentence for sentence, half in found if half is not Half.FRESH}
    fresh = {sentence: count for (sentence, half), count in found.items() if half is Half.FRESH}
    assert not [sentence for sentence, count in fresh.items() if count > 1 or sentence in known]


def sentences(text: str) -> list[str]:
    """Sentences without signs and blanks, as far as they are long enough to be compared."""
    parts = re.split(r"[.!?](?:\s|$)|[。！？\n]", text)
    plain = [re.sub(r"[\W_]+", "", part).casefold() for part in parts]
    return [part for part in plain if len(part) >= LEAST_SENTENCE and not part.isdigit()]


def test_some_passes_notice_late() -> None:
    passes = [one for one in ANSWERS.answers if one.label is Label.PASS]
    late = [one for one in passes if one.evidence is not None and is_late_notice(one.evidence)]
    assert 0.15 * len(passes) <= len(late) <= 0.5 * len(passes)


def test_the_halves_share_no_question_and_no_shipped_seed_is_used() -> None:
    for one, other in combinations(Half, 2):
        assert not by_question(one) & by_question(other)
    seeds = {seed.prompt for domain in load_domains(("builtin",)) for seed in domain.seeds}
    assert not seeds & {answer.prompt for answer in ANSWERS.answers}
    assert not seeds & {one.prompt for one in CANDIDATES.candidates}


def test_no_answer_stands_twice() -> None:
    texts = Counter((answer.prompt, answer.answer) for answer in ANSWERS.answers)
    assert max(texts.values()) == 1


def test_there_are_enough_candidates_of_each_verdict() -> None:
    candidates = CANDIDATES.candidates
    assert len(candidates) >= 60
    assert {one.half for one in candidates} == {Half.TRAIN, Half.HELD}
    assert {one.language for one in candidates} == set(Language)
    for half in (Half.TRAIN, Half.HELD):
        mine = [one for one in candidates if one.half is half]
        for passed in ([one.truth.fault for one in mine], [one.align.fault for one in mine]):
            assert 0.2 <= sum(fault is None for fault in passed) / len(mine) <= 0.9
        natural = sum(one.nat.mean >= 3.5 for one in mine)
        assert 0.2 <= natural / len(mine) <= 0.9


@pytest.mark.parametrize("one", CANDIDATES.candidates, ids=lambda one: one.candidate_id)
def test_what_candidates_state_is_consistent(one: GoldCandidate) -> None:
    assert one.truth.holds is (one.truth.fault is None)
    assert one.truth.quote in one.prompt
    assert one.align.escape in one.prompt
    assert one.rationale


@pytest.mark.parametrize("half", [Half.TRAIN, Half.HELD])
@pytest.mark.parametrize("language", list(Language))
def test_some_candidates_pass_truth_and_are_not_carried_by_their_trap(half: Half, language: Language) -> None:
    """Guards against gold on which a copy of truth's verdict is a perfect ``valid``."""
    mine = CANDIDATES.part(half=half, languages=(language,)).candidates
    apart = [one for one in mine if one.truth.holds and not one.align.valid]
    assert len(apart) >= 3
    assert {one.align.fault for one in apart} == {Fault.TRAP_LOST}
    assert {one.align.no_escape for one in apart} == {True, False}


def test_candidates_share_no_seed_between_the_halves() -> None:
    cores = {half: {one.trap_core for one in CANDIDATES.candidates if one.half is half} for half in Half}
    assert not cores[Half.TRAIN] & cores[Half.HELD]
