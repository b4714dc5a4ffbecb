"""The search around a seed over random worlds: bounds hold, nothing is lost, timing never shows."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import settings as given_settings

from curation.refine import RefineStage, SearchState
from curation.refine.loop import REWRITING, strategies_of_lineage
from curation.refine.stage import search
from curation.refine.state import SearchEnd
from curation.tools import Tools
from generator.strategies import strategies_for
from salitrap.records import (
    Role,
    Seed,
    Status,
)
from tests.curation.random_worlds import REFINE, SEED, SLOW, WORLDS, RandomWorld
from tests.curation.world import (
    RestlessAccess,
    programs,
    settings,
)
from tests.fakes import ScriptedAccess


async def all_states(stage: RefineStage, one: Seed) -> list[SearchState]:
    states = [stage.first(one)]
    while not stage.finished(states[-1]):
        states.append(await stage.step(states[-1]))
    return states


@SLOW
@given(WORLDS, REFINE)
def test_no_budget_is_ever_exceeded_and_every_call_for_a_child_leaves_a_record(
    world: RandomWorld, refine: dict[str, int]
) -> None:
    access = ScriptedAccess(world.asks, world.answers)
    tools = Tools(access, programs(), settings(refine=refine))
    states = asyncio.run(all_states(RefineStage(tools), SEED))
    last, limits = states[-1], tools.settings.refine
    assert last.candidates <= limits.max_candidates
    assert last.expansions <= limits.max_expansions
    assert last.explorations <= limits.generator_rounds
    assert len(last.nodes) - 1 + len(last.unwritten) == last.expansions
    written = [call for call in access.calls if call.role in (Role.WRITER, Role.GENERATOR)]
    assert len(written) == last.expansions
    assert sum(call.prompt.id == "mutate" for call in written) == last.explorations
    assert last.end is not None
    assert all(len(state.nodes) >= len(before.nodes) for before, state in pairwise(states))
    if last.end is SearchEnd.ENOUGH:
        assert last.certified >= limits.top_k > states[-2].certified
    else:
        assert last.certified < limits.top_k
    assert all(state.end is None for state in states[:-1])


@SLOW
@given(WORLDS, REFINE)
def test_lineages_branches_and_ordinals_keep_their_rules(world: RandomWorld, refine: dict[str, int]) -> None:
    tools = Tools(ScriptedAccess(world.asks, world.answers), programs(), settings(refine=refine))
    states = asyncio.run(all_states(RefineStage(tools), SEED))
    nodes = {node.candidate_id: node for node in states[-1].nodes}
    assert [node.candidate.ordinal for node in states[-1].nodes] == list(range(len(nodes)))
    for node in states[-1].nodes:
        rewrites = [name for name in strategies_of_lineage(states[-1].nodes, node) if name != "mutate"]
        assert len(set(rewrites)) == len(rewrites)
        assert node.decision.status in (Status.CERTIFIED, Status.INVALID) or node.decision.fault is not None
        assert_child_fits(node, nodes)
    for state in states:
        for branch in state.branches:
            rewrites = [name for name in branch.used if name != "mutate"]
            assert len(set(rewrites)) == len(rewrites)
            assert branch.stale < tools.settings.refine.patience
            assert branch.naturalise <= tools.settings.refine.naturalise_rounds
            assert branch.camouflage <= tools.settings.refine.camouflage_rounds
            assert state.nodes[branch.tip].decision.route in REWRITING


def assert_child_fits(node: Any, nodes: Mapping[str, Any]) -> None:
    """Parents come earlier and hold; strategies are of the parent's route; numbers stand in the text."""
    candidate = node.candidate
    assert all(number in candidate.prompt for number in candidate.injected_numbers)
    if candidate.parent_id is None:
        assert candidate.ordinal == 0
        return
    parent = nodes[candidate.parent_id]
    assert parent.candidate.ordinal < candidate.ordinal
    assert candidate.depth == parent.candidate.depth + 1
    if candidate.strategy != "mutate":
        assert candidate.strategy in [one.name for one in strategies_for(parent.decision.route)]
    if node.decision.status is not Status.DISCARDED:
        assert set(parent.candidate.injected_numbers) <= set(candidate.injected_numbers)


@given_settings(deadline=None, max_examples=15)
@given(WORLDS, REFINE)
def test_the_order_in_which_replies_arrive_never_shows(world: RandomWorld, refine: dict[str, int]) -> None:
    def found(arrival: int) -> SearchState:
        access = RestlessAccess(world, seed=arrival, longest=0.001)
        return asyncio.run(search(RefineStage(Tools(access, programs(), settings(refine=refine))), SEED))

    assert found(1) == found(2) == found(3)
