"""Scaling between waves: even allocation, drafts that wait, niches set aside, the viability screen."""

from __future__ import annotations

from typing import Any

import pytest

from curation.cells import CellEnd, CellState, after_wave, reopened
from curation.coverage import coverage_of, share_covered
from curation.pending import SetAside
from curation.registry import Registry
from curation.registry.events import EventKind
from curation.registry.queries import accepted_seeds, rejections, viability_of
from curation.registry.waves import newest_wave
from curation.scale import ScaleStage, ScaleState, run_scale
from curation.scale.levels import cap_of, slowest_of
from curation.scale.niches import NicheBook
from curation.stage import Silence
from curation.tools import Tools
from generator.directives import steer
from salitrap.errors import CallFailed, EndpointUnavailable
from salitrap.records import Fault, Language, Outcome, Role
from tests.curation.world import RestlessAccess, World, domain, fields_of, programs, settings
from tests.fakes import ScriptedAccess

SIX = ("eraser_test", "target_binding", "no_escape", "unique_ground_truth", "naturalisable", "fits_dimension")
BOTH = (domain("D1"), domain("D2", (11, 52, 200)))


class OneSlowCell(World):
    """The second dimension brings a new seed only now and then."""

    def _draft(self, told: str, repeat: int, number: int) -> dict[str, Any]:
        if "Domain D2" in told and (repeat + number) % 4:
            return fields_of(11)
        return super()._draft(told, repeat, number)


def answers(**no: bool) -> dict[str, Any]:
    return {**dict.fromkeys(SIX, True), **no, "reason": "read"}


def drafting(*numbers: int, screen: Any = None) -> Any:
    """Drafts by number as asked for; ``screen`` answers the viability questions."""
    left = list(numbers)

    def asks(role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        if prompt_id == "viability":
            return screen(inputs)
        return {"seeds": [fields_of(left.pop(0)) for _ in range(inputs["count"]) if left]}

    return asks


async def steps(stage: ScaleStage) -> list[ScaleState]:
    states = [stage.first()]
    while not stage.finished(states[-1]):
        states.append(await stage.step(states[-1]))
    return states


async def test_no_cell_is_more_than_a_batch_ahead_after_any_wave() -> None:
    tools = Tools(RestlessAccess(OneSlowCell(repeating=0.1)), programs(), settings(40))
    states = await steps(ScaleStage(tools, BOTH))
    going = [
        [cell.accepted for cell in state.cells]
        for state in states
        if all(cell.end is not CellEnd.EXHAUSTED for cell in state.cells)
    ]
    assert len(going) > 3
    assert max(max(one) - min(one) for one in going) <= tools.settings.scale.batch_size
    assert any(state.held for state in states)
    assert not states[-1].held


async def test_drafts_that_wait_are_decided_later_and_none_is_lost() -> None:
    world = OneSlowCell(repeating=0.1)
    access = ScriptedAccess(world.asks)
    states = await steps(ScaleStage(Tools(access, programs(), settings(30)), BOTH))
    written = sum(call.inputs["count"] for call in access.calls)
    experts = sum(len(one.seeds) for one in BOTH)
    assert len(states[-1].accepted) + states[-1].rejected == written + experts


async def test_a_run_that_was_stopped_goes_on_with_the_drafts_that_wait(tmp_path: Any) -> None:
    """Held drafts were kept in memory only, so a resumed run paid for them again and came out otherwise."""
    whole = await steps(ScaleStage(Tools(ScriptedAccess(OneSlowCell().asks), programs(), settings(30)), BOTH))
    registry = Registry.open(tmp_path / "registry.sqlite")
    asked = 0

    def stops(*args: Any) -> Any:
        nonlocal asked
        asked += 1
        return EndpointUnavailable("gone") if asked > 24 else OneSlowCell().asks(*args)

    with pytest.raises(EndpointUnavailable):
        await run_scale(Tools(ScriptedAccess(stops), programs(), settings(30)), BOTH, registry, Silence())
    wave = newest_wave(registry)
    assert wave is not None
    assert wave.held
    tools = Tools(ScriptedAccess(OneSlowCell().asks), programs(), settings(30))
    state = await run_scale(tools, BOTH, registry, Silence())
    assert [one.seed_id for one in state.accepted] == [one.seed_id for one in whole[-1].accepted]
    assert state.rejected == whole[-1].rejected
    registry.close()


def test_cells_with_other_targets_are_compared_by_share() -> None:
    small = CellState(tag="D1", language=Language.EN, target=10, accepted=5)
    large = CellState(tag="D2", language=Language.EN, target=40, accepted=8)
    slowest = slowest_of((small, large), {small.key: 5, large.key: 8})
    assert slowest == (8, 40)
    assert cap_of(small, slowest, 4) == 2 + 4
    assert cap_of(large, slowest, 4) == 8 + 4
    ended = large.model_copy(update={"end": CellEnd.EXHAUSTED})
    assert slowest_of((small, ended), {small.key: 5, large.key: 8}) == (5, 10)
    assert cap_of(small, None, 4) == 10


def test_a_niche_that_brings_only_duplicates_is_set_aside_with_the_reason() -> None:
    book = NicheBook(CellState(tag="D1", language=Language.EN, target=9), most=3)
    corner = ("tool", "rake")
    for _ in range(2):
        book.duplicate(corner, "f2_similar_prompt")
    book.accepted(corner)
    for _ in range(2):
        book.duplicate(corner, "f2_similar_prompt")
    assert (book.aside, book.dry[0].duplicates) == ((), 2)
    book.duplicate(corner, "f1_same_scenario")
    (one,) = book.aside
    assert (one.axis, one.value, book.newly_aside, book.dry) == (*corner, 1, ())
    assert one.reason == "3 drafts in a row were duplicates, the last by f1_same_scenario"


def test_what_is_set_aside_is_not_asked_for_until_nothing_else_is_left() -> None:
    of = domain()
    tools = of.niches[Language.EN].tools
    aside = {("tool", tool) for tool in tools[1:]}
    chosen = {steer(of, Language.EN, (), number, aside).niche.tool for number in range(20)}
    assert chosen == {tools[0]}
    every = aside | {("tool", tools[0])}
    assert len({steer(of, Language.EN, (), number, every).niche.tool for number in range(20)}) > 1
    assert all(steer(of, Language.EN, (), number, every).stressed[0] != "tool" for number in range(20))


async def test_a_cell_tries_other_niches_before_it_is_given_up() -> None:
    def same(role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        return {"seeds": [fields_of(1)] * inputs["count"]}

    chosen = settings(8, scale={"empty_waves": 3, "niche_duplicates": 2})
    access = ScriptedAccess(same)
    state = (await steps(ScaleStage(Tools(access, programs(), chosen), [domain()])))[-1]
    (cell,) = state.cells
    assert cell.end is CellEnd.EXHAUSTED
    assert len(cell.aside) >= 2
    assert 3 < state.wave - 1 <= 6
    later = [call.inputs["directive"] for call in access.calls[-2:]]
    assert not any(one.value in text for one in cell.aside[:2] for text in later)


def test_niches_set_aside_buy_at_most_as_many_waves_again() -> None:
    cell = CellState(tag="D1", language=Language.EN, target=9)
    for wave in range(4):
        assert cell.end is None, wave
        cell = after_wave(cell, 0, 1, 0, 2, set_aside=5)
    assert cell.end is CellEnd.EXHAUSTED
    again = reopened(cell, 12)
    assert (again.end, again.empty_waves, again.spared) == (None, 0, 0)


def test_a_wave_after_which_drafts_wait_is_not_an_empty_one() -> None:
    cell = CellState(tag="D1", language=Language.EN, target=9)
    assert after_wave(cell, 0, 1, 0, 1, waiting=True).end is None


@pytest.mark.parametrize(
    ("lowest", "no", "kept"),
    [
        ("A", (), True),
        ("A", ("naturalisable",), False),
        ("A-", ("naturalisable",), True),
        ("A-", ("no_escape",), False),
        ("B", ("no_escape",), True),
        ("B", ("no_escape", "naturalisable"), False),
    ],
)
async def test_the_screen_keeps_the_grade_asked_for_and_better(
    lowest: str, no: tuple[str, ...], kept: bool
) -> None:
    asks = drafting(501, screen=lambda inputs: answers(**dict.fromkeys(no, False)))
    chosen = settings(4, scale={"viability": lowest, "empty_waves": 1})
    access = ScriptedAccess(asks)
    state = (await steps(ScaleStage(Tools(access, programs(), chosen), [domain()])))[-1]
    assert len(state.accepted) == 3 + kept
    assert [call.role for call in access.calls] == [Role.GENERATOR, Role.CHECKER]
    assert access.calls[1].inputs["dimension"].startswith("D1: Domain D1\n")


async def test_verdicts_are_stored_with_the_seed_and_rejections_tell_grade_and_answers(tmp_path: Any) -> None:
    def screen(inputs: Any) -> Any:
        return answers(no_escape=fields_of(501)["prompt"] == inputs["prompt"])

    registry = Registry.open(tmp_path / "registry.sqlite")
    chosen = settings(5, scale={"viability": "A", "empty_waves": 1})
    tools = Tools(ScriptedAccess(drafting(501, 1002, 1, screen=screen)), programs(), chosen)
    registry.set_targets({("D1", Language.EN): 5})
    await run_scale(tools, [domain()], registry, Silence())
    kept = list(accepted_seeds(registry))[-1]
    verdict = viability_of(registry, kept.seed_id)
    assert verdict is not None
    assert verdict.reason.startswith("grade A: ")
    refused = {one.fault: one for one in rejections(registry)}
    assert set(refused) == {Fault.NOT_VIABLE, Fault.SAME_SCENARIO}
    assert "grade B: " in refused[Fault.NOT_VIABLE].reason
    assert "no_escape no" in refused[Fault.NOT_VIABLE].reason
    registry.replay()
    assert viability_of(registry, kept.seed_id) == verdict
    registry.close()


async def test_a_repeated_draft_is_not_screened() -> None:
    asks = drafting(1, screen=lambda inputs: pytest.fail("a call was paid for a duplicate"))
    chosen = settings(4, scale={"viability": "B", "empty_waves": 1})
    state = (await steps(ScaleStage(Tools(ScriptedAccess(asks), programs(), chosen), [domain()])))[-1]
    assert len(state.accepted) == 3


async def test_a_screen_that_fails_is_a_record_and_the_cell_may_try_again() -> None:
    asks = drafting(501, screen=lambda inputs: CallFailed(Outcome.TRUNCATED, "cut"))
    chosen = settings(4, scale={"viability": "B", "empty_waves": 1})
    states = await steps(ScaleStage(Tools(ScriptedAccess(asks), programs(), chosen), [domain()]))
    told = [
        one.payload["fault"] for state in states for one in state.fresh if one.kind is EventKind.REJECTION
    ]
    assert told == [Fault.CALL_FAILED]
    assert states[-1].cells[0].end is CellEnd.FAILING


async def test_the_plan_counts_the_calls_of_the_screen() -> None:
    chosen = settings(20, scale={"viability": "B"})

    def asks(role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        return answers() if prompt_id == "viability" else World().asks(role, prompt_id, inputs, slot, repeat)

    access = ScriptedAccess(asks)
    stage = ScaleStage(Tools(access, programs(), chosen), [domain()])
    first = await stage.step(stage.first())
    (low, high) = next(
        (one.calls_low, one.calls_high) for one in stage.estimate(first).roles if one.role is Role.CHECKER
    )
    while not stage.finished(first):
        first = await stage.step(first)
    screened = sum(call.role is Role.CHECKER for call in access.calls)
    assert low <= screened <= high
    off = ScaleStage(Tools(access, programs(), settings(20)), [domain()])
    assert {one.role for one in off.estimate(off.first()).roles} == {Role.GENERATOR}


async def test_coverage_counts_used_values_and_names_the_least_used(tmp_path: Any) -> None:
    registry = Registry.open(tmp_path / "registry.sqlite")
    registry.set_targets({("D1", Language.EN): 3})
    assert coverage_of(registry, [domain()]) == ()
    tools = Tools(ScriptedAccess(World().asks), programs(), settings(3))
    await run_scale(tools, [domain()], registry, Silence())
    (cell,) = coverage_of(registry, [domain()])
    tool, scene, area = cell.axes
    assert (cell.seeds, cell.waiting, cell.set_aside) == (3, 0, ())
    assert (tool.values, tool.used, tool.least[0].seeds) == (7, 3, 0)
    assert (area.values, area.used) == (2, 1)
    assert [(one.value, one.seeds) for one in area.least] == [("cooking", 0), ("errands", 3)]
    assert share_covered([cell]) == (tool.used + scene.used + area.used) / (7 + 6 + 2)
    assert coverage_of(registry, []) == ()
    registry.close()


def test_a_wave_with_what_was_set_aside_reads_back() -> None:
    aside = SetAside(axis="tool", value="rake", reason="r")
    cell = CellState(tag="D1", language=Language.EN, target=3, aside=(aside,))
    assert CellState.model_validate_json(cell.model_dump_json()) == cell
