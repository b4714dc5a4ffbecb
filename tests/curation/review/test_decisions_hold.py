"""Decisions of people win over the machine: in the funnel, in builds, on resume and with other settings."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from curation.changing import Given, outlook_of
from curation.changing.changes import Changes
from curation.changing.rest import past_of, plan_rest
from curation.changing.units import units_of
from curation.explain import explain
from curation.funnel import Funnel, funnel_of
from curation.opinions import RejectReason
from curation.registry import Registry
from curation.registry.queries import rejections
from curation.review import Desk, items_of_run
from curation.status import status_of
from exports.from_run import build_from_run
from salitrap.records import Fault, Stage, Status
from salitrap.settings import Settings
from tests.curation.review.runs import (
    DOMAINS,
    ids,
    one,
    prompt_of,
    run_again,
    settings_of_tests,
    status_of_one,
)
from tests.curation.rows import view
from tests.curation.world import programs


def sound(registry: Registry) -> Funnel:
    funnel = funnel_of(registry)
    assert funnel.faults() == ()
    assert funnel.items == len(list(items_of_run(registry)))
    return funnel


async def with_more_than_needed(directory: Path) -> Settings:
    """A run whose pools hold more than is certified; returns the settings under which that is so."""
    await run_again(directory, settings_of_tests(refine={"generator_rounds": 4}))
    given = settings_of_tests(refine={"top_k": 1, "generator_rounds": 4})
    await run_again(directory, given, (Stage.CERTIFY,))
    return given


def desk(directory: Path) -> closing[Registry]:
    return closing(Registry.open(directory / "registry.sqlite"))


def test_a_rejected_item_is_left_out_with_its_reason(registry: Registry, ana: Desk) -> None:
    before, item = sound(registry), one(registry, Status.STABLE)
    ana.reject(item, RejectReason.FEASIBLE)
    after = sound(registry)
    assert after.items == before.items - 1
    assert ("rejected by a person", 1) in after.lines()
    assert item not in [one.candidate_id for one in items_of_run(registry)]
    found = {one.subject_id: one for one in rejections(registry)}[item]
    assert (found.fault, found.reason) == (Fault.REJECTED_BY_PERSON, "rejected by Ana: feasible")
    ana.undo(item)
    assert sound(registry) == before


def test_an_accepted_unstable_candidate_is_an_item_with_its_real_rate(registry: Registry, ana: Desk) -> None:
    before, found = sound(registry), one(registry, Status.UNSTABLE)
    ana.accept(found)
    after = sound(registry)
    assert (after.items, after.candidates.accepted_items) == (before.items + 1, 1)
    assert ("accepted by a person", 1) in after.lines()
    (item,) = [one for one in items_of_run(registry) if one.candidate_id == found]
    assert item.attack_tier.value in ("strong", "soft")
    assert item.stability_rate < 0.6


@pytest.mark.parametrize("status", [Status.NATURAL_OBVIOUS, Status.DISCARDED, Status.INVALID])
def test_what_no_answer_fell_for_cannot_become_an_item(registry: Registry, ana: Desk, status: Status) -> None:
    before = sound(registry)
    for found in ids(registry, status)[:1]:
        ana.accept(found)
        after = sound(registry)
        assert (after.items, after.candidates.accepted_without_tier) == (before.items, 1)
        told = {one.subject_id: one for one in rejections(registry)}[found]
        assert "no tier" in told.reason


def test_the_build_and_its_card_honour_decisions(registry: Registry, ana: Desk, tmp_path: Path) -> None:
    out, kept = one(registry, Status.STABLE), one(registry, Status.UNSTABLE)
    ana.reject(out, RejectReason.UNSAFE)
    ana.accept(kept)
    gone, there = prompt_of(registry, out), prompt_of(registry, kept)
    built = build_from_run(registry.path.parent, out=tmp_path / "ds", version="0.1.0", license="cc-by-4.0")
    rows = "".join(path.read_text("utf-8") for path in built.path.rglob("*.jsonl"))
    assert gone not in rows and there in rows
    card = (built.path / "README.md").read_text("utf-8")
    assert "| accepted by a person | 1 |" in card and "| rejected by a person | 1 |" in card


async def test_decisions_survive_a_resumed_run_and_the_next_best_takes_the_place(tmp_path: Path) -> None:
    given = await with_more_than_needed(tmp_path / "run")
    with desk(tmp_path / "run") as registry:
        out, following = registry.connection.execute(
            "SELECT mine.candidate_id, other.candidate_id FROM current_decisions AS mine"
            " JOIN current_decisions AS other USING (seed_id)"
            " WHERE mine.status = 'stable' AND other.fault = 'not_selected'"
        ).fetchone()
        Desk(registry, given, "Ana").reject(out, RejectReason.WORDING)
    await run_again(tmp_path / "run", given, (Stage.CERTIFY,))
    with desk(tmp_path / "run") as registry:
        assert status_of_one(registry, out) is Status.REJECTED
        assert status_of_one(registry, following) in (Status.STABLE, Status.UNSTABLE)
        sound(registry)
        tested = "SELECT COUNT(*) FROM stability WHERE candidate_id = ?"
        assert registry.connection.execute(tested, (out,)).fetchone() == (0,)


async def test_decisions_survive_other_settings(directory: Path) -> None:
    """What was decided before a search was decided anew holds for texts that the search brings again."""
    with desk(directory) as registry:
        ana = Desk(registry, settings_of_tests(), "Ana")
        out, kept = one(registry, Status.STABLE), one(registry, Status.UNSTABLE)
        ana.reject(out, RejectReason.WORDING)
        ana.accept(kept)
    other = settings_of_tests(refine={"patience": 1}, certify={"rule": "lower-bound"})
    await run_again(directory, other)
    with desk(directory) as registry:
        sound(registry)
        candidates = [row[0] for row in registry.connection.execute("SELECT candidate_id FROM candidates")]
        if out in candidates:
            assert status_of_one(registry, out) is Status.REJECTED
        if kept in candidates:
            assert status_of_one(registry, kept) in (Status.ACCEPTED, Status.STABLE)
        assert {out, kept} & set(candidates)


@pytest.mark.parametrize("where", ["fault = 'not_selected'", "status = 'attack_unnatural'"])
async def test_an_accepted_candidate_beyond_top_k_is_tested_by_the_next_run(
    tmp_path: Path, where: str
) -> None:
    given = await with_more_than_needed(tmp_path / "run")
    with desk(tmp_path / "run") as registry:
        query = f"SELECT candidate_id FROM current_decisions WHERE {where}"
        waiting = [row[0] for row in registry.connection.execute(query)]
        before = sound(registry).items
        Desk(registry, given, "Ana").accept(waiting[0])
        assert sound(registry).candidates.accepted_pending == 1
    await run_again(tmp_path / "run", given, (Stage.CERTIFY,))
    with desk(tmp_path / "run") as registry:
        after = sound(registry)
        assert after.candidates.accepted_pending == 0
        assert after.items == before + 1
        assert status_of_one(registry, waiting[0]) in (Status.STABLE, Status.ACCEPTED)


async def test_agreeing_with_the_machine_leaves_nothing_to_do(directory: Path) -> None:
    with desk(directory) as registry:
        ana = Desk(registry, settings_of_tests(), "Ana")
        for found in ids(registry, Status.STABLE):
            ana.accept(found)
        for found in ids(registry, Status.DISCARDED):
            ana.reject(found, RejectReason.TRAP_LOST)
    assert status_of(directory).finished
    before = view(directory)
    await run_again(directory)
    assert view(directory) == before


async def test_an_edited_text_is_checked_solved_and_judged_by_the_next_run(directory: Path) -> None:
    with desk(directory) as registry:
        found = one(registry, Status.STABLE)
        text = f"{prompt_of(registry, found)} Many thanks for any help with this."
        edit = Desk(registry, settings_of_tests(), "Ana").edit(found, text)
    assert not status_of(directory).finished
    found_outlook = outlook_of(directory, Given(settings_of_tests(), DOMAINS, programs().prompts))
    assert found_outlook is not None
    assert [stage.anew for stage in found_outlook.stages[1:]] == [1, 1]
    await run_again(directory)
    assert status_of(directory).finished
    with desk(directory) as registry:
        sound(registry)
        told = explain(directory, edit.candidate_id)
        made = told.lineage[-1]
        assert (made.candidate.prompt, made.candidate.origin.value) == (text, "edit")
        assert made.candidate.parent_id == found
        assert made.evaluations[0].checker == "compliance"
        assert made.answer is not None or made.decision.fault is not None
    await run_again(directory, settings_of_tests(refine={"patience": 1}))
    with desk(directory) as registry:
        sound(registry)
        assert prompt_of(registry, edit.candidate_id) == text


def test_the_plan_asks_for_the_edited_text_alone(registry: Registry, ana: Desk) -> None:
    found = one(registry, Status.STABLE)
    ana.edit(found, f"{prompt_of(registry, found)} Many thanks for any help with this.")
    given = Given(settings_of_tests(), DOMAINS, programs().prompts)
    units = units_of(registry, given, given)
    assert [unit.edits for unit in units.units if unit.edits] == [1]
    plan = plan_rest(given, units, Changes(revision=1), past_of(registry))
    refining = [one for one in plan.roles if one.stage is Stage.REFINE]
    calls = {one.role.value: (one.calls_low, one.calls_high) for one in refining}
    assert calls == {"checker": (1, 4), "solver": (0, 1), "judge": (0, 2)}


async def test_a_withdrawn_edit_leaves_the_next_run_as_it_would_have_been(directory: Path) -> None:
    before = view(directory)
    with desk(directory) as registry:
        found = one(registry, Status.STABLE)
        ana = Desk(registry, settings_of_tests(), "Ana")
        edit = ana.edit(found, f"{prompt_of(registry, found)} Many thanks for any help with this.")
        ana.withdraw(edit.candidate_id)
    assert status_of(directory).finished
    await run_again(directory)
    after = view(directory)
    machine = [table for table in before if table not in ("edits", "seed_state")]
    assert [after[table] for table in machine] == [before[table] for table in machine]


def test_what_people_said_is_shown(registry: Registry, ana: Desk, ben: Desk) -> None:
    found = one(registry, Status.UNSTABLE)
    ana.accept(found)
    ben.reject(found, RejectReason.NUMBERS, "12 is wrong")
    told = explain(registry.path.parent, found)
    assert told.decision is not None and told.decision.status is Status.REJECTED
    assert [said.told for said in told.opinions] == [
        "accepted by Ana",
        "rejected by Ben: numbers; 12 is wrong",
    ]
