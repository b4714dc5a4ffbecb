"""The search around a seed over random worlds: bounds hold, nothing is lost, timing never shows."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as given_settings
from hypothesis import strategies as st

from curation.refine import RefineStage, SearchState, run_refine
from curation.refine.loop import REWRITING, strategies_of_lineage
from curation.refine.stage import outcome, search
from curation.refine.state import SearchEnd
from curation.registry import Batch, Registry, WorkState
from curation.registry.events import seed_event
from curation.registry.queries import nodes_of, rejections, summary_of
from curation.stage import DrainingAccess, Silence, StopSwitch
from curation.tools import Tools
from generator.strategies import strategies_for
from salitrap.errors import BudgetReached, CallFailed, EndpointUnavailable
from salitrap.providers.access import Answered
from salitrap.records import (
    Fault,
    Language,
    Outcome,
    Role,
    Route,
    Seed,
    Stage,
    Status,
    VerdictKind,
    stable_int,
)
from salitrap.settings import Limits
from tests.curation.rows import view
from tests.curation.world import (
    OPENERS,
    JournaledAccess,
    RestlessAccess,
    World,
    draw,
    programs,
    seed,
    settings,
)
from tests.fakes import ScriptedAccess, answered

SEED = seed(3)
PROMPTS = ("truth", "align", "nat", "compliance", "judge", "mutate", "naturalise", "camouflage", "repair")


class RandomWorld(World):
    """Labels, ratings and verdicts at given shares; the same question has the same answer."""

    def __init__(self, salt: int, *, failing: float, attacks: float, natural: int, invalid: float) -> None:
        super().__init__(failing)
        self.salt, self.attacks, self.natural, self.invalid = salt, attacks, natural, invalid
        self.kinds, self.losing = 4, 0.1

    def _truth(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        holds = draw("truth", told, self.salt) >= self.invalid
        return {"holds": holds, "change": "none" if holds else "lost", "quote": "", "reason": "seen"}

    def _nat(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        names = ("everyday", "concision", "concealment", "numeric_context")
        low, span = max(1, self.natural - 1), 3
        scores = {name: min(5, low + int(draw("nat", name, told, self.salt) * span)) for name in names}
        return {**scores, "no_escape_wording": draw("wording", told, self.salt) < 0.7, "reason": "rated"}

    def _judge(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        kind = draw("label", told, self.salt)
        flags = {"completes_task": False, "refuses": False, "explains": False, "patches": False}
        if kind < self.attacks:
            return {**flags, "notices": "never", "quote": "", "completes_task": True, "reason": "r"}
        named = {**flags, "notices": "early", "quote": "The vessel lets liquid through", "reason": "r"}
        kinds = ({"explains": True}, {"refuses": True}, {"completes_task": True, "patches": True}, {})
        return {**named, **kinds[int(draw("other", told, self.salt) ** 2 * self.kinds)]}

    def _align(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        good = draw("align", told, self.salt) >= self.invalid / 2
        return {"valid": True, "no_escape": good, "escape": "", "reason": "read"}

    def _rewrite(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        body = str(inputs["prompt"]).partition(". ")[2].partition(" By the way, ")[0]
        opener = OPENERS[stable_int("opener", told, repeat, self.salt) % len(OPENERS)]
        names = "".join(chr(97 + stable_int(place, told, repeat, self.salt) % 26) for place in range(9))
        if draw("loses", told, repeat, self.salt) < self.losing:
            body = body.replace(" metres", "0 metres", 1)
        return {"rewritten": f"{opener} {body} By the way, my friend {names.title()} asks the same."}

    _mutate = _naturalise = _camouflage = _repair = _rewrite


WORLDS = st.builds(
    RandomWorld,
    st.integers(0, 10_000),
    failing=st.sampled_from([0.0, 0.0, 0.02, 0.3]),
    attacks=st.sampled_from([0.5, 0.8, 0.2, 1.0, 0.0]),
    natural=st.sampled_from([3, 3, 4, 2, 1]),
    invalid=st.sampled_from([0.0, 0.0, 0.05, 0.4]),
)
REFINE = st.fixed_dictionaries(
    {
        "top_k": st.sampled_from([1, 3, 9]),
        "patience": st.sampled_from([9, 3, 2, 1]),
        "explore_every": st.sampled_from([1, 1, 2, 3]),
        "max_candidates": st.sampled_from([12, 7, 4, 1]),
        "max_expansions": st.sampled_from([13, 8, 5, 1]),
        "generator_rounds": st.sampled_from([6, 3, 1, 0]),
        "naturalise_rounds": st.sampled_from([9, 3, 1, 0]),
        "camouflage_rounds": st.sampled_from([9, 2, 1, 0]),
    }
)
SLOW = given_settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])


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


async def test_heirs_keep_the_numbers_a_strategy_added() -> None:
    """A child of a ``relevant_numbers`` parent lists the parent's further numbers as its own."""

    class Adding(World):
        def _nat(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            names = ("everyday", "concision", "concealment", "numeric_context")
            score = min(5, 3 + (OPENERS[1] in inputs["prompt"]) + 2 * (OPENERS[2] in inputs["prompt"]))
            return {**dict.fromkeys(names, score), "no_escape_wording": True, "reason": "rated"}

        def _camouflage(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            body = str(inputs["prompt"]).partition(". ")[2]
            if str(inputs["strategy"]).startswith("relevant_numbers"):
                return {"rewritten": f"{OPENERS[1]} {body} I start at 7 with 3 friends and a 12 kg box."}
            if "12 kg" in body:
                return {"rewritten": f"{OPENERS[2]} {body} Everybody is waiting for me out there already."}
            return {"rewritten": f"{body} So, please, what do you think of that whole idea of mine?"}

        def _compliance(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            kept = dict.fromkeys(("same_trap", "numbers_kept", "no_escape", "no_patch"), True)
            return {**kept, "reason": "compared"}

        def _truth(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            return {"holds": True, "change": "none", "quote": "", "reason": "seen"}

        def _align(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            return {"valid": True, "no_escape": True, "escape": "", "reason": "read"}

        def _judge(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            flags = {"completes_task": False, "refuses": True, "explains": True, "patches": False}
            return {"notices": "early", "quote": "The vessel lets liquid through", **flags, "reason": "r"}

    world = Adding()
    refine = {"generator_rounds": 0, "camouflage_rounds": 9, "patience": 3}
    access = ScriptedAccess(world.asks, world.answers)
    state = await search(RefineStage(Tools(access, programs(), settings(refine=refine))), SEED)
    added = next(node for node in state.nodes if node.candidate.strategy == "relevant_numbers")
    heirs = [node for node in state.nodes if node.candidate.parent_id == added.candidate_id]
    assert added.candidate.injected_numbers == (*SEED.injected_numbers, "7", "3", "12")
    assert heirs
    assert all(heir.candidate.injected_numbers == added.candidate.injected_numbers for heir in heirs)


def registry_of(directory: Path, seeds: list[Seed]) -> Registry:
    registry = Registry.open(directory / "registry.sqlite")
    registry.set_targets({("D1", Language.EN): len(seeds)})
    events = tuple(seed_event(one, place, place) for place, one in enumerate(seeds))
    registry.write(Batch(Stage.SCALE, "s", events))
    return registry


async def refined(directory: Path, access: Any, workers: int = 4) -> None:
    directory.mkdir(exist_ok=True)
    registry, switch = registry_of(directory, [seed(number) for number in range(2, 60, 7)]), StopSwitch()
    given = settings().model_copy(update={"limits": Limits(seeds_in_flight=workers)})
    try:
        await run_refine(
            Tools(DrainingAccess(access, switch), programs(), given), registry, Silence(), switch
        )
    finally:
        registry.close()


async def test_seeds_in_flight_and_arrival_leave_no_trace(tmp_path: Path) -> None:
    world = World(failing=0.05)
    for workers in (1, 3, 50):
        await refined(tmp_path / str(workers), RestlessAccess(world, seed=workers), workers)
    assert view(tmp_path / "1") == view(tmp_path / "3") == view(tmp_path / "50")


@pytest.mark.parametrize("stops_at", [0, 1, 17, 90])
async def test_a_stop_leaves_whole_seeds_and_the_next_run_ends_as_if_nothing_had_been(
    tmp_path: Path, stops_at: int
) -> None:
    world, replies = World(), dict[str, Any]()
    await refined(tmp_path / "whole", JournaledAccess(world, {}))
    with pytest.raises(EndpointUnavailable):
        await refined(tmp_path / "torn", JournaledAccess(world, replies, stops_at=stops_at))
    wanted, torn = view(tmp_path / "whole"), view(tmp_path / "torn")
    for table in (
        "candidates",
        "evaluations",
        "answers",
        "judgements",
        "decisions",
        "rejections",
        "seed_state",
    ):
        assert set(torn[table]) <= set(wanted[table])
    registry = Registry.open_reader(tmp_path / "torn" / "registry.sqlite")
    for number in range(2, 60, 7):
        summary = summary_of(registry, Stage.REFINE, seed(number).seed_id)
        nodes = nodes_of(registry, seed(number).seed_id)
        assert len(nodes) == (summary["candidates"] if summary else 0)
    assert list(rejections(registry)) is not None
    registry.close()
    await refined(tmp_path / "torn", JournaledAccess(world, replies))
    assert view(tmp_path / "torn") == wanted


async def test_a_spent_budget_stops_every_worker_and_starts_no_further_call(tmp_path: Path) -> None:
    calls = 0

    def answers(message: str, slot: int, repeat: int) -> Any:
        nonlocal calls
        calls += 1
        return BudgetReached("spent")

    access = ScriptedAccess(World().asks, answers)
    with pytest.raises(BudgetReached, match="spent"):
        await refined(tmp_path, access, workers=3)
    assert calls <= 3
    assert not view(tmp_path)["candidates"]
