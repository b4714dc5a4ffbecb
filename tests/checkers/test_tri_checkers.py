"""Truth, alignment and naturalness: from reply to verdict."""

from __future__ import annotations

from typing import Any

import pytest

from checkers import AlignChecker, Checker, NatChecker, TruthChecker
from salitrap.errors import BudgetReached, CallFailed
from salitrap.records import Evaluation, Fault, Language, Outcome, Role, VerdictKind
from tests.checkers.samples import PROMPT, seed, view
from tests.fakes import ScriptedAccess, provenance_of

STRAINER = "come up from the cellar kitchen in my pasta strainer"
TRUE = {"holds": True, "change": "none", "quote": STRAINER, "reason": "soup in a strainer"}
ALIGNED = {"valid": True, "no_escape": True, "escape": "", "reason": "all hangs on it"}
NATURAL: dict[str, Any] = {
    "everyday": 4, "concision": 3, "concealment": 5, "numeric_context": 4, "no_escape_wording": True,
    "reason": "a little long",
}  # fmt: skip
ALL: tuple[tuple[type[Checker], dict[str, Any]], ...] = (
    (TruthChecker, TRUE), (AlignChecker, ALIGNED), (NatChecker, NATURAL),
)  # fmt: skip


async def check(checker: Checker, *replies: Any) -> tuple[Evaluation, ScriptedAccess]:
    queue = list(replies)
    access = ScriptedAccess(lambda *_: queue.pop(0))
    return await checker.check(access, view(), slot=3), access


@pytest.mark.parametrize(("kind", "reply"), ALL)
async def test_a_sound_candidate_passes_with_one_call_in_its_role(kind: Any, reply: dict[str, Any]) -> None:
    evaluation, access = await check(kind(), reply)
    (call,) = access.calls
    assert evaluation.passed
    assert evaluation.fault is None
    assert (evaluation.checker, evaluation.reason) == (kind.name, reply["reason"])
    assert evaluation.subject_id == view().candidate.candidate_id
    assert evaluation.provenance is not None
    assert evaluation.provenance.prompt == str(kind().prompts[Language.EN].ref)
    assert (call.role, call.slot, call.repeat) == (Role.CHECKER, 3, 0)


@pytest.mark.parametrize(("kind", "reply"), ALL)
async def test_a_failed_call_is_a_third_state_not_a_failure(kind: Any, reply: dict[str, Any]) -> None:
    evaluation, access = await check(kind(), CallFailed(Outcome.TRUNCATED, "cut at the token limit"))
    assert evaluation.verdict is VerdictKind.COULD_NOT_JUDGE
    assert evaluation.fault is Fault.CALL_FAILED
    assert evaluation.reason == "truncated: cut at the token limit"
    assert evaluation.scores == {}
    assert len(access.calls) == 1


async def test_a_failed_call_keeps_the_model_and_the_prompt_that_were_asked() -> None:
    """An evaluation without a verdict said neither who was asked nor with which instructions."""
    asked = provenance_of("openai/m", TruthChecker().prompts[Language.EN].ref)
    failed = CallFailed(Outcome.TIMEOUT, "90 s", key="k", provenance=asked)
    evaluation, _ = await check(TruthChecker(), failed)
    assert evaluation.fault is Fault.CALL_FAILED and evaluation.provenance == asked


@pytest.mark.parametrize(("kind", "reply"), ALL)
async def test_a_stopped_run_is_not_swallowed(kind: Any, reply: dict[str, Any]) -> None:
    with pytest.raises(BudgetReached):
        await check(kind(), BudgetReached("no more calls"))


@pytest.mark.parametrize(("kind", "reply"), ALL)
async def test_a_chinese_candidate_is_checked_in_chinese(kind: Any, reply: dict[str, Any]) -> None:
    access = ScriptedAccess(lambda *_: reply)
    await kind().check(access, view(seed(Language.ZH)))
    (call,) = access.calls
    assert call.prompt.language is Language.ZH
    assert "`" in call.instructions
    assert "只" in call.instructions


@pytest.mark.parametrize(
    ("change", "fault"),
    [("patched", Fault.PATCHED), ("swapped", Fault.TASK_SWAPPED), ("lost", Fault.TRAP_LOST)],
)
async def test_truth_fails_on_words_that_are_there(change: str, fault: Fault) -> None:
    evaluation, _ = await check(TruthChecker(), TRUE | {"holds": False, "change": change})
    assert evaluation.verdict is VerdictKind.FAIL
    assert evaluation.fault is fault
    assert evaluation.evidence == (STRAINER,)


@pytest.mark.parametrize("change", ["patched", "swapped", "lost"])
async def test_truth_does_not_fail_on_invented_words(change: str) -> None:
    reply = TRUE | {"holds": False, "change": change, "quote": "now that I have lined the strainer"}
    evaluation, access = await check(TruthChecker(), reply, reply)
    assert evaluation.verdict is VerdictKind.COULD_NOT_JUDGE
    assert evaluation.fault is Fault.CHECK_UNRESOLVED
    assert "lined the strainer" in evaluation.reason
    assert [call.repeat for call in access.calls] == [0, 1]


async def test_truth_may_find_the_trap_simply_absent() -> None:
    evaluation, _ = await check(TruthChecker(), TRUE | {"holds": False, "change": "lost", "quote": ""})
    assert evaluation.fault is Fault.TRAP_LOST
    assert evaluation.evidence == ()


async def test_truth_passes_without_a_quote_and_never_keeps_an_invented_one() -> None:
    evaluation, _ = await check(TruthChecker(), TRUE | {"quote": "soup by the bucket, please"})
    assert evaluation.passed
    assert evaluation.evidence == ()


@pytest.mark.parametrize("reply", [TRUE | {"holds": False}, TRUE | {"change": "patched"}])
async def test_a_contradiction_is_asked_again_and_the_second_reply_counts(reply: dict[str, Any]) -> None:
    evaluation, access = await check(TruthChecker(), reply, TRUE)
    assert evaluation.passed
    assert [call.repeat for call in access.calls] == [0, 1]


async def test_a_change_that_was_never_offered_is_no_verdict() -> None:
    evaluation, _ = await check(TruthChecker(), TRUE | {"change": "PASSFAIL"})
    assert evaluation.fault is Fault.CALL_FAILED


@pytest.mark.parametrize(
    ("valid", "no_escape", "fault"),
    [
        (False, True, Fault.TRAP_LOST),
        (True, False, Fault.SUBTASK_ESCAPE),
        (False, False, Fault.TRAP_LOST),
    ],
)
async def test_alignment_needs_both_components(valid: bool, no_escape: bool, fault: Fault) -> None:
    reply = ALIGNED | {"valid": valid, "no_escape": no_escape, "escape": "how many walks is that"}
    evaluation, _ = await check(AlignChecker(), reply)
    assert evaluation.verdict is VerdictKind.FAIL
    assert evaluation.fault is fault
    assert evaluation.scores == {"valid": float(valid), "no_escape": float(no_escape)}
    assert evaluation.evidence == (() if no_escape else ("How many walks is that",))


async def test_alignment_scores_one_for_each_component() -> None:
    evaluation, _ = await check(AlignChecker(), ALIGNED | {"escape": "How many walks is that"})
    assert evaluation.scores == {"valid": 1.0, "no_escape": 1.0}
    assert evaluation.evidence == ()


async def test_naturalness_is_the_mean_of_five() -> None:
    evaluation, access = await check(NatChecker(), NATURAL)
    assert evaluation.scores == {
        "everyday": 4.0, "concision": 3.0, "concealment": 5.0, "numeric_context": 4.0,
        "no_escape_wording": 5.0, "naturalness": 4.2,
    }  # fmt: skip
    assert dict(access.calls[0].inputs) == {"prompt": PROMPT}


async def test_escape_wording_costs_four_points_and_no_verdict() -> None:
    evaluation, _ = await check(NatChecker(), NATURAL | {"no_escape_wording": False})
    assert evaluation.scores["no_escape_wording"] == 1.0
    assert evaluation.scores["naturalness"] == pytest.approx(3.4)
    assert evaluation.passed


@pytest.mark.parametrize("value", [0, 6, "high", None])
async def test_a_score_off_the_scale_is_not_averaged(value: Any) -> None:
    evaluation, _ = await check(NatChecker(), NATURAL | {"everyday": value})
    assert evaluation.verdict is VerdictKind.COULD_NOT_JUDGE
    assert evaluation.scores == {}
