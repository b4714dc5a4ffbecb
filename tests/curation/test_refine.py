"""The search around one seed, rule by rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from curation.refine.loop import RefineStage, first_candidate, strategies_of_lineage
from curation.refine.stage import outcome, search
from curation.refine.state import SearchEnd, SearchState
from curation.registry import WorkState
from curation.registry.events import EventKind
from curation.tools import Tools
from generator.strategies import strategies_for
from salitrap.errors import CallFailed
from salitrap.providers.access import Answered
from salitrap.records import Fault, Origin, Outcome, Route, Status
from tests.curation.nodes import node
from tests.curation.world import OPENERS, programs, seed, settings
from tests.fakes import ScriptedAccess, answered

SEED = seed(3)
ALL_GOOD: dict[str, Any] = {"nu": 4, "fails": False, "valid": True, "compliant": True}
Facts = Callable[[str], dict[str, Any]]


@dataclass
class Lab:
    """Models that do what ``facts`` of the text say; rewrites are numbered and told apart by their end."""

    facts: Facts
    unwritten: set[str] = field(default_factory=set)
    written: list[tuple[str, str]] = field(default_factory=list)
    rewrite: Callable[[str, int], str] | None = None

    def access(self) -> ScriptedAccess:
        return ScriptedAccess(self._asks, self._answers)

    def of(self, prompt: str) -> dict[str, Any]:
        return {**ALL_GOOD, **self.facts(prompt)}

    def _asks(self, role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        if prompt_id in ("mutate", "naturalise", "camouflage", "repair"):
            return self._rewrite(prompt_id, inputs)
        text = inputs.get("child") or inputs["prompt"]
        told = self.of(text)
        if prompt_id == "compliance":
            good = told["compliant"]
            return {
                "same_trap": good,
                "numbers_kept": True,
                "no_escape": True,
                "no_patch": True,
                "reason": "r",
            }
        if prompt_id == "truth":
            change = "none" if told["valid"] else "lost"
            return {"holds": told["valid"], "change": change, "quote": "", "reason": "r"}
        if prompt_id == "align":
            return {"valid": True, "no_escape": True, "escape": "", "reason": "r"}
        if prompt_id == "nat":
            names = ("everyday", "concision", "concealment", "numeric_context")
            return {**dict.fromkeys(names, told["nu"]), "no_escape_wording": told["nu"] > 2, "reason": "r"}
        return _judged(told["fails"])

    def _rewrite(self, prompt_id: str, inputs: Any) -> Any:
        number = len(self.written)
        strategy = str(inputs.get("strategy", "mutate"))
        self.written.append((prompt_id, strategy))
        if prompt_id in self.unwritten:
            return CallFailed(Outcome.TIMEOUT, "no reply")
        if self.rewrite is not None:
            return {"rewritten": self.rewrite(inputs["prompt"], number)}
        body = SEED.prompt.partition(". ")[2]
        name = chr(ord("A") + number) * 9
        return {"rewritten": f"{OPENERS[number % 8]} {body} {name} asked {OPENERS[(number + 3) % 8].lower()}"}

    def _answers(self, message: str, slot: int, repeat: int) -> Answered:
        return answered("The vessel lets liquid through, so this is no good.")


def _judged(fails: bool) -> dict[str, Any]:
    flags = {"completes_task": fails, "refuses": not fails, "explains": not fails, "patches": False}
    quote = "" if fails else "The vessel lets liquid through"
    return {"notices": "never" if fails else "early", "quote": quote, **flags, "reason": "r"}


def stage_of(lab: Lab, **refine: Any) -> tuple[RefineStage, Tools]:
    tools = Tools(lab.access(), programs(), settings(refine=refine))
    return RefineStage(tools), tools


async def searched(lab: Lab, **refine: Any) -> SearchState:
    stage, _ = stage_of(lab, **refine)
    return await search(stage, SEED)


def is_seed(text: str) -> bool:
    return text == SEED.prompt


async def test_c0_takes_the_path_of_every_candidate() -> None:
    lab = Lab(lambda text: {"fails": True})
    stage, _ = stage_of(lab, generator_rounds=1)
    state = await stage.step(stage.first(SEED))
    (first,) = state.nodes
    assert (first.candidate.origin, first.candidate.prompt) == (Origin.SEED, SEED.prompt)
    assert first.candidate.injected_numbers == SEED.injected_numbers
    assert first.decision.status is Status.CERTIFIED
    assert [evaluation.checker for evaluation in first.evaluations] == ["truth", "align", "nat"]


async def test_c0_is_mutated_while_it_is_validated_where_it_would_be_explored_anyway() -> None:
    stage, _ = stage_of(lab := Lab(lambda text: {"fails": not is_seed(text)}), generator_rounds=2)
    state = await stage.step(stage.first(SEED))
    first, mutated = state.nodes
    assert [name for name, _ in lab.written] == ["mutate"]
    assert (mutated.candidate.parent_id, mutated.candidate.ordinal) == (first.candidate_id, 1)
    assert (state.round, state.expansions, state.explorations) == (1, 1, 1)
    assert [state.nodes[branch.tip] for branch in state.branches] == [first]


@pytest.mark.parametrize("refine", [{"generator_rounds": 2, "top_k": 1}, {"max_candidates": 2}])
async def test_c0_is_not_mutated_meanwhile_where_the_search_may_end_without(refine: dict[str, Any]) -> None:
    stage, _ = stage_of(lab := Lab(lambda text: {"fails": True}), **refine)
    state = await stage.step(stage.first(SEED))
    assert (len(state.nodes), lab.written) == (1, [])


async def test_a_certified_seed_is_explored_and_not_rewritten() -> None:
    state = await searched(lab := Lab(lambda text: {"fails": True}), generator_rounds=2)
    assert [prompt_id for prompt_id, _ in lab.written] == ["mutate", "mutate"]
    assert (state.certified, state.end) == (3, SearchEnd.NOTHING_ACTIVE)
    assert {one.candidate.origin for one in state.nodes[1:]} == {Origin.MUTATE}


async def test_the_search_ends_with_enough_certified_candidates() -> None:
    state = await searched(lab := Lab(lambda text: {"fails": True}), generator_rounds=5, top_k=2)
    assert (state.certified, state.end, len(lab.written)) == (2, SearchEnd.ENOUGH, 1)


async def test_an_archived_seed_is_explored_all_the_same() -> None:
    lab = Lab(lambda text: {"valid": not is_seed(text), "fails": True})
    state = await searched(lab, generator_rounds=1)
    assert [one.decision.status for one in state.nodes] == [Status.INVALID, Status.CERTIFIED]
    assert state.nodes[0].decision.fault is Fault.TRAP_LOST


async def test_an_obvious_candidate_is_camouflaged_by_fresh_strategies_in_order() -> None:
    lab = Lab(lambda text: {"fails": False})
    state = await searched(lab, generator_rounds=0, camouflage_rounds=9, patience=9)
    names = [one.name for one in strategies_for(Route.CAMOUFLAGE)]
    assert [one.candidate.strategy for one in state.nodes[1:]] == names
    assert state.end is SearchEnd.NOTHING_ACTIVE


async def test_a_branch_without_progress_ends_after_its_patience() -> None:
    state = await searched(lab := Lab(lambda text: {}), generator_rounds=0, patience=2, camouflage_rounds=9)
    assert len(lab.written) == 2
    assert {one.candidate.parent_id for one in state.nodes[1:]} == {state.nodes[0].candidate_id}


async def test_progress_moves_the_tip_and_refills_the_patience() -> None:
    steps = {0: 4, 1: 4, 2: 5}
    lab = Lab(lambda text: {"nu": 3 if is_seed(text) else steps.get(_number(text), 5)})
    state = await searched(lab, generator_rounds=0, patience=2, camouflage_rounds=4)
    parents = [one.candidate.parent_id for one in state.nodes]
    ids = [one.candidate_id for one in state.nodes]
    assert parents == [None, ids[0], ids[1], ids[1], ids[3]]


def _number(text: str) -> int:
    return next((ord(mark) - ord("A") for mark in "ABCDEFGHIJKLM" if mark * 9 in text), -1)


@pytest.mark.parametrize(
    ("nu", "fails", "route", "rounds", "most"),
    [
        (4, False, Route.CAMOUFLAGE, {"camouflage_rounds": 1}, 1),
        (3, True, Route.NATURALISE, {"naturalise_rounds": 3}, 3),
    ],
)
async def test_an_objective_has_its_own_rounds(
    nu: int, fails: bool, route: Route, rounds: dict[str, int], most: int
) -> None:
    lab = Lab(lambda text: {"nu": nu, "fails": fails})
    await searched(lab, generator_rounds=0, patience=9, **rounds)
    assert [prompt_id for prompt_id, _ in lab.written] == [route.value] * most


async def test_an_unreadable_seed_is_repaired_and_never_solved() -> None:
    lab = Lab(lambda text: {"nu": 1 if is_seed(text) else 4, "fails": True})
    stage, tools = stage_of(lab, generator_rounds=0)
    state = await search(stage, SEED)
    assert state.nodes[0].decision.status is Status.UNREADABLE
    assert state.nodes[0].answer is None
    assert [prompt_id for prompt_id, _ in lab.written] == ["repair"]
    assert [message for message, _, _ in tools.access.messages] == [state.nodes[1].candidate.prompt]


async def test_a_child_that_breaks_the_rules_is_discarded_before_it_costs_more() -> None:
    lab = Lab(lambda text: {"compliant": is_seed(text)})
    stage, tools = stage_of(lab, generator_rounds=0)
    state = await search(stage, SEED)
    assert {one.decision.status for one in state.nodes[1:]} == {Status.DISCARDED}
    assert {one.decision.fault for one in state.nodes[1:]} == {Fault.TRAP_LOST}
    assert len(tools.access.messages) == 1
    assert state.candidates == 1


async def test_a_guard_discards_without_a_call() -> None:
    lab = Lab(
        lambda text: {}, rewrite=lambda prompt, number: f"{prompt} Also there are 7{number} more people."
    )
    stage, tools = stage_of(lab, generator_rounds=0, patience=1)
    state = await search(stage, SEED)
    assert state.nodes[1].decision.fault is Fault.NUMBERS_CHANGED
    assert "compliance" not in {call.prompt.id for call in tools.access.calls}


async def test_the_text_of_another_candidate_is_discarded_as_such() -> None:
    same = f"{OPENERS[0]} {SEED.prompt.partition('. ')[2]} My sister wants to know as well, and so do I."
    state = await searched(Lab(lambda text: {}, rewrite=lambda prompt, number: same), generator_rounds=0)
    assert len(state.nodes) == 2
    (repeated,) = state.unwritten
    assert (repeated.fault, repeated.twin_id) == (Fault.NEAR_DUPLICATE, state.nodes[1].candidate_id)
    assert not state.unsettled


async def test_what_was_never_written_is_recorded_and_the_seed_waits() -> None:
    lab = Lab(lambda text: {}, unwritten={"camouflage"})
    stage, tools = stage_of(lab, generator_rounds=0)
    state = await search(stage, SEED)
    assert [rejection.fault for rejection in state.unwritten] == [Fault.CALL_FAILED] * 2
    batch = outcome(tools, state, "f")
    assert batch.state is WorkState.UNSETTLED
    assert sum(event.kind is EventKind.REJECTION for event in batch.events) == 2


async def test_every_few_rounds_the_generator_mutates_the_best_so_far() -> None:
    lab = Lab(lambda text: {"nu": 5 if _number(text) == 0 else 3})
    state = await searched(lab, explore_every=2, generator_rounds=1, patience=3, camouflage_rounds=9)
    (mutated,) = [one for one in state.nodes if one.candidate.origin is Origin.MUTATE]
    assert mutated.candidate.parent_id == state.nodes[1].candidate_id
    assert mutated.candidate.depth == 2


async def test_a_mutation_opens_a_branch_that_remembers_its_lineage() -> None:
    lab = Lab(lambda text: {})
    state = await searched(lab, explore_every=2, generator_rounds=1, patience=4, camouflage_rounds=2)
    mutation = next(one for one in state.nodes if one.candidate.origin is Origin.MUTATE)
    heirs = [one for one in state.nodes if one.candidate.parent_id == mutation.candidate_id]
    assert heirs
    for heir in heirs:
        lineage = strategies_of_lineage(state.nodes, heir)
        assert len(set(lineage)) == len(lineage)


@pytest.mark.parametrize("limit", [{"max_candidates": 3}, {"max_expansions": 2}])
async def test_budgets_end_the_search(limit: dict[str, int]) -> None:
    lab = Lab(lambda text: {"nu": 3, "fails": True})
    state = await searched(lab, patience=9, naturalise_rounds=9, generator_rounds=9, explore_every=1, **limit)
    assert state.end is SearchEnd.BUDGET
    assert state.candidates <= limit.get("max_candidates", 99)
    assert state.expansions <= limit.get("max_expansions", 99)


async def test_a_step_leaves_the_state_it_was_given_alone() -> None:
    lab = Lab(lambda text: {}, rewrite=lambda prompt, number: f"{OPENERS[0]} {prompt} Everyone is waiting.")
    stage, _ = stage_of(lab)
    first = await stage.step(stage.first(SEED))
    copy = replace(first)
    assert await stage.step(first) == await stage.step(copy)
    assert first == copy


async def test_the_estimate_brackets_what_a_search_costs() -> None:
    for facts in ({"fails": True}, {"nu": 3, "fails": True}, {}, {"nu": 1}):
        lab = Lab(lambda text, told=facts: told)
        stage, tools = stage_of(lab)
        plan = stage.estimate(stage.first(SEED))
        await search(stage, SEED)
        paid = len(tools.access.calls) + len(tools.access.messages)
        assert plan.calls_low <= paid <= plan.calls_high
        assert stage.estimate(await search(stage, SEED)).calls_high == 0


def test_the_first_candidate_has_no_parent() -> None:
    first = first_candidate(SEED)
    assert (first.parent_id, first.ordinal, first.depth) == (None, 0, 0)


def test_strategies_of_a_lineage_are_those_on_the_way() -> None:
    parent = node("p", strategy="one")
    child = node("c", parent=parent.candidate_id, strategy="two")
    other = node("o", parent=parent.candidate_id, strategy="three")
    assert strategies_of_lineage([parent, other, child], child) == ("one", "two")
