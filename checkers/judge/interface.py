"""What every judge can do, whatever is behind it: a model, a panel of models, rules."""

from __future__ import annotations

from typing import Protocol

from checkers.judge.question import Question
from checkers.judge.reading import Labelled, Reading
from salitrap.providers.access import Access, Answered
from salitrap.records.candidate import Candidate
from salitrap.records.enums import LabelStatus, Outcome
from salitrap.records.judgement import Judgement
from salitrap.records.seed import Seed


class AnswerJudge(Protocol):
    """Labels one answer to one question."""

    async def label(
        self, access: Access, question: Question, answered: Answered, *, repeat: int = 0, slot: int = 0
    ) -> Labelled:
        """Label ``answered``; an answer that is not ok keeps its outcome as status, without a call.

        Raises:
            StoppedError: the run cannot go on.
        """
        ...


class JudgesCandidates:
    """Adds to an ``AnswerJudge`` what the construction of items needs."""

    async def judge(
        self: AnswerJudge,
        access: Access,
        seed: Seed,
        candidate: Candidate,
        answered: Answered,
        *,
        repeat: int = 0,
        slot: int = 0,
    ) -> Judgement:
        """Label an answer to a candidate; see ``AnswerJudge.label``.

        Raises:
            StoppedError: the run cannot go on.
        """
        question = Question(candidate.prompt, seed.trap_core, seed.ground_truth, seed.language)
        labelled = await self.label(access, question, answered, repeat=repeat, slot=slot)
        return _judgement(candidate, repeat, labelled)


def not_judged(answered: Answered) -> Labelled | None:
    """What stands for an answer that did not arrive whole: its outcome; None when it can be judged."""
    if answered.outcome is Outcome.OK:
        return None
    return Labelled(Reading(LabelStatus(answered.outcome.value), reason=answered.detail), None)


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
        direct_quote=visible.direct_quote,
        quote_position=visible.quote_position,
        reason=labelled.reason,
        provenance=visible.provenance,
        votes=labelled.votes,
        agreement=labelled.agreement,
        second_label=labelled.second_label,
    )
