"""``validation.order``: one checker after the other comes to what all at once come to, with fewer calls."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from curation.estimates import plan_refine
from curation.node import Node
from curation.programs import default_programs
from curation.refine.loop import first_candidate
from curation.tools import Tools
from curation.validate import validate
from salitrap.errors import CallFailed
from salitrap.records import Fault, Outcome, Role, Route
from salitrap.settings import Settings
from tests.curation.world import ANSWER, seed, settings
from tests.fakes import ScriptedAccess

PROGRAMS = default_programs()
DOWN = CallFailed(Outcome.TIMEOUT, "-")
GOOD: dict[str, dict[str, Any]] = {
    "truth": {"holds": True, "change": "none", "quote": "", "reason": "holds"},
    "align": {"valid": True, "no_escape": True, "reason": "carried"},
    "nat": dict.fromkeys(("everyday", "concision", "concealment", "numeric_context"), 4)
    | {"no_escape_wording": True, "reason": "rated"},
    "judge": {"notices": "never", "quote": "", "completes_task": True, "refuses": False, "explains": False,
              "patches": False, "reason": "counts"},
}  # fmt: skip
STATES: dict[str, dict[str, Any]] = {
    "truth": {"pass": {}, "fail": {"holds": False, "change": "lost"}, "down": DOWN},
    "align": {"pass": {}, "fail": {"valid": False}, "down": DOWN},
    "nat": {"pass": {}, "low": dict.fromkeys(("everyday", "concision", "concealment", "numeric_context"), 1),
            "down": DOWN},
}  # fmt: skip
WORLDS = [dict(zip(STATES, names, strict=True)) for names in product(*STATES.values())]


def ordered(order: str) -> Settings:
    return settings(1, validation={"order": order})


async def validated(world: dict[str, str], order: str) -> tuple[Node, list[str]]:
    """The node of c0, and the prompts that were asked."""

    def asks(role: Role, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        state = STATES[prompt_id][world[prompt_id]] if prompt_id in world else {}
        return state if isinstance(state, Exception) else GOOD[prompt_id] | state

    access = ScriptedAccess(asks, lambda *_: ANSWER)
    tools = Tools(access=access, programs=PROGRAMS, settings=ordered(order))
    node = await validate(tools, seed(), first_candidate(seed()))
    return node, [call.prompt.id for call in access.calls]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: "-".join(world.values()))
async def test_a_cascade_routes_as_all_at_once_do(world: dict[str, str]) -> None:
    """Guards against a cascade that archives, repairs or retries otherwise."""
    (whole, every), (short, asked) = await validated(world, "parallel"), await validated(world, "cascade")
    for field in ("status", "route", "fault", "label", "aligned", "reason"):
        assert getattr(short.decision, field) == getattr(whole.decision, field), field
    assert short.evaluations == whole.evaluations[: len(short.evaluations)]
    assert short.judgement == whole.judgement
    failing = next((place for place, name in enumerate(("truth", "align")) if world[name] == "fail"), None)
    assert len(short.evaluations) == (3 if failing is None else failing + 1)
    assert len(asked) <= len(every)


async def test_what_a_cascade_leaves_out_is_the_naturalness_of_a_candidate_that_failed() -> None:
    world = {"truth": "fail", "align": "pass", "nat": "low"}
    (whole, _), (short, asked) = await validated(world, "parallel"), await validated(world, "cascade")
    assert asked == ["truth"]
    assert (short.decision.route, short.decision.fault) == (Route.ARCHIVE, Fault.TRAP_LOST)
    assert whole.decision.naturalness is not None
    assert short.decision.naturalness is None


def test_the_plan_knows_that_a_cascade_may_ask_once() -> None:
    found = {}
    for order in ("parallel", "cascade"):
        plan = plan_refine(ordered(order), seeds=4)
        found[order] = next(one for one in plan.roles if one.role is Role.CHECKER)
    assert (found["parallel"].calls_low, found["cascade"].calls_low) == (12, 4)
    assert found["parallel"].calls_high == found["cascade"].calls_high


def test_parallel_is_the_default_and_other_orders_are_refused() -> None:
    assert Settings.model_fields["validation"].default.order == "parallel"
    with pytest.raises(ValueError, match="order"):
        ordered("random")
