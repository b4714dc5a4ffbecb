"""Scaling: what enters, in which order, when a cell ends, and that nothing is dropped."""

from __future__ import annotations

from typing import Any

import pytest

from curation.cells import BATCHES_PER_WAVE, CellEnd, CellState, after_wave, cells_of, reopened
from curation.registry.events import EventKind
from curation.scale import ScaleStage, ScaleState
from curation.scale.wave import ask_wave
from curation.tools import Tools
from salitrap.errors import CallFailed, ConfigError, EndpointUnavailable
from salitrap.records import Fault, Language, Outcome
from tests.curation.world import RestlessAccess, World, domain, fields_of, programs, seed, settings
from tests.fakes import ScriptedAccess


def stage_of(asks: Any, target: int = 6, domains: Any = None, **changes: Any) -> tuple[ScaleStage, Any]:
    access = ScriptedAccess(asks)
    tools = Tools(access, programs(), settings(target, **changes))
    return ScaleStage(tools, domains or [domain()]), access


async def scaled(stage: ScaleStage, state: ScaleState | None = None) -> tuple[ScaleState, list[Any]]:
    state, told = state or stage.first(), list[Any]()
    while not stage.finished(state):
        state = await stage.step(state)
        told += state.fresh
    return state, told


def rejected(told: list[Any]) -> list[tuple[str, str]]:
    return [(one.payload["fault"], one.place) for one in told if one.kind is EventKind.REJECTION]


def fresh(*numbers: int) -> Any:
    """Drafts by number, in order, a batch's worth at a time."""
    left = list(numbers)

    def asks(role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        taken = [left.pop(0) for _ in range(inputs["count"]) if left]
        return {"seeds": [fields_of(number) for number in taken]}

    return asks


def never(*args: Any) -> Any:
    raise AssertionError("no call was needed")


async def test_experts_enter_first_in_file_order_and_count_towards_the_target() -> None:
    stage, access = stage_of(fresh(501, 1002), target=5)
    state, told = await scaled(stage)
    assert [one.seed_id for one in state.accepted[:3]] == [one.seed_id for one in domain().seeds]
    assert [one.key for one in state.accepted[3:]] == ["d1-en-w1-b0-0", "d1-en-w1-b0-1"]
    assert [call.inputs["count"] for call in access.calls] == [2]
    assert [one.place for one in told if one.kind is EventKind.SEED] == [f"{n}/{n}" for n in range(5)]


async def test_enough_experts_need_no_call() -> None:
    stage, _ = stage_of(never, target=2)
    state, _ = await scaled(stage)
    assert [cell.end for cell in state.cells] == [CellEnd.TARGET]
    assert len(state.accepted) == 3


async def test_experts_pass_the_same_checks_as_drafts() -> None:
    short = seed(90, prompt="Only 2 words and 3 more.", injected_numbers=("2", "3"))
    copy = seed(1, key="again")
    stage, _ = stage_of(
        never, target=1, domains=[domain().model_copy(update={"seeds": (seed(1), short, copy)})]
    )
    state, told = await scaled(stage)
    assert len(state.accepted) == 1
    assert [fault for fault, _ in rejected(told)] == [Fault.TOO_SHORT, Fault.SAME_SCENARIO]


async def test_the_filters_name_the_twin_and_the_score() -> None:
    experts = domain().seeds
    stage, _ = stage_of(fresh(1, 501), target=4)
    state, told = await scaled(stage)
    (rejection,) = [one.payload for one in told if one.kind is EventKind.REJECTION]
    assert (rejection["fault"], rejection["twin_id"], rejection["score"]) == (
        Fault.SAME_SCENARIO,
        experts[0].seed_id,
        1.0,
    )
    assert fields_of(1)["prompt"] in rejection["raw"]
    assert len(state.accepted) == 4


async def test_malformed_drafts_do_not_lose_their_neighbours() -> None:
    def asks(role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        broken = {**fields_of(700), "prompt": {"text": "nested"}}
        return {"seeds": ["no object", fields_of(501), broken, {**fields_of(900), "trap_core": ""}]}

    stage, _ = stage_of(asks, target=4)
    state, told = await scaled(stage)
    assert state.accepted[-1].scenario == fields_of(501)["scenario"]
    assert [fault for fault, _ in rejected(told)] == [Fault.BAD_STRUCTURE] * 3


async def test_a_draft_in_another_language_is_told_so() -> None:
    def asks(role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        chinese = {
            **fields_of(501),
            "prompt": "我要用漏勺把40升汤从厨房端到3公里外的食堂，请算出要走几趟。" * 5,
        }
        return {"seeds": [{**chinese, "injected_numbers": ["40", "3"]}]}

    stage, _ = stage_of(asks, target=4, scale={"empty_waves": 1})
    _, told = await scaled(stage)
    assert [fault for fault, _ in rejected(told)] == [Fault.WRONG_LANGUAGE]


async def test_more_drafts_than_asked_for_are_rejected_not_forgotten() -> None:
    def asks(role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        return {"seeds": [fields_of(number) for number in (501, 1002, 1503)]}

    stage, _ = stage_of(asks, target=4)
    state, told = await scaled(stage)
    assert len(state.accepted) == 4
    assert [fault for fault, _ in rejected(told)] == [Fault.NOT_SELECTED] * 2


async def test_a_failed_batch_is_a_record_and_a_cell_that_fails_may_try_again() -> None:
    def failing(*args: Any) -> Any:
        return CallFailed(Outcome.TRUNCATED, "cut", raw="half \ud83d")

    stage, access = stage_of(failing, target=4, scale={"empty_waves": 3})
    state, told = await scaled(stage)
    assert [fault for fault, _ in rejected(told)] == [Fault.CALL_FAILED] * 3
    assert {one.payload["raw"] for one in told if one.kind is EventKind.REJECTION} == {"half ?"}
    assert [cell.end for cell in state.cells] == [CellEnd.FAILING]
    assert len({call.repeat for call in access.calls}) == 3
    assert reopened(state.cells[0], 4).end is None


async def test_a_cell_that_brings_nothing_new_ends_as_exhausted() -> None:
    stage, access = stage_of(fresh(*[1] * 9), target=4, scale={"empty_waves": 2})
    state, told = await scaled(stage)
    assert [cell.end for cell in state.cells] == [CellEnd.EXHAUSTED]
    assert [call.inputs["count"] for call in access.calls] == [1, 4]
    assert len(rejected(told)) == 1 + 4
    assert reopened(state.cells[0], 4).end is CellEnd.EXHAUSTED
    assert reopened(state.cells[0], 5).end is None


async def test_a_wave_asks_for_what_is_missing_and_no_batch_knows_of_another() -> None:
    stage, access = stage_of(lambda *args: {"seeds": []}, target=3 + 10, scale={"empty_waves": 1})
    await scaled(stage)
    assert [call.inputs["count"] for call in access.calls] == [4, 4, 2]
    assert len({tuple(call.inputs["exclusions"]) for call in access.calls}) == 1
    assert len({call.inputs["directive"] for call in access.calls}) > 1


async def test_a_wave_is_bounded() -> None:
    stage, access = stage_of(lambda *args: {"seeds": []}, target=900, scale={"empty_waves": 1})
    await scaled(stage)
    assert len(access.calls) == BATCHES_PER_WAVE


async def test_exclusions_are_the_most_recent_accepted_seeds() -> None:
    stage, access = stage_of(
        fresh(501, 1002), target=5, scale={"batch_size": 1, "exclusions": 2, "empty_waves": 1}
    )
    await scaled(stage)
    assert all(len(call.inputs["exclusions"]) == 2 for call in access.calls)
    assert seed(40).scenario in access.calls[0].inputs["exclusions"][0]


async def test_waves_are_decided_in_order_of_cell_and_batch_whatever_arrives_first() -> None:
    domains = [domain("D1"), domain("D2", (11, 52))]
    found = list[tuple[tuple[str, ...], list[Any]]]()
    for restless in range(3):
        access = RestlessAccess(World(), seed=restless)
        stage = ScaleStage(Tools(access, programs(), settings(12)), domains)
        state, told = await scaled(stage)
        found.append((tuple(one.seed_id for one in state.accepted), told))
    assert found[0] == found[1] == found[2]


async def test_a_step_can_be_taken_again_from_any_earlier_state() -> None:
    stage, _ = stage_of(World().asks, target=9)
    first = await stage.step(stage.first())
    second = await stage.step(first)
    assert await stage.step(first) == second
    assert await stage.step(second) == await ScaleStage(stage._tools, [domain()]).step(second)


async def test_a_stop_in_mid_wave_decides_nothing() -> None:
    def stops(role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        return EndpointUnavailable("gone") if repeat else {"seeds": [fields_of(501)]}

    stage, access = stage_of(stops, target=3 + 8)
    state = await stage.step(stage.first())
    with pytest.raises(EndpointUnavailable):
        await stage.step(state)
    assert len(access.calls) == 2
    assert stage.reserve(state, []) == ()
    assert len(state.accepted) == 3


async def test_a_reservation_is_seen_by_the_next_seed_of_the_batch() -> None:
    stage, _ = stage_of(never)
    kept, twin = stage.reserve(stage.first(), [seed(7), seed(7)])
    assert (type(kept).__name__, type(twin).__name__) == ("Kept", "Duplicate")


def test_cells_follow_the_domains_and_the_languages() -> None:
    both = settings(4).model_copy(update={"languages": (Language.EN, Language.ZH)})
    assert [cell.key for cell in cells_of(both, [domain()])] == [("D1", Language.EN)]
    with pytest.raises(ConfigError, match="unknown dimension D9"):
        cells_of(settings().model_copy(update={"targets": {"D9": {Language.EN: 1}}}), [domain()])


def test_character_sets_are_refused_on_an_alphabet() -> None:
    with pytest.raises(ConfigError, match="alphabetic_ngram"):
        stage_of(never, scale={"similarity": {"alphabetic_ngram": 1}})


def test_a_wave_without_batches_is_not_an_empty_wave() -> None:
    cell = CellState(tag="D1", language=Language.EN, target=3)
    assert after_wave(cell, 0, 0, 0, empty_waves=1).end is None
    assert after_wave(cell, 0, 1, 0, empty_waves=1).end is CellEnd.EXHAUSTED
    assert after_wave(cell, 3, 1, 0, empty_waves=1).end is CellEnd.TARGET


async def test_the_estimate_brackets_what_scaling_costs() -> None:
    stage, access = stage_of(World().asks, target=20)
    first = await stage.step(stage.first())
    plan = stage.estimate(first)
    state, _ = await scaled(stage, first)
    assert plan.calls_low <= len(access.calls) <= plan.calls_high
    assert stage.estimate(state).calls_high == 0


async def test_few_shot_examples_take_turns() -> None:
    tools = Tools(
        access := ScriptedAccess(lambda *args: {"seeds": []}), programs(), settings(30, scale={"few_shot": 2})
    )
    await ask_wave(tools, ScaleState(wave=1, cells=cells_of(tools.settings, [domain()])), {"D1": domain()})
    shown = [tuple(one.scenario for one in call.inputs["examples"]) for call in access.calls]
    assert all(len(one) == 2 for one in shown)
    assert len(set(shown)) > 3
