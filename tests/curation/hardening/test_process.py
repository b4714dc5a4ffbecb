"""Every released item is kept, revised or retired, whatever interrupts, and nothing is paid twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curation.hardening import Fate, Standing
from curation.integrity import verify_run
from salitrap.errors import ConfigError, EndpointUnavailable, InputError
from salitrap.providers.journal.store import Journal
from salitrap.records import Item, Language
from tests.curation.hardening.samples import Stronger, harden, released
from tests.curation.rows import count, view
from tests.curation.world import JournaledAccess, World

SHARE = 0.7


@pytest.fixture(scope="module")
async def items(tmp_path_factory: pytest.TempPathFactory) -> tuple[Item, ...]:
    return await released(tmp_path_factory.mktemp("released") / "run")


async def test_all_items_are_accounted_for(items: tuple[Item, ...], tmp_path: Path) -> None:
    done = await harden(tmp_path / "run", items, JournaledAccess(Stronger(SHARE), {}))
    assert [one.item for one in done.items] == list(items)
    assert all(done.of(fate) for fate in Fate)
    assert sum(len(done.of(fate)) for fate in Fate) == len(items)
    for one in done.of(Fate.RETIRED):
        assert one.standing is Standing.SOLVED
        assert one.rate is not None and one.rate <= 0.5
    for one in done.of(Fate.REVISED):
        assert one.revision is not None
        assert one.revision.parent_id == one.item.item_id
        assert one.revision.item.seed_id == one.item.seed_id
        assert one.rate is not None and one.revision.rate > one.rate


async def test_new_items_fill_what_is_missing_and_no_more(items: tuple[Item, ...], tmp_path: Path) -> None:
    done = await harden(tmp_path / "run", items, JournaledAccess(Stronger(SHARE), {}))
    assert 0 < len(done.new) <= len(done.of(Fate.RETIRED))
    known = {one.prompt for one in items}
    assert not known & {one.item.prompt for one in done.new}
    assert {one.parent_id for one in done.new} == {None}
    without = await harden(
        tmp_path / "other", items, JournaledAccess(Stronger(SHARE), {}), hardening={"generate": False}
    )
    assert without.new == ()
    assert without.items == done.items


async def test_a_directory_of_hardening_is_sound(items: tuple[Item, ...], tmp_path: Path) -> None:
    await harden(tmp_path / "run", items, JournaledAccess(Stronger(SHARE), {}))
    Journal(tmp_path / "run" / "journal.sqlite").close()
    assert [one for one in verify_run(tmp_path / "run") if one.fault.value != "call_missing"] == []


@pytest.mark.parametrize("step", [40, 97, 333])
async def test_stopped_again_and_again_it_ends_as_an_undisturbed_one(
    items: tuple[Item, ...], tmp_path: Path, step: int
) -> None:
    world, replies, paid = Stronger(SHARE), dict[str, Any](), 0
    expected = await harden(tmp_path / "whole", items, whole := JournaledAccess(world, {}))
    for _attempt in range(400):
        access = JournaledAccess(world, replies, stops_at=step)
        try:
            done = await harden(tmp_path / "torn", items, access)
        except EndpointUnavailable:
            paid += min(access.paid, step)
            continue
        paid += access.paid
        break
    assert done == expected
    assert view(tmp_path / "torn") == view(tmp_path / "whole")
    assert paid == whole.paid


async def test_a_second_time_nothing_is_asked_and_nothing_written(
    items: tuple[Item, ...], tmp_path: Path
) -> None:
    world = Stronger(SHARE)
    first = await harden(tmp_path / "run", items, JournaledAccess(world, {}))
    events = count(tmp_path / "run", "SELECT COUNT(*) FROM events")
    revisions = (tmp_path / "run" / "run.yaml").read_text(encoding="utf-8")
    again = await harden(tmp_path / "run", items, idle := JournaledAccess(world, {}))
    assert idle.paid == 0
    assert again == first
    assert count(tmp_path / "run", "SELECT COUNT(*) FROM events") == events
    assert (tmp_path / "run" / "run.yaml").read_text(encoding="utf-8") == revisions


async def test_against_the_same_solvers_hardly_anything_is_solved(
    items: tuple[Item, ...], tmp_path: Path
) -> None:
    done = await harden(tmp_path / "run", items, JournaledAccess(World(), {}))
    kept = [one for one in done.items if one.standing is Standing.HOLDS]
    assert len(kept) >= 0.8 * len(items)


async def test_everything_solved_leaves_nothing_of_the_old(items: tuple[Item, ...], tmp_path: Path) -> None:
    done = await harden(tmp_path / "run", items, JournaledAccess(Stronger(0.0), {}))
    assert len(done.of(Fate.RETIRED)) == len(items)
    assert done.new == ()


async def test_one_solver_is_enough_when_any_solves(items: tuple[Item, ...], tmp_path: Path) -> None:
    """The pool has two solvers, so that the three rules differ, and each looks at the same answers."""
    replies = dict[str, Any]()
    solved = {}
    for rule in ("all", "most", "any"):
        changes = {"hardening": {"solved_by": rule, "generate": False}}
        done = await harden(tmp_path / rule, items, JournaledAccess(Stronger(SHARE), replies), **changes)
        solved[rule] = {one.item.item_id for one in done.items if one.standing is Standing.SOLVED}
        assert all(len(one.found.solvers) == 2 for one in done.items)
    assert solved["all"] <= solved["most"] <= solved["any"]


async def test_seeds_of_the_run_that_made_the_release_are_taken_up(tmp_path: Path) -> None:
    items = await released(tmp_path / "source")
    before = view(tmp_path / "source")
    done = await harden(
        tmp_path / "run", items, JournaledAccess(Stronger(SHARE), {}), run=tmp_path / "source"
    )
    assert sum(len(done.of(fate)) for fate in Fate) == len(items)
    query = "SELECT COUNT(*) FROM seeds WHERE origin = 'seed' AND json_extract(record, '$.triple.tool') <> ''"
    assert count(tmp_path / "run", query) == len(items)
    assert view(tmp_path / "source") == before


async def test_what_cannot_be_judged_is_kept(items: tuple[Item, ...], tmp_path: Path) -> None:
    done = await harden(
        tmp_path / "run",
        items,
        JournaledAccess(Stronger(0.0, failing=1.0), {}),
        hardening={"generate": False},
    )
    assert {one.standing for one in done.items} == {Standing.UNJUDGED}
    assert {one.fate for one in done.items} == {Fate.KEPT}
    assert {one.rate for one in done.items} == {None}


async def test_a_directory_of_another_release_is_refused(items: tuple[Item, ...], tmp_path: Path) -> None:
    await harden(tmp_path / "run", items, JournaledAccess(Stronger(0.0), {}), hardening={"generate": False})
    with pytest.raises(InputError, match="another release"):
        await harden(tmp_path / "run", items[1:], JournaledAccess(World(), {}))


async def test_a_dimension_that_the_settings_lack_is_named(items: tuple[Item, ...], tmp_path: Path) -> None:
    other = items[0].model_copy(update={"dimension_tag": "D9", "item_id": "item-x", "language": Language.EN})
    with pytest.raises(ConfigError, match="D9"):
        await harden(tmp_path / "run", (*items, other), JournaledAccess(World(), {}))
