"""What the two judges that ask a model share: two readings, one more try, no label from a failed call."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from checkers.judge.interface import JudgesCandidates, not_judged
from checkers.judge.question import Question
from checkers.judge.reading import Labelled, Reading
from checkers.judge.untrusted import LONGEST, Exhibit, exhibit
from checkers.quotes import find_quote
from prompts.program import Program
from salitrap.errors import CallFailed
from salitrap.providers.access import Access, Answered, Asked
from salitrap.records.enums import LabelStatus, Role

REASK_OFFSET = 1000


class ModelJudge(Program, JudgesCandidates):
    """Asks a model about the visible answer, and about the answer with its reasoning where there is any."""

    role: ClassVar[Role] = Role.JUDGE

    async def label(
        self, access: Access, question: Question, answered: Answered, *, repeat: int = 0, slot: int = 0
    ) -> Labelled:
        """Label ``answered``; see ``AnswerJudge.label``.

        Raises:
            StoppedError: the run cannot go on.
        """
        if (ended := not_judged(answered)) is not None:
            return ended
        visible = await self._read(access, question, exhibit(answered.text), repeat, slot)
        if not answered.reasoning.strip():
            return Labelled(visible, visible)
        whole = exhibit(answered.text, answered.reasoning)
        return Labelled(visible, await self._read(access, question, whole, repeat, slot))

    @abstractmethod
    def conclude(self, asked: Asked, question: Question, given: Exhibit) -> Reading:
        """Turn a reply into a reading of ``given``."""

    async def _read(
        self, access: Access, question: Question, given: Exhibit, repeat: int, slot: int
    ) -> Reading:
        """Judge one text; a reply that does not decide is asked for again once, as another repeat."""
        if given.too_long:
            return Reading(LabelStatus.JUDGE_ERROR, reason=_too_long(given))
        reading = Reading(LabelStatus.JUDGE_UNRESOLVED)
        for index in (repeat, repeat + REASK_OFFSET):
            try:
                asked = await self.ask(
                    access, question.language, slot=slot, repeat=index, answer=given.shown, **question.inputs
                )
            except CallFailed as error:
                return Reading(LabelStatus.JUDGE_ERROR, reason=str(error), failed_call=error.key)
            reading = self.conclude(asked, question, given)
            if reading.label is not None:
                break
        return reading


def refused_quote(question: Question, span: str | None, quote: str) -> str:
    """Why a quote proves no notice: not in the answer, or only the request repeated; "" when it does."""
    if span is None:
        return f"quote does not occur in the answer: {quote!r}"
    if find_quote(question.prompt, span) is not None:
        return f"quote only repeats the request: {quote!r}"
    return ""


def _too_long(given: Exhibit) -> str:
    return (
        f"the text has {len(given.original):,} characters and a judge is shown {LONGEST:,} at most: "
        "not cut, not judged"
    )
