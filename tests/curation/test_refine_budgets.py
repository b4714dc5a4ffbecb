"""Budgets of the search: rounds with many branches end exactly where they should."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from curation.refine import RefineStage, SearchState
from curation.refine.loop import strategies_of_lineage
from curation.refine.stage import search
from curation.refine.state import SearchEnd
from curation.tools import Tools
from tests.curation.random_worlds import SEED, RandomWorld
from tests.curation.world import (
    programs,
    settings,
)
from tests.fakes import ScriptedAccess


class Fertile(RandomWorld):
    """Every candidate is an attack that reads badly, and every child is at least as good."""

    def __init__(self) -> None:
        super().__init__(0, failing=0.0, attacks=1.0, natural=3, invalid=0.0)
        self.losing = 0.0

    def _nat(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        names = ("everyday", "concision", "concealment", "numeric_context")
        return {**dict.fromkeys(names, 3), "no_escape_wording": True, "reason": "rated"}

    def _compliance(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        kept = dict.fromkeys(("same_trap", "numbers_kept", "no_escape", "no_patch"), True)
        return {**kept, "reason": "compared"}


FERTILE = {"patience": 9, "explore_every": 1, "generator_rounds": 20, "naturalise_rounds": 9}


async def searched_fertile(**limits: int) -> SearchState:
    access = ScriptedAccess(Fertile().asks, Fertile().answers)
    tools = Tools(access, programs(), settings(refine={**FERTILE, **limits}))
    return await search(RefineStage(tools), SEED)


@pytest.mark.parametrize("most", range(1, 13))
async def test_a_round_with_many_branches_stops_exactly_at_the_budget(most: int) -> None:
    """Every round has one branch more than the last, so that budgets end in the middle of one."""
    by_expansions = await searched_fertile(max_expansions=most, max_candidates=99)
    by_candidates = await searched_fertile(max_expansions=99, max_candidates=most)
    assert (by_expansions.end, by_expansions.expansions) == (SearchEnd.BUDGET, most)
    assert (by_candidates.end, by_candidates.candidates) == (SearchEnd.BUDGET, most)


async def test_a_branch_that_a_mutation_opens_repeats_no_strategy_of_its_ancestors() -> None:
    nodes = (await searched_fertile(max_expansions=60, max_candidates=60)).nodes
    late = [node for node in nodes if "mutate" in strategies_of_lineage(nodes, node)[1:-1]]
    assert late
    for node in nodes:
        rewrites = [name for name in strategies_of_lineage(nodes, node) if name != "mutate"]
        assert len(set(rewrites)) == len(rewrites)
