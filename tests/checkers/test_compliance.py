"""kappa: every one of the four properties, and the count of figures beside the reply."""

from __future__ import annotations

from typing import Any

import pytest

from checkers import ComplianceChecker
from salitrap.errors import CallFailed
from salitrap.records import Evaluation, Fault, Outcome, VerdictKind
from tests.checkers.samples import PROMPT, candidate, seed
from tests.fakes import ScriptedAccess

FINE = {"same_trap": True, "numbers_kept": True, "no_escape": True, "no_patch": True, "reason": "faithful"}


async def check(
    reply: Any, child_prompt: str = PROMPT, adds_numbers: bool = False
) -> tuple[Evaluation, ScriptedAccess]:
    access, of = ScriptedAccess(lambda *_: reply), seed()
    parent = candidate(of)
    child = candidate(of, child_prompt, parent)
    return await ComplianceChecker().check_child(access, of, parent, child, adds_numbers=adds_numbers), access


async def test_a_faithful_child_passes_and_is_the_subject() -> None:
    evaluation, access = await check(FINE, PROMPT.replace("street party", "fair"))
    assert evaluation.passed
    assert (
        evaluation.subject_id
        == candidate(seed(), PROMPT.replace("street party", "fair"), candidate(seed())).candidate_id
    )
    assert access.calls[0].inputs["injected_numbers"] == ["12", "9", "1.5", "4", "18:30"]


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        ("same_trap", Fault.TRAP_LOST),
        ("no_patch", Fault.PATCHED),
        ("no_escape", Fault.SUBTASK_ESCAPE),
        ("numbers_kept", Fault.NUMBERS_CHANGED),
    ],
)
async def test_each_property_fails_with_its_fault(field: str, fault: Fault) -> None:
    evaluation, _ = await check(FINE | {field: False})
    assert evaluation.verdict is VerdictKind.FAIL
    assert evaluation.fault is fault


async def test_a_reply_cannot_wave_through_a_lost_figure() -> None:
    evaluation, _ = await check(FINE, PROMPT.replace("9 litres", "plenty"))
    assert evaluation.fault is Fault.NUMBERS_CHANGED
    assert evaluation.reason == "figures missing: 9"


async def test_new_figures_need_a_strategy_that_adds_them() -> None:
    child = PROMPT + " Gas costs 2 euros."
    refused, _ = await check(FINE, child)
    allowed, _ = await check(FINE, child, adds_numbers=True)
    assert refused.fault is Fault.NUMBERS_CHANGED
    assert allowed.passed


async def test_a_failed_call_is_a_third_state() -> None:
    evaluation, _ = await check(CallFailed(Outcome.TIMEOUT, "90 s"))
    assert evaluation.verdict is VerdictKind.COULD_NOT_JUDGE
    assert evaluation.fault is Fault.CALL_FAILED
