"""Calls that fail in the search: each is recorded, none becomes a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from curation.refine import RefineStage
from curation.refine.stage import outcome, search
from curation.registry import WorkState
from curation.tools import Tools
from salitrap.errors import CallFailed
from salitrap.providers.access import Answered
from salitrap.records import (
    Fault,
    Outcome,
    Role,
    Route,
    Status,
    VerdictKind,
)
from tests.curation.random_worlds import SEED, RandomWorld
from tests.curation.world import (
    programs,
    seed,
    settings,
)
from tests.fakes import ScriptedAccess, answered

PROMPTS = ("truth", "align", "nat", "compliance", "judge", "mutate", "naturalise", "camouflage", "repair")


@pytest.mark.parametrize("prompt_id", PROMPTS)
async def test_a_program_that_always_fails_is_recorded_and_the_search_ends(prompt_id: str) -> None:
    """Each world leads to the program in question; whatever it cannot say becomes a record."""
    world = RandomWorld(1, failing=0.0, attacks=0.5, natural=1 if prompt_id == "repair" else 3, invalid=0.0)
    world.kinds = 1

    def asks(role: Role, asked: str, inputs: Mapping[str, Any], slot: int, repeat: int) -> Any:
        if asked == prompt_id:
            return CallFailed(Outcome.UNPARSABLE, "no JSON", raw="gibberish")
        return world.asks(role, asked, inputs, slot, repeat)

    hit = 0
    for number in (3, 4, 9):
        access = ScriptedAccess(asks, world.answers)
        tools = Tools(access, programs(), settings())
        state = await search(RefineStage(tools), seed(number))
        failures = sum(call.prompt.id == prompt_id for call in access.calls)
        hit += failures
        recorded = [one for one in state.unwritten if one.fault is Fault.CALL_FAILED]
        unsettled = [one for one in state.nodes if one.decision.status is Status.UNSETTLED]
        assert all(one.raw == "gibberish" and "no JSON" in one.reason for one in recorded)
        assert all(one.decision.fault is Fault.CALL_FAILED for one in unsettled)
        assert all(one.decision.route is Route.RETRY for one in unsettled)
        assert bool(failures) == bool(recorded or unsettled)
        wanted = WorkState.UNSETTLED if failures else WorkState.DONE
        assert outcome(tools, state, "f").state is wanted
    assert hit


@pytest.mark.parametrize("outcome_of_answer", [one for one in Outcome if one is not Outcome.OK])
async def test_an_answer_that_did_not_arrive_gets_no_label_and_waits(outcome_of_answer: Outcome) -> None:
    world = RandomWorld(1, failing=0.0, attacks=1.0, natural=4, invalid=0.0)

    def answers(message: str, slot: int, repeat: int) -> Answered:
        return answered(outcome=outcome_of_answer, detail="no reply")

    access = ScriptedAccess(world.asks, answers)
    state = await search(RefineStage(Tools(access, programs(), settings())), SEED)
    solved = [node for node in state.nodes if node.answer is not None]
    assert solved
    assert {(node.decision.status, node.decision.label) for node in solved} == {(Status.UNSETTLED, None)}
    assert {node.decision.fault for node in solved} == {Fault.CALL_FAILED}
    assert "judge" not in {call.prompt.id for call in access.calls}


async def test_a_child_whose_compliance_contradicts_itself_says_so() -> None:
    """The fault of the evaluation is the fault of the decision: not every open question is a failed call."""

    class Undecided:
        async def check_child(self, *args: Any, **named: Any) -> Any:
            evaluation = await programs().compliance.check_child(*args, **named)
            open_question = {"verdict": VerdictKind.COULD_NOT_JUDGE, "fault": Fault.CHECK_UNRESOLVED}
            return evaluation.model_copy(update={**open_question, "reason": "it contradicts itself"})

    world = RandomWorld(1, failing=0.0, attacks=1.0, natural=4, invalid=0.0)
    changed = replace(programs(), compliance=Undecided())
    access = ScriptedAccess(world.asks, world.answers)
    state = await search(RefineStage(Tools(access, changed, settings())), SEED)
    children = [node for node in state.nodes[1:] if node.decision.status is Status.UNSETTLED]
    assert children
    assert {node.decision.fault for node in children} == {Fault.CHECK_UNRESOLVED}
    assert {node.decision.reason for node in children} == {"it contradicts itself"}
