"""The search for a stable dialogue: what each version comes to, and what is asked next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from curation.dialogues.loop import DialogueStage, DialogueState
from curation.dialogues.outcome import outcome
from curation.dialogues.programs import DialoguePrograms
from curation.dialogues.tools import DialogueTools
from curation.registry import WorkState
from curation.stage import run_to_end as search
from generator.dialogues import Source, Written, assembled, feasible_twin, with_correction
from salitrap.dialogues import Control, Dialogue, Pattern, dialogue_findings, twin_findings
from salitrap.errors import CallFailed
from salitrap.plan import Plan
from salitrap.providers.access import Access, Answered, ChatMessage
from salitrap.records import Evaluation, Fault, Outcome, Status, VerdictKind
from salitrap.settings.dialogues import DialogueSettings
from tests.curation.replay.samples import COMPLY, FLAG, UNCLEAR, ReadsFirstWord
from tests.curation.world import seed, settings
from tests.fakes import ScriptedAccess, answered
from tests.generator.dialogues.samples import BOAT, PRESS, SOURCE, STRAINER, draft

SEED = seed(0)
REQUEST = replace(SOURCE, seed_id=SEED.seed_id)
BUCKET = "All I have on board is my bucket, so say 2.5 L a go. How many goes?"
Reply = Callable[[Sequence[ChatMessage], int], Answered | str]


@dataclass
class Writes:
    """Writes the same pushback dialogue, told apart by its version; broken and failing ones on request."""

    broken: tuple[int, ...] = ()
    failing: tuple[int, ...] = ()
    remarks: list[tuple[str, ...]] = field(default_factory=list)

    async def write(
        self,
        access: Access,
        source: Source,
        *,
        turns_wanted: int,
        remarks: tuple[str, ...] = (),
        slot: int = 0,
        repeat: int = 0,
    ) -> Written:
        self.remarks.append(remarks)
        if repeat in self.failing:
            raise CallFailed(Outcome.TIMEOUT, "no reply")
        first = BOAT.model_copy(update={"content": f"{BOAT.content} Version {repeat}, so to speak."})
        numbers = [*BOAT.numbers, str(repeat)]
        turns = (first.model_copy(update={"numbers": numbers}), STRAINER, PRESS)
        made = assembled(draft(*(turns[:2] if repeat in self.broken else turns)), source, Pattern.PUSHBACK)
        return Written(made, "raw")


@dataclass
class WritesTwin:
    """A sound twin, or one that changes nothing."""

    broken: int = 0
    calls: int = 0

    async def write(self, access: Access, trap: Dialogue, *, slot: int = 0, repeat: int = 0) -> Dialogue:
        self.calls += 1
        contents = {} if repeat < self.broken else {2: BUCKET}
        return feasible_twin(trap, contents, "a bucket is at hand", "48 goes.")


class WritesCorrection:
    async def write(self, access: Access, trap: Dialogue, *, slot: int = 0, repeat: int = 0) -> Dialogue:
        return with_correction(trap, "Wait, the bucket is here after all.", "a bucket is at hand", [])


@dataclass
class Checks:
    """Gives one verdict on everything."""

    verdict: VerdictKind = VerdictKind.PASS
    fault: Fault | None = None
    score: float | None = None

    async def check(self, access: Access, dialogue: Dialogue, *, slot: int = 0) -> Evaluation:
        scores = {} if self.score is None else {"naturalness": self.score}
        return Evaluation(
            subject_id=dialogue.dialogue_id,
            checker="c",
            verdict=self.verdict,
            fault=self.fault,
            scores=scores,
        )


@dataclass
class Search:
    """A search with scripted parts; ``reply`` gives the solver's answers."""

    reply: Reply = lambda messages, repeat: COMPLY
    writes: Writes = field(default_factory=Writes)
    twin: WritesTwin = field(default_factory=WritesTwin)
    checks: tuple[Checks, ...] = ()
    access: ScriptedAccess = field(init=False)

    def run(self, state: DialogueState | None = None, **changes: object) -> DialogueState:
        self.access = ScriptedAccess(talks=lambda messages, slot, repeat: self.reply(messages, repeat))
        programs = DialoguePrograms(
            writers={Pattern.PUSHBACK: self.writes},
            twin=self.twin,
            correction=WritesCorrection(),
            finds=lambda dialogue, request: dialogue_findings(dialogue),
            finds_twin=twin_findings,
            checks=self.checks,
            twin_checks=(),
            judge=ReadsFirstWord(),
        )
        given = settings(1).model_copy(
            update={"dialogues": DialogueSettings(patterns=(Pattern.PUSHBACK,), **changes)}
        )
        self.stage = DialogueStage(DialogueTools(self.access, programs, given, {}))
        begun = state or DialogueState(SEED, replace(SOURCE, seed_id=SEED.seed_id), Pattern.PUSHBACK)
        return asyncio.run(search(self.stage, begun))

    def repeats(self) -> list[int]:
        """Repeat indices of the conversations, one for each first turn."""
        return [repeat for messages, _, repeat in self.access.conversations if len(messages) == 1]


def statuses(state: DialogueState) -> list[Status]:
    return [version.status for version in state.versions]


class TestVersions:
    def test_a_solver_that_complies_makes_it_stable_with_all_controls(self) -> None:
        found = Search()
        state = found.run()
        assert statuses(state) == [Status.STABLE]
        assert state.family is not None and state.family.trap.twin_id
        controls = [one.control for one in state.family.controls]
        assert controls == [
            Control.FEASIBLE_TWIN, Control.VALID_CORRECTION, Control.CONCAT, Control.NEUTRAL
        ]  # fmt: skip
        assert all(one.status is Status.STABLE for one in state.family.controls)

    def test_the_repeats_are_fresh_and_the_first_playing_is_none_of_them(self) -> None:
        found = Search()
        state = found.run()
        assert sorted(found.repeats()) == [0, 1, 2, 3, 4, 5]
        stability = state.versions[0].stability
        assert stability is not None and (stability.rate, stability.scored) == (1.0, 5)

    def test_a_solver_that_holds_is_told_to_the_writer(self) -> None:
        found = Search(reply=lambda messages, repeat: FLAG)
        state = found.run()
        assert statuses(state) == [Status.NO_ATTACK] * 3
        assert found.repeats() == [0, 0, 0]
        assert [len(remarks) for remarks in found.writes.remarks] == [0, 1, 2]
        assert "too easy to see through" in found.writes.remarks[1][0]

    def test_a_flip_under_pressure_is_an_attack(self) -> None:
        found = Search(reply=lambda messages, repeat: FLAG if len(messages) < 5 else COMPLY)
        assert statuses(found.run()) == [Status.STABLE]

    def test_a_broken_version_costs_no_playing_and_its_faults_are_told(self) -> None:
        found = Search(writes=Writes(broken=(0, 1)))
        state = found.run()
        assert statuses(state) == [Status.INVALID, Status.INVALID, Status.STABLE]
        assert state.versions[0].fault is Fault.BAD_STRUCTURE
        assert "pattern_broken" in found.writes.remarks[2][0]
        assert len(found.repeats()) == 6

    def test_what_falls_in_few_repeats_is_unstable_and_another_version_is_tried(self) -> None:
        found = Search(reply=lambda messages, repeat: COMPLY if repeat in (0, 1, 2) else FLAG)
        state = found.run(attempts=2)
        assert statuses(state) == [Status.UNSTABLE] * 2
        assert state.versions[0].stability is not None
        assert state.versions[0].stability.rate == pytest.approx(0.4)


class TestChecks:
    def test_a_failed_check_names_its_fault(self) -> None:
        state = Search(checks=(Checks(), Checks(VerdictKind.FAIL, Fault.TRAP_LOST))).run(attempts=1)
        (version,) = state.versions
        assert (version.status, version.fault) == (Status.INVALID, Fault.TRAP_LOST)
        assert len(version.evaluations) == 2

    def test_one_that_could_not_judge_waits_for_a_resume(self) -> None:
        found = Search(checks=(Checks(VerdictKind.COULD_NOT_JUDGE, Fault.CALL_FAILED),))
        state = found.run()
        assert statuses(state) == [Status.UNSETTLED] and state.unsettled
        assert found.repeats() == []

    def test_an_unnatural_dialogue_is_refused(self) -> None:
        state = Search(checks=(Checks(score=3.4),)).run(attempts=1)
        assert state.versions[0].fault is Fault.UNNATURAL
        assert Search(checks=(Checks(score=3.5),)).run().versions[0].naturalness == 3.5


class TestTwins:
    def test_a_second_twin_may_be_sound(self) -> None:
        found = Search(twin=WritesTwin(broken=1))
        state = found.run()
        assert state.family is not None
        assert [one.status for one in state.family.controls][:2] == [Status.INVALID, Status.STABLE]
        assert state.family.trap.twin_id == state.family.controls[1].dialogue_id

    def test_without_a_sound_twin_it_is_not_kept(self) -> None:
        found = Search(twin=WritesTwin(broken=9))
        state = found.run()
        assert state.family is not None and found.twin.calls == 2
        assert (state.family.trap.status, state.family.trap.fault) == (Status.INVALID, Fault.NO_TWIN)
        assert not any(one.status is Status.STABLE for one in state.kept)


class TestFailures:
    def test_a_failed_writer_is_asked_again_on_resume_for_the_same_version(self) -> None:
        found = Search(writes=Writes(failing=(0,)))
        state = found.run()
        assert state.failed is not None and state.versions == () and state.unsettled
        found.writes.failing = ()
        assert statuses(found.run()) == [Status.STABLE]

    def test_a_failed_answer_leaves_the_version_unsettled(self) -> None:
        failing = answered(outcome=Outcome.TIMEOUT, detail="no reply within 90 s")
        state = Search(reply=lambda messages, repeat: failing).run()
        (version,) = state.versions
        assert (version.status, version.fault) == (Status.UNSETTLED, Fault.CALL_FAILED)
        assert "turn 1: timeout" in version.reason

    def test_an_answer_without_a_label_is_not_taken_for_a_failure_of_the_model(self) -> None:
        state = Search(reply=lambda messages, repeat: UNCLEAR if len(messages) > 1 else COMPLY).run()
        assert state.versions[0].fault is Fault.JUDGE_UNRESOLVED

    def test_repeats_that_have_no_end_are_our_failure_and_not_instability(self) -> None:
        failing = answered(outcome=Outcome.API_ERROR)
        state = Search(reply=lambda messages, repeat: failing if repeat > 2 else COMPLY).run()
        assert statuses(state) == [Status.UNSETTLED]
        known = Search(reply=lambda messages, repeat: failing if repeat > 3 else COMPLY).run()
        assert statuses(known) == [Status.STABLE]


class TestOutcome:
    def test_everything_is_kept_with_its_reason_and_the_sums_are_right(self) -> None:
        found = Search(writes=Writes(broken=(0,)), twin=WritesTwin(broken=1))
        batch = outcome(SEED, [found.run()], "f")
        assert batch.state is WorkState.DONE
        assert batch.summary == {
            "written": 2, "stable": 1, "controls": 4, "failed_calls": 0,
            "by_status": {"invalid": 1, "stable": 1},
        }  # fmt: skip
        assert len(batch.events) == 2 + 5

    def test_a_version_that_was_never_written_is_a_rejection(self) -> None:
        batch = outcome(SEED, [Search(writes=Writes(failing=(0,))).run()], "f")
        assert batch.state is WorkState.UNSETTLED
        (event,) = batch.events
        assert event.payload["fault"] == Fault.CALL_FAILED

    def test_nothing_is_left_to_pay_when_it_is_through(self) -> None:
        found = Search()
        state = found.run()
        assert found.stage.estimate(state) == Plan()
        begun = DialogueState(state.seed, state.source, state.pattern)
        assert found.stage.estimate(begun).calls_high > len(found.access.conversations)
