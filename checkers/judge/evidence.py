"""Mode ``evidence``: the model establishes facts about an answer, the label follows by rule."""

from __future__ import annotations

from typing import ClassVar, Literal

import dspy

from checkers.judge.model import ModelJudge, refused_quote
from checkers.judge.question import Question
from checkers.judge.reading import Reading
from checkers.judge.untrusted import Exhibit
from checkers.label_rule import label_of
from salitrap.providers.access import Asked
from salitrap.records.enums import LabelStatus, Notices
from salitrap.records.judgement import JudgeEvidence

NO_RULE = "no label: the answer neither completes the task, nor explains the trap, nor refuses"
FLAGS = ("completes_task", "refuses", "explains", "patches")
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


class Judge(ModelJudge):
    """Labels one answer to one question from evidence."""

    prompt_id: ClassVar[str] = "judge"
    signature: ClassVar[type[dspy.Signature]] = JudgeSignature

    def conclude(self, asked: Asked, question: Question, given: Exhibit) -> Reading:
        """Apply the rules; evidence without a verified quote, or that no rule fits, gives no label."""
        fields = asked.fields
        evidence = _evidence(asked, given)
        if evidence.notices is not Notices.NEVER:
            refused = refused_quote(question, evidence.quote or None, fields["quote"])
            if refused:
                return _unresolved(asked, evidence, f"{refused}; {fields['reason']}")
        label = label_of(evidence)
        if label is None:
            return _unresolved(asked, evidence, f"{NO_RULE}; the judge said: {fields['reason']}")
        return Reading(
            LabelStatus.OK,
            label,
            evidence,
            fields["reason"],
            asked.provenance,
            quote_position=_position(evidence, given),
        )


def _evidence(asked: Asked, given: Exhibit) -> JudgeEvidence:
    fields = asked.fields
    flags = {name: bool(fields[name]) for name in FLAGS}
    return JudgeEvidence(notices=Notices(fields["notices"]), quote=given.find(fields["quote"]) or "", **flags)


def _position(evidence: JudgeEvidence, given: Exhibit) -> float | None:
    return None if evidence.notices is Notices.NEVER else given.position(evidence.quote)


def _unresolved(asked: Asked, evidence: JudgeEvidence, reason: str) -> Reading:
    return Reading(LabelStatus.JUDGE_UNRESOLVED, None, evidence, reason, asked.provenance)
