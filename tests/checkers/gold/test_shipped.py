"""The shipped gold sets are what they say they are."""

from __future__ import annotations

from collections import Counter

import pytest

from checkers.gold import GoldAnswer, GoldCandidate, Half, shipped_candidates, shipped_gold
from checkers.gold.records import evidence_fault
from checkers.label_rule import is_late_notice, label_of
from checkers.quotes import find_quote
from salitrap.records import Label, Language, Notices
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
    assert answer.kind in {"plain", *HARD}
    assert len(find_numerals(answer.prompt)) >= 3


def test_both_languages_and_all_dimensions_are_in_both_halves() -> None:
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


def test_some_passes_notice_late() -> None:
    passes = [one for one in ANSWERS.answers if one.label is Label.PASS]
    late = [one for one in passes if one.evidence is not None and is_late_notice(one.evidence)]
    assert 0.15 * len(passes) <= len(late) <= 0.5 * len(passes)


def test_the_halves_share_no_question_and_no_shipped_seed_is_used() -> None:
    assert not by_question(Half.TRAIN) & by_question(Half.HELD)
    seeds = {seed.prompt for domain in load_domains(("builtin",)) for seed in domain.seeds}
    assert not seeds & (by_question(Half.TRAIN) | by_question(Half.HELD))
    assert not seeds & {one.prompt for one in CANDIDATES.candidates}


def test_no_answer_stands_twice() -> None:
    texts = Counter((answer.prompt, answer.answer) for answer in ANSWERS.answers)
    assert max(texts.values()) == 1


def test_there_are_enough_candidates_of_each_verdict() -> None:
    candidates = CANDIDATES.candidates
    assert len(candidates) >= 60
    assert {one.half for one in candidates} == set(Half)
    assert {one.language for one in candidates} == set(Language)
    for half in Half:
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


def test_candidates_share_no_seed_between_the_halves() -> None:
    cores = {half: {one.trap_core for one in CANDIDATES.candidates if one.half is half} for half in Half}
    assert not cores[Half.TRAIN] & cores[Half.HELD]
