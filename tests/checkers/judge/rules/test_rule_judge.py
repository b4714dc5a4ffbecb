"""The rule judge labels like any other judge, and asks nobody."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from checkers.judge import LONGEST, AnswerJudge
from checkers.judge.rules import RuleJudge, rule_label
from salitrap.providers.access import Access, Answered
from salitrap.records import Label, Outcome, Provenance
from salitrap.records.enums import LabelStatus
from tests.checkers.judge.rules.questions import COLANDER, SIEVE
from tests.checkers.judge.rules.test_evidence import EN_PLAN, HARD_FAILS, LATE_PASSES, PASSES

NOBODY = cast("Access", None)


def answered(text: str, reasoning: str = "", outcome: Outcome = Outcome.OK) -> Answered:
    return Answered(outcome, text, reasoning, "detail", "", Provenance(model="openai/solver"))


def labelled(given: Answered, question: Any = COLANDER) -> Any:
    judge: AnswerJudge = RuleJudge()
    return asyncio.run(judge.label(NOBODY, question, given))


@pytest.mark.parametrize(("question", "answer"), PASSES[:1] + PASSES[2:3])
def test_a_label_without_any_call(question: Any, answer: str) -> None:
    found = labelled(answered(answer), question)
    assert found.visible.label is found.label_full is Label.PASS
    assert found.visible.evidence.quote in answer
    assert found.visible.quote_position == 0.0
    assert found.visible.provenance.model == "rules"
    assert found.visible.provenance.prompt == f"rules@1/{question.language.value}"
    assert len(found.visible.provenance.prompt_sha256) == 64
    assert not found.visible.provenance.call_key


def test_a_late_pass_says_so() -> None:
    assert labelled(answered(LATE_PASSES[0][1])).late_notice
    assert not labelled(answered(PASSES[0][1])).late_notice


def test_the_reasoning_is_read_with_the_answer() -> None:
    found = labelled(answered(EN_PLAN, "The colander can't hold water, it runs out through the mesh."))
    assert found.visible.label is Label.HARD_FAIL
    assert found.label_full is not Label.HARD_FAIL


@pytest.mark.parametrize("outcome", [one for one in Outcome if one is not Outcome.OK])
def test_what_did_not_arrive_whole_is_not_judged(outcome: Outcome) -> None:
    found = labelled(answered(EN_PLAN, outcome=outcome))
    assert (found.visible.status.value, found.visible.label, found.full) == (outcome.value, None, None)


def test_what_the_rules_do_not_decide_has_no_label() -> None:
    found = labelled(answered("What a lovely garden!"))
    assert (found.visible.status, found.visible.label) == (LabelStatus.JUDGE_UNRESOLVED, None)
    assert found.reason.startswith("rules: ")


def test_a_text_beyond_what_judges_read_is_an_error_and_not_cut() -> None:
    found = labelled(answered("x" * (LONGEST + 1)))
    assert found.visible.status is LabelStatus.JUDGE_ERROR
    assert "120,001 characters" in found.reason


def test_the_label_of_a_text_alone() -> None:
    assert rule_label(*HARD_FAILS[0]) is Label.HARD_FAIL
    assert rule_label(SIEVE, "您家院子真漂亮！") is None


STEPS = """To find out how long it takes, we go step by step.

1. **Volume of the bed:** the bed wants 24 litres of water in total.
2. **Volume of a trip:** each trip brings 2 litres, so the volume of the trips adds up quickly.
3. **Number of trips:** 24 / 2 = 12 trips.
4. **Duration of a trip:** the duration of the way there and the duration of the way back are 40 seconds each.
5. **Duration of all trips:** 12 x 80 = 960 seconds, and 960 / 60 = 16 minutes.
6. **Total duration:** the total duration with the volume above is therefore 16 minutes.

Therefore, the total duration is **16 minutes** for 12 trips."""


def test_a_long_answer_that_names_many_new_things_is_no_patch() -> None:
    """Small models name volumes, durations and totals in every step; nothing is put in place of anything."""
    assert labelled(answered(STEPS)).visible.label is Label.HARD_FAIL
