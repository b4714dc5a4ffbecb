"""Several judges: majority, ties, members that fail, and everything that is kept of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from checkers import Judge
from checkers.judge import Labelled, Member, PanelJudge, Reading, decide, judge_for, judges_asked
from salitrap.errors import BudgetReached, CallFailed, ConfigError
from salitrap.providers.access import Asked
from salitrap.records import (
    JudgeEvidence,
    Judgement,
    Label,
    LabelStatus,
    Notices,
    Outcome,
    Role,
    Vote,
)
from salitrap.settings import EndpointSettings, JudgingSettings, Policy, RoleSettings, Settings
from tests.checkers.samples import candidate, seed
from tests.fakes import Reply, ScriptedAccess, answered

DENIAL = "A strainer can't hold soup."
PASS = {
    "notices": "early", "quote": DENIAL, "completes_task": False, "refuses": True, "explains": True,
    "patches": False, "reason": "says why",
}  # fmt: skip
LATE = PASS | {"notices": "late"}
FAIL = PASS | {"notices": "never", "quote": "", "completes_task": True, "refuses": False, "explains": False}
UNDECIDED = FAIL | {"completes_task": False}
BROKEN = CallFailed(Outcome.TIMEOUT, "90 s", key="k")
TEXT = f"6 walks. {DENIAL}"


def panel_of(count: int) -> PanelJudge:
    return PanelJudge([Member(f"judge-{slot}", Judge(), slot) for slot in range(count)])


async def judge(
    *said: Mapping[str, Any] | Exception, reasoning: str = ""
) -> tuple[Judgement, ScriptedAccess]:
    """One reply for each member, whatever and how often it is asked."""
    access, of = ScriptedAccess(lambda _role, _prompt, _inputs, slot, _repeat: said[slot]), seed()
    answer = answered(TEXT, reasoning=reasoning)
    judged = await panel_of(len(said)).judge(access, of, candidate(of), answer, repeat=3, slot=7)
    return judged, access


@pytest.mark.parametrize(
    ("said", "label", "agreement"),
    [
        ((PASS, PASS, PASS), Label.PASS, 1.0),
        ((FAIL, PASS, PASS), Label.PASS, 2 / 3),
        ((FAIL, FAIL, PASS), Label.HARD_FAIL, 2 / 3),
        ((PASS, PASS, BROKEN), Label.PASS, 2 / 3),
        ((PASS, PASS, UNDECIDED), Label.PASS, 2 / 3),
        ((FAIL, FAIL, FAIL, PASS), Label.HARD_FAIL, 0.75),
    ],
)
async def test_more_than_half_of_those_asked_make_the_label(
    said: Sequence[Any], label: Label, agreement: float
) -> None:
    judged, access = await judge(*said)
    assert (judged.status, judged.label, judged.agreement) == (LabelStatus.OK, label, agreement)
    assert judged.disputed is (agreement < 1)
    assert {call.slot for call in access.calls} == set(range(len(said)))


@pytest.mark.parametrize(
    "said",
    [
        (FAIL, PASS),
        (FAIL, FAIL, PASS, PASS),
        (PASS, BROKEN),
        (PASS, BROKEN, UNDECIDED),
        (FAIL, PASS, BROKEN),
        (PASS, PASS, BROKEN, BROKEN),
    ],
)
async def test_a_tie_or_no_majority_is_unresolved_with_the_votes_in_the_reason(said: Sequence[Any]) -> None:
    """A member that failed counts as asked: half of the rest was taken for a majority."""
    judged, _ = await judge(*said)
    assert (judged.status, judged.label, judged.label_full) == (LabelStatus.JUDGE_UNRESOLVED, None, None)
    assert judged.reason.startswith("no majority: judge-0: ")
    for number, vote in enumerate(judged.votes):
        told = vote.label.value if vote.label else vote.status.value
        assert f"judge-{number}: {told}" in judged.reason
    assert judged.disputed


async def test_members_that_all_fail_are_a_failed_judging() -> None:
    judged, _ = await judge(BROKEN, BROKEN, BROKEN)
    assert (judged.status, judged.label, judged.agreement) == (LabelStatus.JUDGE_ERROR, None, 0.0)
    assert not judged.disputed


async def test_every_vote_is_kept_with_its_evidence_and_model() -> None:
    judged, _ = await judge(FAIL, PASS, LATE)
    assert [vote.judge for vote in judged.votes] == ["judge-0", "judge-1", "judge-2"]
    assert [vote.label for vote in judged.votes] == [Label.HARD_FAIL, Label.PASS, Label.PASS]
    notices = [vote.evidence.notices for vote in judged.votes if vote.evidence]
    assert notices == [Notices.NEVER, Notices.EARLY, Notices.LATE]
    assert all(vote.provenance for vote in judged.votes)
    assert len(list(judged.provenances())) == 3
    assert judged.evidence == judged.votes[1].evidence
    assert judged.quote_position == TEXT.index(DENIAL) / len(TEXT)
    assert Judgement.model_validate_json(judged.model_dump_json()) == judged


@pytest.mark.parametrize(
    ("said", "late"), [((PASS, LATE, LATE), True), ((PASS, PASS, LATE), False), ((FAIL, PASS, LATE), False)]
)
async def test_a_notice_is_late_when_most_of_the_majority_say_so(said: Sequence[Any], late: bool) -> None:
    judged, _ = await judge(*said)
    assert (judged.label, judged.late_notice) == (Label.PASS, late)
    assert judged.evidence is not None
    assert (judged.evidence.notices is Notices.LATE) is late


async def test_the_full_label_has_a_majority_of_its_own() -> None:
    def asks(_role: Role, _prompt: str, inputs: Mapping[str, Any], slot: int, _repeat: int) -> Reply:
        full = "\n---\n" in inputs["answer"]
        return (PASS if slot else FAIL) if full else FAIL

    access, of = ScriptedAccess(asks), seed()
    judged = await panel_of(3).judge(access, of, candidate(of), answered("6 walks.", reasoning=DENIAL))
    assert (judged.label, judged.label_full) == (Label.HARD_FAIL, Label.PASS)
    assert [vote.label_full for vote in judged.votes] == [Label.HARD_FAIL, Label.PASS, Label.PASS]


async def test_a_full_reading_without_majority_leaves_the_visible_label() -> None:
    def asks(_role: Role, _prompt: str, inputs: Mapping[str, Any], slot: int, _repeat: int) -> Reply:
        return (PASS if slot else FAIL) if "\n---\n" in inputs["answer"] else FAIL

    access, of = ScriptedAccess(asks), seed()
    judged = await panel_of(2).judge(access, of, candidate(of), answered("6 walks.", reasoning=DENIAL))
    assert (judged.status, judged.label, judged.label_full) == (LabelStatus.OK, Label.HARD_FAIL, None)
    assert "with reasoning: judge_unresolved: no majority" in judged.reason


async def test_an_answer_that_failed_is_not_put_to_the_panel() -> None:
    access, of = ScriptedAccess(), seed()
    judged = await panel_of(3).judge(access, of, candidate(of), answered(outcome=Outcome.EMPTY))
    assert (judged.status, judged.votes, judged.agreement) == (LabelStatus.EMPTY, (), None)


async def test_a_stopped_run_is_not_a_vote() -> None:
    with pytest.raises(BudgetReached):
        await judge(PASS, BudgetReached("enough"), PASS)


class Shuffled(ScriptedAccess):
    """Members answer in a drawn order."""

    async def ask(self, *args: Any, **named: Any) -> Asked:
        for _ in range(random.Random(named["slot"]).randrange(9)):
            await asyncio.sleep(0)
        return await super().ask(*args, **named)


async def test_the_order_of_replies_does_not_matter() -> None:
    said, of = (FAIL, PASS, LATE), seed()
    steady, _ = await judge(*said)
    access = Shuffled(lambda _role, _prompt, _inputs, slot, _repeat: said[slot])
    hurried = await panel_of(3).judge(access, of, candidate(of), answered(TEXT), repeat=3)
    assert hurried == steady


def reading(label: Label | None) -> Labelled:
    evidence = JudgeEvidence(
        notices=Notices.NEVER, quote="", completes_task=True, refuses=False, explains=False, patches=False
    )
    status = LabelStatus.OK if label else LabelStatus.JUDGE_UNRESOLVED
    one = Reading(status, label, evidence)
    return Labelled(one, one)


@pytest.mark.parametrize("labels", list(product([*Label, None], repeat=3)))
def test_a_label_has_more_than_half_of_the_votes_and_nothing_else_has_one(
    labels: tuple[Label | None, ...],
) -> None:
    decided = decide(["a", "b", "c"], [reading(label) for label in labels])
    wanted = {label for label in labels if label is not None and labels.count(label) >= 2}
    assert {decided.visible.label} - {None} == wanted
    assert (decided.visible.status is LabelStatus.OK) == bool(wanted)


def pool(count: int, policy: Policy = Policy.ROUND_ROBIN, **judging: str) -> Settings:
    endpoints = tuple(EndpointSettings(spec=f"lab/judge-{number}") for number in range(count))
    roles = {Role.JUDGE: RoleSettings(endpoints=endpoints, policy=policy)}
    return Settings(roles=roles, judging=JudgingSettings.model_validate(judging))


def test_the_settings_choose_the_judge() -> None:
    assert type(judge_for(Settings())) is type(judge_for(pool(3))) is Judge
    assert judge_for(pool(1, panel="all")).__class__ is Judge
    panel = judge_for(pool(3, panel="all", mode="direct"))
    assert isinstance(panel, PanelJudge)
    assert [(one.name, one.slot) for one in panel.members] == [
        (f"lab/judge-{slot}", slot) for slot in range(3)
    ]
    assert [judges_asked(one) for one in (Settings(), pool(3), pool(3, panel="all"))] == [1, 1, 3]


def test_a_panel_whose_members_cannot_be_asked_apart_is_refused() -> None:
    """Under failover all members would be the first one."""
    with pytest.raises(ConfigError, match="round_robin"):
        judge_for(pool(3, Policy.FAILOVER, panel="all"))


def test_two_members_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="different names"):
        PanelJudge([Member("a", Judge(), 0), Member("a", Judge(), 1)])


@pytest.mark.parametrize("status", [status for status in LabelStatus if status is not LabelStatus.OK])
def test_no_failure_maps_to_a_label(status: LabelStatus) -> None:
    for label in Label:
        with pytest.raises(ValueError, match="wrong"):
            Reading(status, label)
        for record in (Judgement, Vote):
            about = {"candidate_id": "c", "repeat": 0} if record is Judgement else {"judge": "j"}
            for field in ("label", "label_full"):
                with pytest.raises(ValidationError, match="there can be no label"):
                    record.model_validate({**about, "status": status, field: label})


def test_a_status_of_ok_has_a_label() -> None:
    with pytest.raises(ValueError, match="wrong"):
        Reading(LabelStatus.OK)
    with pytest.raises(ValidationError, match="label must be given"):
        Judgement(candidate_id="c", repeat=0, status=LabelStatus.OK)


def test_a_judgement_of_an_earlier_version_is_still_read() -> None:
    stored = (
        '{"candidate_id": "cand-1", "repeat": 0, "status": "ok", "label": "Pass", "label_full": null,'
        ' "late_notice": false, "evidence": {"notices": "early", "quote": "it leaks",'
        ' "completes_task": false,'
        ' "refuses": true, "explains": true, "patches": false}, "reason": "", "provenance": null}'
    )
    judged = Judgement.model_validate_json(stored)
    assert (judged.votes, judged.agreement, judged.quote_position) == ((), None, None)
    assert judged.quote == "it leaks"
