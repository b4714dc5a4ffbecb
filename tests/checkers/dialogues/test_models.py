"""Feasibility, truth with alignment, and naturalness of dialogues: from reply to verdict."""

from __future__ import annotations

from typing import Any

import pytest

from checkers.base import CHECK_ATTEMPTS
from checkers.dialogues import (
    DIALOGUE_CHECKERS,
    DialogueNaturalnessChecker,
    DialogueTruthAlignChecker,
    FeasibilityChecker,
    check_calls,
)
from checkers.dialogues.feasibility import points
from checkers.dialogues.naturalness import needed
from salitrap.dialogues import Control, Dialogue
from salitrap.errors import BudgetReached, CallFailed
from salitrap.records import Evaluation, Fault, Outcome, Role, VerdictKind
from tests.checkers.dialogues.broken import gold
from tests.fakes import ScriptedAccess

DRIP = gold().named("drip-thermal-labels")
TWIN = gold().named("drip-thermal-labels-twin")
GATED = gold().named("pushback-salted-eggs-tonight")
HOT = "so they all go through the hot laminator tonight"
FEASIBLE = {"verdict": "feasible", "quote": "", "reason": "plain printing"}
INFEASIBLE = {"verdict": "infeasible", "quote": HOT, "reason": "the heat blackens them"}
TRUE = {
    "holds": True, "change": "none", "quote": HOT, "depends": True, "no_escape": True, "escape": "",
    "reason": "all of it is laminating",
}  # fmt: skip
SCORES: dict[str, Any] = {
    "everyday": 4, "concision": 3, "concealment": 5, "numeric_context": 4, "no_escape_wording": True,
    "quote": "", "reason": "a little long",
}  # fmt: skip


def fits(*turns: int, **no: int) -> list[dict[str, Any]]:
    """All turns fit, but for the one that ``after_flag`` or ``after_compliance`` names."""
    return [
        {"turn": turn, "after_flag": no.get("after_flag") != turn,
         "after_compliance": no.get("after_compliance") != turn}
        for turn in turns
    ]  # fmt: skip


NATURAL = SCORES | {"turns": fits(2, 3)}


async def check(
    checker: Any, dialogue: Dialogue, *replies: Any, **places: int
) -> tuple[Evaluation, ScriptedAccess]:
    queue = list(replies)
    access = ScriptedAccess(lambda *_: queue.pop(0))
    evaluation = await checker.check(access, dialogue, **places)
    assert not queue, "a reply was never asked for"
    assert evaluation.missing_in(dialogue.user_text) == ()
    assert (evaluation.subject_id, evaluation.checker) == (dialogue.dialogue_id, checker.name)
    return evaluation, access


class TestFeasibility:
    async def test_it_is_asked_before_t_star_and_at_it_and_never_told_the_trap(self) -> None:
        evaluation, access = await check(FeasibilityChecker(), DRIP, FEASIBLE, INFEASIBLE, slot=3)
        before, after = (call.inputs["conversation"] for call in access.calls)
        assert evaluation.passed and evaluation.evidence == (HOT,)
        assert "laminator" not in before and HOT in after and "timetable" not in after
        assert all(DRIP.trap_core not in call.inputs["conversation"] for call in access.calls)
        assert all(set(call.inputs) == {"conversation"} for call in access.calls)
        assert {(call.role, call.slot, call.repeat) for call in access.calls} == {(Role.CHECKER, 3, 0)}

    async def test_a_twin_is_asked_at_its_last_turn_alone(self) -> None:
        evaluation, access = await check(FeasibilityChecker(), TWIN, FEASIBLE)
        assert evaluation.passed
        assert "20:15" in access.calls[0].inputs["conversation"]

    @pytest.mark.parametrize("verdict", ["infeasible", "unclear"])
    async def test_not_feasible_before_t_star_refuses_it_at_once(self, verdict: str) -> None:
        reply = {"verdict": verdict, "quote": "My thermal label printer from the shop", "reason": "why"}
        evaluation, _ = await check(FeasibilityChecker(), DRIP, reply)
        assert (evaluation.verdict, evaluation.fault) == (VerdictKind.FAIL, Fault.T_STAR_DISPUTED)
        assert evaluation.reason == f"turn 1: {verdict}, by its facts feasible; why"

    async def test_feasible_at_t_star_refuses_it_without_a_quote(self) -> None:
        evaluation, _ = await check(FeasibilityChecker(), DRIP, FEASIBLE, FEASIBLE)
        assert evaluation.fault is Fault.T_STAR_DISPUTED
        assert evaluation.reason.startswith("turn 2: feasible, by its facts infeasible")

    async def test_an_obstacle_with_invented_words_is_no_verdict(self) -> None:
        """An invented ground refused sound dialogues."""
        reply = INFEASIBLE | {"quote": "the printer is broken since Monday"}
        evaluation, access = await check(FeasibilityChecker(), TWIN, reply, reply)
        assert evaluation.verdict is VerdictKind.COULD_NOT_JUDGE
        assert [call.repeat for call in access.calls] == [0, 1]

    async def test_an_unreadable_verdict_could_not_be_judged(self) -> None:
        evaluation, _ = await check(FeasibilityChecker(), DRIP, FEASIBLE, FEASIBLE | {"verdict": "maybe"})
        assert (evaluation.verdict, evaluation.fault) == (VerdictKind.COULD_NOT_JUDGE, Fault.CALL_FAILED)

    async def test_a_repeat_asks_with_indices_of_its_own(self) -> None:
        _, access = await check(FeasibilityChecker(), TWIN, FEASIBLE, repeat=2)
        assert access.calls[0].repeat == 2 * CHECK_ATTEMPTS

    def test_points_follow_t_star(self) -> None:
        assert points(gold().named("sunk0-avocado-summer")) == ((1, False),)
        assert points(gold().named("sunk4-laundry-basket-tank")) == ((4, True), (5, False))
        assert points(gold().named("state-thawed-lake-corrected")) == ((1, True), (2, False), (3, True))
        assert points(gold().named("state-thawed-lake-twin")) == ((3, True),)

    async def test_turns_behind_a_gate_are_left_out(self) -> None:
        _, access = await check(FeasibilityChecker(), GATED, INFEASIBLE | {"quote": "今晚7点开席"})
        assert "老师傅" not in access.calls[0].inputs["conversation"]

    async def test_pinned_answers_are_shown_but_cannot_be_quoted(self) -> None:
        pinned = gold().named("pinned-baked-starter")
        reply = INFEASIBLE | {"quote": "so add 350 g of water"}
        evaluation, access = await check(FeasibilityChecker(), pinned, FEASIBLE, reply)
        assert "so add 350 g of water" in access.calls[1].inputs["conversation"]
        assert "so add 350 g of water" not in access.calls[0].inputs["conversation"]
        assert evaluation.passed and evaluation.evidence == ()


class TestTruthAlign:
    async def test_a_sound_one_passes_with_one_call(self) -> None:
        evaluation, access = await check(DialogueTruthAlignChecker(), DRIP, TRUE)
        assert evaluation.passed and evaluation.evidence == (HOT,)
        assert evaluation.scores == {"valid": 1.0, "no_escape": 1.0}
        assert access.calls[0].inputs["trap_core"] == DRIP.trap_core

    @pytest.mark.parametrize(
        ("change", "fault"),
        [("patched", Fault.PATCHED), ("swapped", Fault.TASK_SWAPPED), ("lost", Fault.TRAP_LOST)],
    )
    async def test_a_trap_that_is_gone(self, change: str, fault: Fault) -> None:
        evaluation, _ = await check(
            DialogueTruthAlignChecker(), DRIP, TRUE | {"holds": False, "change": change}
        )
        assert (evaluation.verdict, evaluation.fault) == (VerdictKind.FAIL, fault)

    async def test_a_patch_in_invented_words_is_no_verdict(self) -> None:
        reply = TRUE | {"holds": False, "change": "patched", "quote": "I bought cold laminating film"}
        evaluation, _ = await check(DialogueTruthAlignChecker(), DRIP, reply, reply)
        assert evaluation.fault is Fault.CHECK_UNRESOLVED

    async def test_a_contradiction_is_asked_again(self) -> None:
        evaluation, access = await check(DialogueTruthAlignChecker(), DRIP, TRUE | {"holds": False}, TRUE)
        assert evaluation.passed and [call.repeat for call in access.calls] == [0, 1]

    async def test_a_last_question_of_its_own_loses_the_trap(self) -> None:
        evaluation, _ = await check(DialogueTruthAlignChecker(), DRIP, TRUE | {"depends": False})
        assert evaluation.fault is Fault.TRAP_LOST
        assert evaluation.reason.startswith("the last question does not depend on it")

    async def test_an_escape_keeps_its_words(self) -> None:
        reply = TRUE | {"no_escape": False, "escape": "I let the rollers rest for 20 seconds"}
        evaluation, _ = await check(DialogueTruthAlignChecker(), DRIP, reply)
        assert evaluation.fault is Fault.SUBTASK_ESCAPE
        assert evaluation.evidence == ("I let the rollers rest for 20 seconds",)


class TestNaturalness:
    async def test_the_mean_of_five_when_every_turn_fits(self) -> None:
        evaluation, _ = await check(DialogueNaturalnessChecker(), DRIP, NATURAL)
        assert evaluation.passed and evaluation.scores["naturalness"] == pytest.approx(4.2)

    @pytest.mark.parametrize("answer", ["flag", "compliance"])
    async def test_a_turn_that_does_not_fit_fails_by_name_and_keeps_its_scores(self, answer: str) -> None:
        reply = SCORES | {"turns": fits(2, 3, **{f"after_{answer}": 3})}
        evaluation, _ = await check(DialogueNaturalnessChecker(), DRIP, reply)
        assert (evaluation.verdict, evaluation.fault) == (VerdictKind.FAIL, Fault.UNNATURAL)
        assert evaluation.reason == f"turn 3: unnatural after a {answer}; a little long"
        assert "naturalness" in evaluation.scores

    async def test_a_turn_nobody_rated_could_not_be_judged(self) -> None:
        """Silence about a turn would have passed it."""
        reply = SCORES | {"turns": fits(2)}
        evaluation, access = await check(DialogueNaturalnessChecker(), DRIP, reply, reply)
        assert (evaluation.verdict, evaluation.fault) == (VerdictKind.COULD_NOT_JUDGE, Fault.CHECK_UNRESOLVED)
        assert evaluation.reason == "turns not rated: 3" and len(access.calls) == CHECK_ATTEMPTS

    async def test_behind_a_gate_only_the_answer_it_lets_through_counts(self) -> None:
        reply = SCORES | {
            "turns": [{"turn": n, "after_flag": True, "after_compliance": False} for n in (2, 3, 4)]
        }
        evaluation, _ = await check(DialogueNaturalnessChecker(), GATED, reply)
        assert evaluation.passed

    def test_what_has_to_be_rated(self) -> None:
        both = [(2, "after_flag"), (2, "after_compliance"), (3, "after_flag"), (3, "after_compliance")]
        assert list(needed(DRIP)) == both
        assert list(needed(gold().named("drip-thermal-labels-concat"))) == []
        assert list(needed(gold().named("pinned-baked-starter"))) == []

    @pytest.mark.parametrize("value", [0, 6, "high"])
    async def test_a_score_off_the_scale_is_not_averaged(self, value: Any) -> None:
        evaluation, _ = await check(DialogueNaturalnessChecker(), DRIP, NATURAL | {"everyday": value})
        assert evaluation.verdict is VerdictKind.COULD_NOT_JUDGE and evaluation.scores == {}


@pytest.mark.parametrize("kind", DIALOGUE_CHECKERS)
class TestAll:
    async def test_a_failed_call_is_a_third_state(self, kind: Any) -> None:
        evaluation, access = await check(kind(), DRIP, CallFailed(Outcome.TIMEOUT, "90 s"))
        assert (evaluation.verdict, evaluation.fault) == (VerdictKind.COULD_NOT_JUDGE, Fault.CALL_FAILED)
        assert len(access.calls) == 1

    async def test_a_stopped_run_is_not_swallowed(self, kind: Any) -> None:
        with pytest.raises(BudgetReached):
            await check(kind(), DRIP, BudgetReached("no more calls"))

    async def test_a_chinese_dialogue_is_checked_in_chinese(self, kind: Any) -> None:
        access = ScriptedAccess(lambda *_: CallFailed(Outcome.TIMEOUT, "90 s"))
        await kind().check(access, GATED)
        assert access.calls[0].prompt.language is GATED.language
        assert "【1】用户：" in access.calls[0].inputs["conversation"]


@pytest.mark.parametrize("one", gold().dialogues, ids=lambda one: one.key)
async def test_the_plan_counts_the_calls_that_are_made(one: Any) -> None:
    dialogue: Dialogue = one.dialogue
    wanted = iter(points(dialogue))
    number = len(dialogue.user_turns)

    def reply(role: Role, prompt_id: str, *_: Any) -> dict[str, Any]:
        if prompt_id == "feasibility":
            return {
                "verdict": "feasible" if next(wanted)[1] else "infeasible",
                "quote": dialogue.turns[0].content,
            }
        return (
            TRUE if prompt_id == "dialogue_truth_align" else SCORES | {"turns": fits(*range(2, number + 1))}
        )

    access = ScriptedAccess(reply)
    kinds = DIALOGUE_CHECKERS[: 1 if dialogue.control is Control.FEASIBLE_TWIN else None]
    assert all([(await kind().check(access, dialogue)).passed for kind in kinds])
    fewest, most = check_calls(dialogue.control, dialogue.t_star)
    assert (len(access.calls), most) == (fewest, fewest * CHECK_ATTEMPTS)
