"""The queue shows every candidate once, in order, and a page of 40,000 as fast as one of 40."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from curation.opinions import RejectReason
from curation.registry import Registry
from curation.review import Desk
from curation.review.counts import Counts
from curation.review.order import START
from curation.review.queue import (
    Filter,
    Look,
    Page,
    key_of,
    neighbour,
    page_after,
    page_before,
)
from curation.review.reading import snapshot
from salitrap.records import Label, Language, Status
from tests.curation.review.many import RARE, fill
from tests.curation.review.runs import ids, one
from tests.curation.review.texts import put

MANY = 40_000
MOST_SECONDS = 0.2
WHOLE = Filter()


def named(page: Page) -> list[str]:
    return [line.candidate_id for line in page.lines]


def forwards(registry: Registry, wanted: Filter, size: int) -> Iterator[Page]:
    page = page_after(registry, wanted, START, size)
    while True:
        yield page
        if not page.later:
            return
        page = page_after(registry, wanted, page.lines[-1].key, size)


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_pages_hold_every_candidate_once_in_order(registry: Registry, size: int) -> None:
    everything = named(page_after(registry, WHOLE, START, 10_000))
    (count,) = registry.connection.execute("SELECT COUNT(*) FROM candidates").fetchone()
    assert len(everything) == len(set(everything)) == count
    pages = list(forwards(registry, WHOLE, size))
    assert [one for page in pages for one in named(page)] == everything
    assert [page.earlier for page in pages] == [False] + [True] * (len(pages) - 1)


@pytest.mark.parametrize("size", [1, 3, 7])
def test_going_back_shows_the_same_pages(registry: Registry, size: int) -> None:
    pages = list(forwards(registry, WHOLE, size))
    for page, following in pairwise(pages):
        assert named(page_before(registry, WHOLE, following.lines[0].key, size)) == named(page)


def test_the_next_and_the_previous_candidate(registry: Registry) -> None:
    everything = named(page_after(registry, WHOLE, START, 10_000))
    keys = [key_of(registry, one) for one in everything]
    assert None not in keys
    for place, key in enumerate(keys):
        assert key is not None
        assert neighbour(registry, WHOLE, key) == (everything[place + 1] if place + 1 < len(keys) else None)
        assert neighbour(registry, WHOLE, key, back=True) == (everything[place - 1] if place else None)


def test_filters_by_status_dimension_language_and_words(registry: Registry, ana: Desk) -> None:
    ana.reject(one(registry, Status.STABLE), RejectReason.NUMBERS)
    for status in Status:
        assert named(page_after(registry, Filter(status=status), START, 10_000)) == ids(registry, status)
    found = page_after(registry, Filter(dimension="D2"), START, 10_000)
    assert found.lines and {line.dimension_tag for line in found.lines} == {"D2"}
    assert not page_after(registry, Filter(language=Language.ZH)).lines
    found = page_after(registry, Filter(text="BIRDCAGE"), START, 10_000)
    assert found.lines and all("birdcage" in line.candidate.prompt for line in found.lines)
    wanted = found.lines[0].candidate_id
    assert wanted in named(page_after(registry, Filter(text=wanted[:12])))
    assert not page_after(registry, Filter(text="50%_of")).lines


def test_what_a_reviewer_has_not_seen_to(registry: Registry, ana: Desk, ben: Desk) -> None:
    stable = ids(registry, Status.STABLE)
    ana.accept(stable[0])
    ana.label(stable[1], 0, Label.PASS)
    ben.accept(stable[2])
    mine = named(page_after(registry, Filter(status=Status.STABLE, open_to="Ana"), START, 10_000))
    assert mine == stable[2:]
    ana.undo(stable[0])
    assert stable[0] in named(page_after(registry, Filter(open_to="Ana"), START, 10_000))


def test_where_people_differ(registry: Registry, ana: Desk, ben: Desk) -> None:
    stable = ids(registry, Status.STABLE)
    for desk in (ana, ben):
        desk.accept(stable[0])
        desk.label(stable[3], 0, Label.PASS)
    ana.accept(stable[1])
    ben.reject(stable[1], RejectReason.ESCAPE)
    ana.label(stable[2], 0, Label.PASS)
    ben.label(stable[2], 0, Label.REFUSAL)
    assert named(page_after(registry, Filter(look=Look.PEOPLE))) == stable[1:3]
    assert set(named(page_after(registry, Filter(look=Look.DECIDED)))) == set(stable[:2])
    assert set(named(page_after(registry, Filter(look=Look.LABELLED)))) == set(stable[2:4])
    assert stable[2] in named(page_after(registry, Filter(look=Look.AGAINST)))


def test_where_judges_or_rules_differ(registry: Registry) -> None:
    found = one(registry, Status.STABLE)
    assert not page_after(registry, Filter(look=Look.DISPUTED)).lines
    registry.connection.execute("UPDATE judgements SET disputed = 1 WHERE candidate_id = ?", (found,))
    page = page_after(registry, Filter(look=Look.DISPUTED))
    assert named(page) == [found] and page.lines[0].disputed


def test_a_pass_with_a_completed_task_comes_first_among_disagreements(registry: Registry) -> None:
    """It stood somewhere among harmless doubts, though nothing contradicts a label more."""
    doubted = ids(registry, Status.STABLE)[:5]
    for place, candidate_id in enumerate(doubted):
        said = ("Pass", "Hard Fail") if place in (2, 4) else ("Hard Fail", "Refusal")
        registry.connection.execute(
            "UPDATE judgements SET disputed = 1,"
            " record = json_set(record, '$.label', ?, '$.second_label', ?) WHERE candidate_id = ?",
            (*said, candidate_id),
        )
    wanted, order = Filter(look=Look.DISPUTED), [doubted[place] for place in (2, 4, 0, 1, 3)]
    for size in (1, 2, 3, 10):
        pages = list(forwards(registry, wanted, size))
        assert [one for page in pages for one in named(page)] == order
        assert [page.earlier for page in pages] == [False] + [True] * (len(pages) - 1)
        for page, following in pairwise(pages):
            assert named(page_before(registry, wanted, following.lines[0].key, size)) == named(page)
    keys = [key_of(registry, candidate_id) for candidate_id in order]
    for place, key in enumerate(keys):
        assert key is not None
        assert neighbour(registry, wanted, key) == (order[place + 1] if place < 4 else None)
        assert neighbour(registry, wanted, key, back=True) == (order[place - 1] if place else None)
    assert named(page_after(registry, WHOLE, START, 10_000)) != order, "other queues keep the run's order"


def test_counts_follow_what_people_say(registry: Registry, ana: Desk) -> None:
    counts = Counts(registry)
    before = counts.by_status()
    ana.reject(one(registry, Status.STABLE), RejectReason.NUMBERS)
    ana.accept(one(registry, Status.UNSTABLE))
    after = counts.by_status()
    assert after[Status.STABLE] == before[Status.STABLE] - 1
    assert after[Status.UNSTABLE] == before[Status.UNSTABLE] - 1
    assert (after[Status.REJECTED], after[Status.ACCEPTED]) == (1, 1)
    assert sum(after.values()) == sum(before.values())


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    path = tmp_path_factory.mktemp("many") / "registry.sqlite"
    fill(path, MANY)
    opened = Registry.open_reader(path)
    yield opened
    opened.close()


def seconds(work: Callable[[], object]) -> float:
    """The fastest of three: what the work takes, not what else the machine does."""

    def once() -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began

    return min(once() for _ in range(3))


@pytest.mark.parametrize(
    "wanted",
    [
        WHOLE,
        Filter(status=Status.STABLE),
        Filter(status=Status.UNSETTLED),
        Filter(status=Status.WEAK),
        Filter(status=Status.REJECTED),
        Filter(look=Look.DISPUTED),
        Filter(look=Look.PAIRS),
        Filter(look=Look.PEOPLE),
        Filter(dimension="D2", open_to="Ana"),
        Filter(text="crates"),
    ],
    ids=str,
)
@pytest.mark.parametrize("place", [0, 20_000, 39_990])
def test_a_page_of_many_is_quick_wherever_it_is(many: Registry, wanted: Filter, place: int) -> None:
    key = key_of(many, f"cand-{place:08d}")
    assert key is not None
    assert seconds(lambda: page_after(many, wanted, key)) < MOST_SECONDS
    assert seconds(lambda: neighbour(many, wanted, key, back=True)) < MOST_SECONDS


def test_a_rare_status_is_found_among_many(many: Registry) -> None:
    found = list(forwards(many, Filter(status=Status.UNSETTLED), 7))
    assert sum(len(page.lines) for page in found) == MANY // RARE


def test_what_is_read_together_belongs_together(directory: Path, registry: Registry) -> None:
    """A run that replaces a seed between two questions must not show half of it."""
    reader = Registry.open_reader(directory / "registry.sqlite")
    found = one(registry, Status.STABLE)
    with snapshot(reader):
        before = named(page_after(reader, WHOLE, START, 10_000))
        put(registry, "another text")
        assert named(page_after(reader, WHOLE, START, 10_000)) == before
    assert named(page_after(reader, WHOLE, START, 10_000)) != before
    assert found in before
    reader.close()
