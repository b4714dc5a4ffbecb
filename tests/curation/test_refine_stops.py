"""Stopped refinements: whole seeds stay, and the next run ends as if nothing had been."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curation.refine import run_refine
from curation.registry import Batch, Registry
from curation.registry.events import seed_event
from curation.registry.queries import nodes_of, rejections, summary_of
from curation.stage import DrainingAccess, Silence, StopSwitch
from curation.tools import Tools
from salitrap.errors import BudgetReached, EndpointUnavailable
from salitrap.records import (
    Language,
    Seed,
    Stage,
)
from salitrap.settings import Limits
from tests.curation.rows import view
from tests.curation.world import (
    JournaledAccess,
    RestlessAccess,
    World,
    programs,
    seed,
    settings,
)
from tests.fakes import ScriptedAccess


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
