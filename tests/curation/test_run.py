"""Whole runs over a scripted world: timing, interruption and changed settings leave no trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from curation.status import status_of
from salitrap.errors import EndpointUnavailable, InputError
from salitrap.records import Stage, Status
from salitrap.settings import Limits, Settings
from tests.curation.rows import count, view
from tests.curation.world import JournaledAccess, RestlessAccess, World, domain, programs, settings

DOMAINS = (domain("D1"), domain("D2", (11, 52)))


async def run(directory: Path, given: Settings, access: Any, stages: Any = STAGES) -> None:
    with open_run(directory, given, DOMAINS, programs()) as opened:
        await run_stages(opened, access, stages, Silence())


def with_workers(workers: int, **changes: Any) -> Settings:
    return settings(**changes).model_copy(update={"limits": Limits(seeds_in_flight=workers)})


async def test_workers_and_arrival_order_leave_no_trace(tmp_path: Path) -> None:
    world = World(failing=0.03)
    for name, workers in (("one", 1), ("eight", 8), ("many", 64)):
        access = RestlessAccess(world, seed=workers)
        await run(tmp_path / name, with_workers(workers), access)
        assert name == "one" or access.most_in_flight > 8
    assert view(tmp_path / "one") == view(tmp_path / "eight") == view(tmp_path / "many")
    assert count(tmp_path / "one", "SELECT COUNT(*) FROM items") > 0


async def test_stages_together_come_to_what_they_come_to_one_by_one(tmp_path: Path) -> None:
    world = World(failing=0.03)
    for stage in STAGES:
        await run(tmp_path / "apart", settings(), RestlessAccess(world, seed=1), (stage,))
    await run(tmp_path / "together", settings(), RestlessAccess(world, seed=1))
    assert view(tmp_path / "together") == view(tmp_path / "apart")


async def test_a_seed_is_certified_while_others_are_still_refined(tmp_path: Path) -> None:
    await run(tmp_path, with_workers(2), RestlessAccess(World(), seed=1))
    first = "SELECT MIN(seq) FROM events WHERE stage = 'certify'"
    last = "SELECT MAX(seq) FROM events WHERE stage = 'refine'"
    assert 0 < count(tmp_path, first) < count(tmp_path, last)


@pytest.mark.parametrize("step", [23, 61, 230])
async def test_a_run_stopped_again_and_again_ends_as_an_undisturbed_one(tmp_path: Path, step: int) -> None:
    world, replies, paid = World(), dict[str, Any](), 0
    await run(tmp_path / "whole", settings(), whole := JournaledAccess(world, {}))
    for _attempt in range(400):
        access = JournaledAccess(world, replies, stops_at=step)
        try:
            await run(tmp_path / "torn", settings(), access)
        except EndpointUnavailable:
            paid += min(access.paid, step)
            continue
        paid += access.paid
        break
    assert view(tmp_path / "torn") == view(tmp_path / "whole")
    assert paid == whole.paid


async def test_a_second_run_calls_nothing_and_adds_nothing(tmp_path: Path) -> None:
    world = World()
    await run(tmp_path, settings(), JournaledAccess(world, {}))
    before, events = view(tmp_path), count(tmp_path, "SELECT COUNT(*) FROM events")
    idle = JournaledAccess(world, {})
    await run(tmp_path, settings(), idle)
    assert idle.paid == 0
    assert view(tmp_path) == before
    assert count(tmp_path, "SELECT COUNT(*) FROM events") == events
    assert status_of(tmp_path).finished


async def test_what_could_not_be_judged_is_asked_again_and_then_settled(tmp_path: Path) -> None:
    replies = dict[str, Any]()
    await run(tmp_path, settings(), JournaledAccess(World(failing=0.08), replies))
    report = status_of(tmp_path)
    assert sum(stage.unsettled for stage in report.stages) > 0
    assert not report.finished
    await run(tmp_path, settings(), JournaledAccess(World(), replies))
    assert sum(stage.unsettled for stage in status_of(tmp_path).stages) == count(
        tmp_path, "SELECT COUNT(*) FROM seed_state WHERE state = 'unsettled' AND seed_id <> ''"
    )
    waiting = "SELECT COUNT(*) FROM decisions WHERE fault = 'call_failed'"
    assert count(tmp_path, waiting) == 0


async def test_changed_repeats_redo_certification_alone(tmp_path: Path) -> None:
    world, replies = World(), dict[str, Any]()
    await run(tmp_path, settings(), JournaledAccess(world, replies))
    before = view(tmp_path)
    changed = settings(certify={"repeats": 7})
    again = JournaledAccess(world, replies)
    with open_run(tmp_path, changed, DOMAINS, programs()) as opened:
        assert [stage.outdated > 0 for stage in status_of(tmp_path).stages] == [False, False, True]
        await run_stages(opened, again, STAGES, Silence())
    after = view(tmp_path)
    assert after["candidates"] == before["candidates"]
    assert {call.prompt.id for call in again.inner.calls} == {"judge"}
    assert {repeat % 1000 for _, _, repeat in again.inner.messages} == {6, 7}


async def test_a_setting_put_back_costs_nothing(tmp_path: Path) -> None:
    world, replies = World(), dict[str, Any]()
    await run(tmp_path, settings(), JournaledAccess(world, replies))
    before = view(tmp_path)
    await run(tmp_path, settings(validation={"certify_naturalness": 4.0}), JournaledAccess(world, replies))
    assert view(tmp_path)["decisions"] != before["decisions"]
    back = JournaledAccess(world, replies)
    await run(tmp_path, settings(), back)
    assert view(tmp_path) == before
    assert back.paid == 0


async def test_a_higher_target_keeps_what_was_accepted_and_refined(tmp_path: Path) -> None:
    world, replies = World(), dict[str, Any]()
    await run(tmp_path, settings(5), JournaledAccess(world, replies))
    before = view(tmp_path)
    await run(tmp_path, settings(9), JournaledAccess(world, replies))
    after = view(tmp_path)
    assert after["seeds"][: len(before["seeds"])] == before["seeds"]
    assert len(after["seeds"]) > len(before["seeds"])
    assert set(before["items"]) <= set(after["items"])


async def test_a_lower_target_sets_seeds_aside_and_a_higher_one_takes_them_back(tmp_path: Path) -> None:
    world, replies = World(), dict[str, Any]()
    await run(tmp_path, settings(6), JournaledAccess(world, replies))
    items = "SELECT COUNT(*) FROM items JOIN active_seeds USING (seed_id)"
    before, all_items = view(tmp_path), count(tmp_path, items)
    await run(tmp_path, settings(2), JournaledAccess(world, replies))
    funnel = status_of(tmp_path).funnel
    assert (funnel.seeds.active, funnel.faults()) == (4, ())
    assert funnel.items == count(tmp_path, items) < all_items
    assert (tmp_path / "rejects.jsonl").read_text().count("beyond the target") == funnel.seeds.set_aside > 0
    await run(tmp_path, settings(6), idle := JournaledAccess(world, replies))
    assert (view(tmp_path), idle.paid) == (before, 0)


@pytest.mark.parametrize("stage", [Stage.REFINE, Stage.CERTIFY])
async def test_a_stage_alone_names_the_one_it_needs(tmp_path: Path, stage: Stage) -> None:
    needed = {Stage.REFINE: "scale", Stage.CERTIFY: "refine"}[stage]
    with pytest.raises(InputError, match=f"run the {needed} stage here first"):
        await run(tmp_path, settings(), JournaledAccess(World(), {}), (stage,))


async def test_stages_one_by_one_give_what_they_give_together(tmp_path: Path) -> None:
    world = World()
    await run(tmp_path / "together", settings(), JournaledAccess(world, {}))
    for stage in STAGES:
        await run(tmp_path / "apart", settings(), JournaledAccess(world, {}), (stage,))
    assert view(tmp_path / "apart") == view(tmp_path / "together")


@pytest.mark.parametrize("failing", [0.0, 0.05, 0.4])
async def test_the_funnel_adds_up_whatever_fails(tmp_path: Path, failing: float) -> None:
    given = settings(7, scale={"empty_waves": 2}, refine={"top_k": 1, "max_expansions": 9})
    await run(tmp_path, given, JournaledAccess(World(failing=failing), {}))
    report = status_of(tmp_path)
    assert report.funnel_faults == ()
    assert report.funnel.candidates.written > 0
    lines = (tmp_path / "rejects.jsonl").read_text(encoding="utf-8").splitlines()
    seeds, candidates = report.funnel.seeds, report.funnel.candidates
    not_items = candidates.written - candidates.count(Status.STABLE) - candidates.pending
    lost = sum(candidates.unwritten.values())
    assert len(lines) == sum(seeds.rejected.values()) + seeds.set_aside + not_items + lost


async def test_a_call_budget_that_ends_everything_still_leaves_readable_files(tmp_path: Path) -> None:
    with pytest.raises(EndpointUnavailable):
        await run(tmp_path, settings(), JournaledAccess(World(), {}, stops_at=40))
    assert (tmp_path / "events.jsonl").read_text(encoding="utf-8").count("\n") > 0
    assert status_of(tmp_path).running is None
