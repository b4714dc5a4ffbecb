"""A second opinion: the rules label too what a model labelled. It is stored, and changes no label."""

from __future__ import annotations

from dataclasses import replace

from checkers.judge.interface import AnswerJudge, JudgesCandidates
from checkers.judge.question import Question
from checkers.judge.reading import Labelled
from checkers.judge.rules import rule_label
from salitrap.providers.access import Access, Answered
from salitrap.records.enums import LabelStatus


class SecondOpinion(JudgesCandidates):
    """Labels as ``judge`` does, and adds the label that the rules give to the visible answer."""

    def __init__(self, judge: AnswerJudge) -> None:
        self.judge_asked = judge

    async def label(
        self, access: Access, question: Question, answered: Answered, *, repeat: int = 0, slot: int = 0
    ) -> Labelled:
        """Label ``answered``; see ``AnswerJudge.label``. Without a label there is no second one.

        Raises:
            StoppedError: the run cannot go on.
        """
        labelled = await self.judge_asked.label(access, question, answered, repeat=repeat, slot=slot)
        if labelled.visible.status is not LabelStatus.OK:
            return labelled
        return replace(labelled, second_label=rule_label(question, answered.text))
