"""The registry: append-only, idempotent, all or nothing, and readable by later versions."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.registry import Batch, Event, EventKind, Registry, WorkState
from curation.registry.chain import COVERED, breaks
from curation.registry.events import batch_of_nodes, rejection_event, seed_event
from curation.registry.queries import active_seeds, all_events, nodes_of, rejections
from curation.registry.schema import EVENTS, MIGRATIONS
from curation.rejects import of_draft
from salitrap.errors import DiskFull, RunDirectoryError
from salitrap.records import Decision, Fault, Language, Route, Stage, Status
from tests.curation.nodes import node
from tests.curation.rows import ORDER
from tests.curation.world import seed


def seeds_batch(*numbers: int, **changes: Any) -> Batch:
    events = tuple(seed_event(seed(number), place, place) for place, number in enumerate(numbers))
    return Batch(**{"stage": Stage.SCALE, "fingerprint": "s", "events": events, **changes})


def nodes_batch(seed_id: str, *texts: str, **changes: Any) -> Batch:
    nodes = [node(text, ordinal=place) for place, text in enumerate(texts)]
    moved = [
        one.model_copy(update={"candidate": one.candidate.model_copy(update={"seed_id": seed_id})})
        for one in nodes
    ]
    settled = [
        one.model_copy(
            update={
                "decision": Decision(candidate_id=one.candidate_id, status=Status.CERTIFIED, route=Route.POOL)
            }
        )
        for one in (type(one).model_validate(one.model_dump()) for one in moved)
    ]
    events = batch_of_nodes(settled)
    return Batch(
        **{"stage": Stage.REFINE, "fingerprint": "r", "events": events, "seed_id": seed_id, **changes}
    )


def rows(registry: Registry) -> dict[str, list[Any]]:
    return {
        table: registry.connection.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
        for table, order in ORDER.items()
    }


def events(registry: Registry) -> list[dict[str, Any]]:
    return list(all_events(registry))


@pytest.fixture
def registry(tmp_path: Path) -> Any:
    opened = Registry.open(tmp_path / "registry.sqlite")
    opened.set_targets({("D1", Language.EN): 10})
    yield opened
    opened.close()


def test_what_was_written_can_be_read(registry: Registry) -> None:
    registry.write(seeds_batch(1, 2))
    registry.write(nodes_batch(seed(2).seed_id, "one", "two"))
    assert list(active_seeds(registry)) == [seed(1), seed(2)]
    found = nodes_of(registry, seed(2).seed_id)
    assert [(one.candidate.ordinal, one.candidate.prompt) for one in found] == [(0, "one"), (1, "two")]
    assert nodes_of(registry, seed(1).seed_id) == ()


def test_writing_the_same_again_changes_nothing(registry: Registry) -> None:
    batch = nodes_batch("s1", "one", "two")
    assert registry.write(batch)
    before, told = rows(registry), events(registry)
    assert not registry.write(batch)
    assert (rows(registry), events(registry)) == (before, told)


def test_a_newer_outcome_replaces_the_view_and_keeps_the_events(registry: Registry) -> None:
    registry.write(nodes_batch("s1", "one", "two"))
    told = events(registry)
    registry.write(nodes_batch("s2", "elsewhere"))
    registry.write(nodes_batch("s1", "three", fingerprint="r2"))
    assert [one.candidate.prompt for one in nodes_of(registry, "s1")] == ["three"]
    assert [one.candidate.prompt for one in nodes_of(registry, "s2")] == ["elsewhere"]
    assert events(registry)[: len(told)] == told


def test_redoing_a_seed_drops_what_was_certified_of_its_old_candidates(registry: Registry) -> None:
    certified = Batch(Stage.CERTIFY, "c", (), seed_id="s1")
    registry.write(nodes_batch("s1", "one"))
    registry.write(certified)
    registry.write(nodes_batch("s1", "two"))
    states = registry.connection.execute("SELECT stage FROM seed_state").fetchall()
    assert states == [(Stage.REFINE.value,)]
    assert registry.write(certified)


OUTCOMES = st.lists(
    st.tuples(
        st.sampled_from(["s1", "s2", "s3"]),
        st.lists(st.sampled_from(["one", "two", "three"]), max_size=3, unique=True),
        st.sampled_from(["f1", "f2"]),
        st.sampled_from(list(WorkState)),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=40)
@given(OUTCOMES)
def test_the_view_follows_from_the_events_alone(outcomes: list[Any]) -> None:
    registry = Registry.open(Path(":memory:"))
    registry.write(seeds_batch(1, 2))
    for seed_id, texts, fingerprint, state in outcomes:
        registry.write(nodes_batch(seed_id, *texts, fingerprint=fingerprint, state=state))
    before = rows(registry)
    for table in ORDER:
        registry.connection.execute(f"DELETE FROM {table}")
    registry.replay()
    assert rows(registry) == before
    registry.close()


def test_an_older_file_is_migrated_with_its_content(tmp_path: Path) -> None:
    path = tmp_path / "registry.sqlite"
    new = Registry.open(path)
    new.write(seeds_batch(1, 2))
    new.write(nodes_batch("s1", "one"))
    wanted = rows(new)
    stored = new.connection.execute(f"SELECT seq, {', '.join(COVERED)} FROM events").fetchall()
    new.close()
    path.unlink()
    old = sqlite3.connect(path)
    old.executescript(EVENTS)
    old.executemany(f"INSERT INTO events VALUES ({', '.join('?' * len(stored[0]))})", stored)
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()
    reader = Registry.open_reader(path)
    assert rows(reader) == wanted
    assert list(breaks(reader.connection)) == []
    chained = reader.connection.execute("SELECT seq, events FROM chained").fetchall()
    assert chained == [(stored[-1][0], len(stored))]
    reader.close()


@pytest.mark.parametrize("opens", [Registry.open, Registry.open_reader])
def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path, opens: Any) -> None:
    path = tmp_path / "registry.sqlite"
    Registry.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(RunDirectoryError, match="newer salitrap"):
        opens(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("opens", [Registry.open, Registry.open_reader])
def test_a_file_that_is_no_database_is_named(tmp_path: Path, opens: Any) -> None:
    path = tmp_path / "registry.sqlite"
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 30)
    with pytest.raises(RunDirectoryError, match=r"registry\.sqlite: cannot be read"):
        opens(path)


def test_a_reader_says_when_there_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunDirectoryError, match="start a run"):
        Registry.open_reader(tmp_path / "registry.sqlite")


def test_a_full_disk_leaves_whole_batches_and_says_so(registry: Registry) -> None:
    registry.write(nodes_batch("s1", "one"))
    before = rows(registry)
    (pages,) = registry.connection.execute("PRAGMA page_count").fetchone()
    registry.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    big = nodes_batch("s2", *(f"{number} " + "x" * 4000 for number in range(40)))
    with pytest.raises(DiskFull, match="free some space"):
        registry.write(big)
    assert rows(registry) == before
    registry.connection.execute("PRAGMA max_page_count = 1000000")
    assert registry.write(big)
    assert len(nodes_of(registry, "s2")) == 40


def test_targets_that_do_not_fit_on_the_disk_leave_the_earlier_ones(registry: Registry) -> None:
    cells = "SELECT COUNT(*) FROM cells"
    (pages,) = registry.connection.execute("PRAGMA page_count").fetchone()
    registry.connection.execute(f"PRAGMA max_page_count = {pages}")
    many = {(f"D{number} " + "x" * 400, Language.EN): 1 for number in range(400)}
    with pytest.raises(DiskFull, match="free some space"):
        registry.set_targets(many)
    assert registry.connection.execute(cells).fetchone() == (1,)
    registry.connection.execute("PRAGMA max_page_count = 1000000")
    registry.set_targets(many)
    assert registry.connection.execute(cells).fetchone() == (400,)


def test_an_error_in_mid_batch_leaves_nothing_of_it(registry: Registry) -> None:
    registry.write(nodes_batch("s1", "one"))
    before, told = rows(registry), events(registry)
    good = nodes_batch("s2", "two", "three")
    unheard = Event(EventKind.DECISION, "cand-9", {"status": "certified"}, "s2")
    with pytest.raises(KeyError):
        registry.write(replace(good, events=(*good.events, unheard)))
    assert (rows(registry), events(registry)) == (before, told)
    assert registry.write(good)


def test_readers_see_whole_batches_while_the_writer_is_at_it(registry: Registry) -> None:
    registry.write(nodes_batch("s1", "one"))
    reader = Registry.open_reader(registry.path)
    registry.connection.execute("BEGIN IMMEDIATE")
    registry.connection.execute("DELETE FROM candidates")
    assert len(nodes_of(reader, "s1")) == 1
    registry.connection.execute("ROLLBACK")
    reader.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "registry.sqlite"
    Registry.open(path).close()
    tmp_path.chmod(0o500)
    try:
        Registry.open_reader(path).close()
    finally:
        tmp_path.chmod(0o700)


def test_equal_drafts_are_rejected_once_each(registry: Registry) -> None:
    rejection = of_draft("D1", Language.EN, "seed-1", Fault.TOO_SHORT, "short", "raw \ud83d text")
    told = tuple(rejection_event(rejection, place) for place in ("w1.d1", "w1.d2"))
    registry.write(Batch(Stage.SCALE, "s", told))
    assert [found.raw for found in rejections(registry)] == ["raw ? text"] * 2


def test_texts_are_stored_as_they_were(registry: Registry) -> None:
    decomposed = "cafe\u0301 \U0001f600 五十"
    registry.write(nodes_batch("s1", decomposed))
    assert nodes_of(registry, "s1")[0].candidate.prompt == decomposed


def test_every_kind_of_event_has_its_place_in_the_view() -> None:
    from curation.registry.view import ROWS

    assert set(ROWS) == set(EventKind) - {EventKind.STATE}


def test_an_event_without_a_seed_belongs_to_its_stage(registry: Registry) -> None:
    registry.write(Batch(Stage.SCALE, "s", (Event(EventKind.WAVE, "wave-0", {"number": 0}, None, "0"),)))
    assert [one["kind"] for one in events(registry)] == ["wave", "state"]
