"""A merged run has what its sources had, adds up, and has nothing left to pay."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from curation.directory import Layout, Lock, read_revisions
from curation.funnel import funnel_of
from curation.integrity import verify_run
from curation.merging import Merged, merge_runs
from curation.registry import Registry
from curation.registry.people import all_labels
from curation.registry.queries import active_seeds, items, nodes_of
from curation.review.opening import open_review
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from salitrap.errors import EndpointUnavailable, InputError, RunDirectoryError
from salitrap.records import Label, Stage, Status
from salitrap.settings import Settings
from tests.curation.world import JournaledAccess, World, domain, programs, settings

DOMAINS = (domain("D1"), domain("D2", (11, 52)))


def load(names: Any) -> Any:
    return DOMAINS


async def work(directory: Path, given: Settings, stops_at: int | None = None, stages: Any = STAGES) -> Path:
    access = JournaledAccess(World(), {}, stops_at)
    with open_run(directory, given, DOMAINS, programs()) as opened:
        if stops_at is None:
            await run_stages(opened, access, stages, Silence())
        else:
            with pytest.raises(EndpointUnavailable):
                await run_stages(opened, access, stages, Silence())
    return directory


@pytest.fixture
async def first(tmp_path: Path) -> Path:
    return await work(tmp_path / "first", settings(4))


@pytest.fixture
async def second(tmp_path: Path) -> Path:
    return await work(tmp_path / "second", settings(6, random_seed=5))


def read(directory: Path) -> tuple[set[str], set[str], dict[str, int]]:
    """Ids of items and worked-on seeds, and candidates by seed."""
    with closing(Registry.open_reader(directory / "registry.sqlite")) as registry:
        seeds = [seed.seed_id for seed in active_seeds(registry)]
        return (
            {item.item_id for item in items(registry)},
            set(seeds),
            {seed_id: len(nodes_of(registry, seed_id)) for seed_id in seeds},
        )


def merged(first: Path, second: Path, out: Path, **more: Any) -> Merged:
    return merge_runs([first, second], out, load, **more)


async def test_it_has_the_seeds_candidates_and_items_of_both(
    first: Path, second: Path, tmp_path: Path
) -> None:
    told = merged(first, second, tmp_path / "both")
    one, other, both = read(first), read(second), read(tmp_path / "both")
    assert one[1] <= both[1] <= one[1] | other[1]
    assert one[0] <= both[0] <= one[0] | other[0]
    assert len(both[1]) > len(one[1]) and (told.seeds, told.items) == (len(both[1]), len(both[0]))
    for seed_id in both[1]:
        assert both[2][seed_id] in (one[2].get(seed_id), other[2].get(seed_id))
    assert [one.path for one in verify_run(tmp_path / "both")] == ["journal.sqlite"], "these runs have none"


async def test_the_funnel_adds_up_over_all_runs(first: Path, second: Path, tmp_path: Path) -> None:
    merged(first, second, tmp_path / "both")
    offered = 0
    for directory in (first, second, tmp_path / "both"):
        with closing(Registry.open_reader(directory / "registry.sqlite")) as registry:
            funnel = funnel_of(registry)
            assert funnel.faults() == ()
            seeds = funnel.seeds
            came = seeds.experts + seeds.drafts + seeds.batches_failed
            offered = came if directory.name == "both" else offered + came
            if directory.name == "both":
                total = sum(seeds.rejected.values()) + seeds.accepted
                assert total == came


async def test_a_resume_has_nothing_to_pay(first: Path, second: Path, tmp_path: Path) -> None:
    out = tmp_path / "both"
    merged(first, second, out)
    given = read_revisions(Layout(out))[-1].settings
    before, access = read(out), JournaledAccess(World(), {}, 0)
    with open_run(out, given, DOMAINS, programs()) as opened:
        await run_stages(opened, access, STAGES, Silence())
    assert access.paid == 0
    assert read(out) == before


async def test_the_order_of_the_runs_changes_the_order_of_seeds_only(
    first: Path, second: Path, tmp_path: Path
) -> None:
    merged(first, second, tmp_path / "ab")
    merged(second, first, tmp_path / "ba")
    ab, ba = read(tmp_path / "ab"), read(tmp_path / "ba")
    assert ab[0] == ba[0] and ab[1] == ba[1]


async def test_a_copy_adds_nothing(first: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(first, tmp_path / "copy"))
    merged(first, copy, tmp_path / "both")
    assert read(tmp_path / "both") == read(first)


async def test_three_at_once_are_two_and_then_one(first: Path, second: Path, tmp_path: Path) -> None:
    third = await work(tmp_path / "third", settings(7, random_seed=9))
    merge_runs([first, second, third], tmp_path / "all", load)
    merged(first, second, tmp_path / "both")
    merged(tmp_path / "both", third, tmp_path / "then")
    assert read(tmp_path / "all") == read(tmp_path / "then")


async def test_what_one_left_unfinished_the_other_finishes(first: Path, tmp_path: Path) -> None:
    half = await work(tmp_path / "half", settings(4), stops_at=30)
    assert read(half)[0] < read(first)[0]
    merged(half, first, tmp_path / "both")
    assert read(tmp_path / "both")[0] == read(first)[0]


async def test_labels_of_people_come_along_once(first: Path, second: Path, tmp_path: Path) -> None:
    for directory, author in ((first, "ana"), (second, "bo")):
        with open_review(directory, author) as opened:
            assert opened.desk is not None
            query = "SELECT candidate_id FROM answers WHERE repeat = 0 ORDER BY rowid LIMIT 1"
            (candidate,) = opened.registry.connection.execute(query).fetchone()
            opened.desk.label(candidate, 0, Label.PASS)
    told = merged(first, second, tmp_path / "both")
    again = merged(tmp_path / "both", second, tmp_path / "again")
    with closing(Registry.open_reader(tmp_path / "both" / "registry.sqlite")) as registry:
        assert {label.author for label in all_labels(registry)} == {"ana", "bo"}
    assert (told.said, again.said) == (1, 0)


async def test_the_sources_are_named_and_left_as_they_were(first: Path, second: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in first.iterdir() if path.suffix == ".jsonl"}
    merged(first, second, tmp_path / "both")
    told = json.loads((tmp_path / "both" / "sources.json").read_text(encoding="utf-8"))
    assert [one["run"] for one in told] == [str(first), str(second)]
    assert all(len(one["last_event"]) == 64 for one in told)
    assert {path: path.read_bytes() for path in before} == before
    assert not list(tmp_path.glob(".both*"))


class TestRefusals:
    async def test_a_place_that_is_taken(self, first: Path, second: Path, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="is there already"):
            merged(first, second, tmp_path)

    async def test_one_run_twice(self, first: Path, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="two or more different"):
            merged(first, first, tmp_path / "both")

    async def test_a_run_in_use(self, first: Path, second: Path, tmp_path: Path) -> None:
        with Lock(second / "lock"), pytest.raises(RunDirectoryError, match="in use by process"):
            merged(first, second, tmp_path / "both")
        assert not (tmp_path / "both").exists()

    async def test_no_run(self, first: Path, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        with pytest.raises(RunDirectoryError, match="no run here"):
            merged(first, tmp_path / "empty", tmp_path / "both")

    async def test_domains_that_differ(self, first: Path, tmp_path: Path) -> None:
        other = (domain("D1", (3, 4)), DOMAINS[1])
        with open_run(tmp_path / "other", settings(4), other, programs()) as opened:
            await run_stages(opened, JournaledAccess(World(), {}), (Stage.SCALE,), Silence())
        with pytest.raises(InputError, match="domain D1 says different things"):
            merged(first, tmp_path / "other", tmp_path / "both")

    async def test_a_failure_leaves_nothing(self, first: Path, second: Path, tmp_path: Path) -> None:
        with closing(Registry.open(second / "registry.sqlite")) as registry:
            registry.connection.execute("UPDATE decisions SET status = ? WHERE rowid = 1", (Status.WEAK,))
            registry.connection.execute("DELETE FROM events WHERE kind = 'decision'")
        with pytest.raises(Exception, match="not whole"):
            merged(first, second, tmp_path / "both")
        assert not (tmp_path / "both").exists() and not list(tmp_path.glob(".both*"))
