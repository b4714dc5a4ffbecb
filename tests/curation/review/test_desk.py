"""What a reviewer says is appended, signed and dated, and the latest of it holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from curation.opinions import RejectReason, Verdict, reviewer_name
from curation.registry import Registry
from curation.registry.people import labels_on, opinions_of
from curation.registry.queries import all_events, current_decision, machine_decision
from curation.review import Desk, Refused
from salitrap.records import Fault, Label, Status
from tests.curation.review.runs import ids, one, prompt_of, settings_of_tests, status_of_one
from tests.curation.rows import ORDER


def test_a_rejection_holds_and_says_who_and_why(registry: Registry, ana: Desk) -> None:
    item = one(registry, Status.STABLE)
    ana.reject(item, RejectReason.ESCAPE, "one can simply walk")
    found = current_decision(registry, item)
    assert found is not None
    assert (found.status, found.fault) == (Status.REJECTED, Fault.REJECTED_BY_PERSON)
    assert found.reason == "rejected by Ana: escape; one can simply walk"
    kept = machine_decision(registry, item)
    assert kept is not None and kept.status is Status.STABLE


def test_accepting_what_is_stable_changes_nothing_but_is_recorded(registry: Registry, ana: Desk) -> None:
    item = one(registry, Status.STABLE)
    ana.accept(item, "a good one")
    assert status_of_one(registry, item) is Status.STABLE
    assert [(said.author, said.verdict) for said in opinions_of(registry, item)] == [
        ("Ana", Verdict.ACCEPTED)
    ]


def test_the_latest_decision_of_anybody_holds(registry: Registry, ana: Desk, ben: Desk) -> None:
    found = one(registry, Status.UNSTABLE)
    ana.accept(found)
    assert status_of_one(registry, found) is Status.ACCEPTED
    ben.reject(found, RejectReason.UNNATURAL)
    assert status_of_one(registry, found) is Status.REJECTED
    ana.accept(found)
    assert status_of_one(registry, found) is Status.ACCEPTED
    assert [said.author for said in opinions_of(registry, found)] == ["Ben", "Ana"]


def test_undo_goes_back_one_step_at_a_time(registry: Registry, ana: Desk) -> None:
    found = one(registry, Status.UNSTABLE)
    ana.accept(found, "first")
    ana.reject(found, RejectReason.NUMBERS, "second")
    assert ana.undo(found).note == "first"
    assert status_of_one(registry, found) is Status.ACCEPTED
    assert ana.undo(found).verdict is Verdict.OPEN
    assert status_of_one(registry, found) is Status.UNSTABLE
    with pytest.raises(Refused, match="nothing that could be taken back"):
        ana.undo(found)


def test_undo_concerns_ones_own_decision_alone(registry: Registry, ana: Desk, ben: Desk) -> None:
    found = one(registry, Status.UNSTABLE)
    ana.accept(found)
    ben.reject(found, RejectReason.WORDING)
    ana.reject(found, RejectReason.NUMBERS)
    ana.undo(found)  # back to an acceptance that is older than what Ben said
    assert status_of_one(registry, found) is Status.REJECTED
    ben.undo(found)
    assert status_of_one(registry, found) is Status.ACCEPTED


def test_nothing_is_overwritten_and_everything_is_signed_and_dated(registry: Registry) -> None:
    at = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    desk = Desk(registry, settings_of_tests(), "Ana", now=lambda: at)
    found, before = one(registry, Status.UNSTABLE), list(all_events(registry))
    desk.accept(found)
    desk.reject(found, RejectReason.OTHER, "no")
    desk.undo(found)
    desk.label(found, 0, Label.HARD_FAIL)
    events = list(all_events(registry))
    assert events[: len(before)] == before
    added = [event for event in events[len(before) :] if event["kind"] != "state"]
    assert [event["kind"] for event in added] == ["opinion", "opinion", "opinion", "label"]
    assert {event["payload"]["author"] for event in added} == {"Ana"}
    assert {event["payload"]["written_at"] for event in added} == {"2026-03-01T12:30:00.000000+00:00"}


def test_what_people_said_follows_from_the_events_alone(registry: Registry, ana: Desk, ben: Desk) -> None:
    found = one(registry, Status.UNSTABLE)
    ana.accept(found)
    ben.reject(found, RejectReason.NUMBERS)
    ben.undo(found)
    ana.label(found, 0, Label.PASS, note="names it")
    ana.edit(found, f"{prompt_of(registry, found)} Many thanks for any help with this.")
    before = {table: registry.connection.execute(f"SELECT * FROM {table}").fetchall() for table in ORDER}
    for table in ORDER:
        registry.connection.execute(f"DELETE FROM {table}")
    registry.replay()
    for table, rows in before.items():
        assert sorted(registry.connection.execute(f"SELECT * FROM {table}").fetchall(), key=str) == sorted(
            rows, key=str
        ), table


def test_a_label_needs_an_answer_and_words_that_stand_in_it(registry: Registry, ana: Desk) -> None:
    found, silent = one(registry, Status.STABLE), one(registry, Status.DISCARDED)
    with pytest.raises(Refused, match="does not occur"):
        ana.label(found, 0, Label.PASS, "words that nobody said")
    with pytest.raises(Refused, match="no answer 0"):
        ana.label(silent, 0, Label.PASS)
    with pytest.raises(Refused, match="no answer 99"):
        ana.label(found, 99, Label.PASS)
    assert labels_on(registry, found) == ()


def test_a_label_is_replaced_and_taken_back(registry: Registry, ana: Desk) -> None:
    found = one(registry, Status.STABLE)
    ana.label(found, 0, Label.PASS)
    ana.label(found, 0, Label.HARD_FAIL, "Take two trips", "never sees it")
    (held,) = labels_on(registry, found)
    assert (held.label, held.quote, held.note) == (Label.HARD_FAIL, "Take two trips", "never sees it")
    ana.take_label_back(found, 0)
    assert labels_on(registry, found) == ()
    with pytest.raises(Refused, match="has not labelled"):
        ana.take_label_back(found, 0)


def test_an_edit_is_held_against_the_guards_at_once(registry: Registry, ana: Desk) -> None:
    found = one(registry, Status.STABLE)
    with pytest.raises(Refused) as refused:
        ana.edit(found, "Too short.")
    assert Fault.TOO_SHORT in [fault for fault, _ in refused.value.faults]
    with pytest.raises(Refused, match="already"):
        ana.edit(found, f"  {prompt_of(registry, found)}\r\n")
    with pytest.raises(Refused, match="8,000 are the most"):
        ana.edit(found, "x" * 9000)


def test_a_single_word_may_be_changed(registry: Registry, ana: Desk) -> None:
    """A guard that refuses copies of the parent must not refuse a person's small repair."""
    found = one(registry, Status.STABLE)
    edit = ana.edit(found, f"{prompt_of(registry, found)}!")
    assert edit.parent.candidate_id == found
    with pytest.raises(Refused, match="already"):
        ana.edit(found, f"{prompt_of(registry, found)}!")
    ana.withdraw(edit.candidate_id)
    with pytest.raises(Refused, match="not a text"):
        ana.withdraw(edit.candidate_id)


def test_a_rejection_for_another_reason_says_which(registry: Registry, ana: Desk) -> None:
    with pytest.raises(Refused, match="say in a few words"):
        ana.reject(one(registry, Status.STABLE), RejectReason.OTHER, "  ")
    with pytest.raises(Refused, match="no candidate"):
        ana.accept("cand-0")


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\u202eb", "a\nb\x00"])
def test_names_that_cannot_be_signed_with(name: str) -> None:
    with pytest.raises(ValueError, match="printable"):
        reviewer_name(name)


def test_names_of_all_scripts(registry: Registry) -> None:
    found = one(registry, Status.STABLE)
    for name in ("李雷", "Ünal Ö.", "عمر"):
        Desk(registry, settings_of_tests(), name).accept(found)
    assert [said.author for said in opinions_of(registry, found)] == ["李雷", "Ünal Ö.", "عمر"]


def test_half_a_character_from_a_form_is_storable(registry: Registry, ana: Desk) -> None:
    ana.accept(one(registry, Status.STABLE), "half \ud83d one")
    json.dumps(list(all_events(registry)), ensure_ascii=False).encode("utf-8")


def test_counts_of_all_kinds_are_there(registry: Registry) -> None:
    """The tests of this folder need each of these; a world that lost one would make them empty."""
    for status in (Status.STABLE, Status.UNSTABLE, Status.DISCARDED, Status.NATURAL_OBVIOUS):
        assert ids(registry, status), status
