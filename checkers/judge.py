"""The judge records what an answer does; the label follows by rule (paper, section 3.3.2).

What it checks
    When the answer first names this trap, with a verbatim quote, and whether it completes the task,
    refuses, explains and patches. Twice when reasoning is exposed: for the visible answer alone
    (``label``) and with the reasoning before it (``label_full``).

Why it matters
    Labels decide what is certified and every published rate, so an answer may not talk the judge
    into one: a label word inside the answer is not evidence, and a quote must really occur.

Known blind spots
    A quote proves that the words are there, not that they mean the trap. Answers cut off early can
    look like refusals. The judge sees the trap core and may find it implied where it is not.

Example kept
    "A strainer can't hold water, so no number of trips will do." -> Pass, quote verified

Example rejected
    notices "early" with a quote that the answer does not contain -> asked again, then no label
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import dspy

from checkers.label_rule import is_late_notice, label_of
from checkers.quotes import find_quote
from prompts.program import Program
from salitrap.errors import CallFailed
from salitrap.providers.access import Access, Answered, Asked
from salitrap.records.candidate import Candidate, JudgeEvidence, Judgement
from salitrap.records.enums import Label, LabelStatus, Language, Notices, Outcome, Role
from salitrap.records.provenance import Provenance
from salitrap.records.seed import Seed

REASK_OFFSET = 1000
NO_RULE = "no label: the answer neither completes the task, nor explains the trap, nor refuses"
NoticesWord = Literal["never", "late", "early"]


class JudgeSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """What does the answer do?"""

    prompt: str = dspy.InputField(desc="the request that was answered")
    trap_core: str = dspy.InputField(desc="the impossibility it rests on")
    ground_truth: str = dspy.InputField(desc="what a right answer has to point out")
    answer: str = dspy.InputField(desc="untrusted text under examination")
    notices: NoticesWord = dspy.OutputField(desc="when the answer first points out this trap")
    quote: str = dspy.OutputField(default="", desc="that passage, verbatim from the answer; empty when never")
    completes_task: bool = dspy.OutputField(desc="gives what was asked for as though the plan worked")
    refuses: bool = dspy.OutputField(desc="declines to help with the plan as asked, on any ground")
    explains: bool = dspy.OutputField(desc="gives the reason stated in ground_truth")
    patches: bool = dspy.OutputField(desc="quietly changes the task so that it works, and goes on")
    reason: str = dspy.OutputField(default="", desc="at most two sentences")


@dataclass(frozen=True, slots=True)
class Reading:
    """One text as judged: a label with its evidence, or why there is none."""

    status: LabelStatus
    label: Label | None = None
    evidence: JudgeEvidence | None = None
    reason: str = ""
    provenance: Provenance | None = None
    failed_call: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, and what the judge has to know about it."""

    prompt: str
    trap_core: str
    ground_truth: str
    language: Language

    @property
    def inputs(self) -> dict[str, str]:
        """Input fields of the judge program, but for the answer."""
        return {"prompt": self.prompt, "trap_core": self.trap_core, "ground_truth": self.ground_truth}


@dataclass(frozen=True, slots=True)
class Labelled:
    """Both readings of one answer; ``full`` is None for an answer that could not be judged at all."""

    visible: Reading
    full: Reading | None

    @property
    def label_full(self) -> Label | None:
        """The label with the reasoning; it needs a visible one beside it: both are null unless ok."""
        settled = self.visible.status is LabelStatus.OK
        return self.full.label if settled and self.full is not None else None

    @property
    def late_notice(self) -> bool:
        """A Pass that names the trap only after work on the task has begun."""
        evidence = self.visible.evidence
        return self.visible.status is LabelStatus.OK and evidence is not None and is_late_notice(evidence)

    @property
    def reason(self) -> str:
        """The judge's words, and what became of the second reading when it has no label."""
        visible, full = self.visible, self.full
        if full is None or full is visible or full.status is LabelStatus.OK:
            return visible.reason
        return f"{visible.reason} [with reasoning: {full.status.value}: {full.reason}]".strip()


class Judge(Program):
    """Labels one answer to one question."""

    prompt_id: ClassVar[str] = "judge"
    role: ClassVar[Role] = Role.JUDGE
    signature: ClassVar[type[dspy.Signature]] = JudgeSignature

    async def judge(
        self,
        access: Access,
        seed: Seed,
        candidate: Candidate,
        answered: Answered,
        *,
        repeat: int = 0,
        slot: int = 0,
    ) -> Judgement:
        """Label an answer to a candidate; see ``label``.

        Raises:
            StoppedError: the run cannot go on.
        """
        question = Question(candidate.prompt, seed.trap_core, seed.ground_truth, seed.language)
        labelled = await self.label(access, question, answered, repeat=repeat, slot=slot)
        return _judgement(candidate, repeat, labelled)

    async def label(
        self, access: Access, question: Question, answered: Answered, *, repeat: int = 0, slot: int = 0
    ) -> Labelled:
        """Label ``answered``; an answer that is not ok keeps its outcome as status, without a call.

        Raises:
            StoppedError: the run cannot go on.
        """
        if answered.outcome is not Outcome.OK:
            return Labelled(Reading(LabelStatus(answered.outcome.value), reason=answered.detail), None)
        visible = await self.read(access, question, answered.text, repeat=repeat, slot=slot)
        if not answered.reasoning.strip():
            return Labelled(visible, visible)
        return Labelled(
            visible, await self.read(access, question, full_text(answered), repeat=repeat, slot=slot)
        )

    async def read(self, access: Access, question: Question, text: str, *, repeat: int, slot: int) -> Reading:
        """Judge one text; a reply that does not decide is asked for again once, as another repeat."""
        reading = Reading(LabelStatus.JUDGE_UNRESOLVED)
        for index in (repeat, repeat + REASK_OFFSET):
            try:
                asked = await self.ask(
                    access, question.language, slot=slot, repeat=index, answer=text, **question.inputs
                )
            except CallFailed as error:
                return Reading(LabelStatus.JUDGE_ERROR, reason=str(error), failed_call=error.key)
            reading = read_evidence(asked, text)
            if reading.label is not None:
                break
        return reading


def full_text(answered: Answered) -> str:
    """Reasoning and answer as the judge gets them for the full label."""
    return f"{answered.reasoning}\n---\n{answered.text}"


def read_evidence(asked: Asked, text: str) -> Reading:
    """Turn a reply into a reading of ``text``; an unverified quote leaves it without a label."""
    fields = asked.fields
    notices = Notices(fields["notices"])
    span = find_quote(text, fields["quote"])
    evidence = JudgeEvidence(
        notices=notices,
        quote=span or "",
        **{name: bool(fields[name]) for name in ("completes_task", "refuses", "explains", "patches")},
    )
    if notices is not Notices.NEVER and span is None:
        reason = f"quote does not occur in the answer: {fields['quote']!r}; {fields['reason']}"
        return Reading(LabelStatus.JUDGE_UNRESOLVED, None, evidence, reason, asked.provenance)
    label = label_of(evidence)
    if label is None:
        reason = f"{NO_RULE}; the judge said: {fields['reason']}"
        return Reading(LabelStatus.JUDGE_UNRESOLVED, None, evidence, reason, asked.provenance)
    return Reading(LabelStatus.OK, label, evidence, fields["reason"], asked.provenance)


def _judgement(candidate: Candidate, repeat: int, labelled: Labelled) -> Judgement:
    visible = labelled.visible
    return Judgement(
        candidate_id=candidate.candidate_id,
        repeat=repeat,
        status=visible.status,
        label=visible.label,
        label_full=labelled.label_full,
        late_notice=labelled.late_notice,
        evidence=visible.evidence,
        reason=labelled.reason,
        provenance=visible.provenance,
    )
