"""The viability screen: grades by rule, both languages, replies that settle nothing, and the lab."""

from __future__ import annotations

from typing import Any

import pytest

from checkers.viability import QUESTIONS, Grade, ViabilityChecker, grade_of
from salitrap.errors import CallFailed
from salitrap.lab.tasks.viability import QUESTIONS as LAB_QUESTIONS
from salitrap.records import Evaluation, Fault, Language, Outcome, VerdictKind
from tests.checkers.samples import seed
from tests.fakes import ScriptedAccess

YES: dict[str, Any] = {**dict.fromkeys(QUESTIONS, True), "reason": "The strainer is full of holes."}


async def screened(reply: Any, lowest: str = "B", **changes: Any) -> tuple[Evaluation, ScriptedAccess]:
    access = ScriptedAccess(lambda *_: reply)
    return await ViabilityChecker().check(access, seed(**changes), "D1: Missing", lowest, slot=3), access


async def test_a_sound_seed_is_kept_with_its_answers() -> None:
    found, access = await screened(YES, "A")
    assert (found.verdict, found.fault, found.checker) == (VerdictKind.PASS, None, "viability")
    assert found.scores == dict.fromkeys(QUESTIONS, 1.0)
    assert found.reason.startswith("grade A: eraser_test yes, ")
    assert found.subject_id == seed().seed_id
    (call,) = access.calls
    assert set(call.inputs) == {"prompt", "trap_core", "ground_truth", "dimension"}
    assert call.slot == 3


async def test_a_weak_seed_is_told_apart_with_grade_and_reason() -> None:
    found, _ = await screened({**YES, "no_escape": False, "fits_dimension": False, "reason": "In gallons."})
    assert (found.verdict, found.fault) == (VerdictKind.FAIL, Fault.NOT_VIABLE)
    assert found.reason.startswith("grade C: ")
    assert "no_escape no" in found.reason
    assert found.reason.endswith("In gallons.")


@pytest.mark.parametrize(
    ("missed", "grade"),
    [
        (set(), Grade.A),
        ({"naturalisable"}, Grade.A_MINUS),
        ({"eraser_test"}, Grade.B),
        ({"eraser_test", "naturalisable"}, Grade.C),
        (set(QUESTIONS), Grade.C),
    ],
)
def test_the_grade_follows_by_rule(missed: set[str], grade: Grade) -> None:
    assert grade_of(missed) is grade


async def test_a_call_that_fails_is_no_verdict() -> None:
    found, access = await screened(CallFailed(Outcome.TIMEOUT, "no reply"))
    assert (found.verdict, found.fault) == (VerdictKind.COULD_NOT_JUDGE, Fault.CALL_FAILED)
    assert len(access.calls) == 1


async def test_a_reply_without_an_answer_is_no_verdict() -> None:
    reply = {name: value for name, value in YES.items() if name != "no_escape"}
    found, _ = await screened(reply)
    assert found.verdict is VerdictKind.COULD_NOT_JUDGE


async def test_a_chinese_seed_is_asked_about_in_chinese() -> None:
    _, access = await screened(YES, language=Language.ZH)
    assert access.calls[0].prompt.language is Language.ZH


def test_the_lab_answers_the_same_questions() -> None:
    assert LAB_QUESTIONS == QUESTIONS
