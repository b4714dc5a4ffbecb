"""What gold files of answers look like, field by field."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from checkers.gold.records import PLAIN
from salitrap.records import JudgeEvidence
from salitrap.records.base import Record
from salitrap.records.enums import Label, Language, Notices

Text = Annotated[str, Field(min_length=1)]
MaybeText = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


def _not_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("string_too_short", "is blank")
    return text


AnswerText = Annotated[Text, AfterValidator(_not_blank)]
"""Blanks alone are as empty as nothing."""


class EvidenceForm(Record):
    """Evidence as authored; an empty quote may be written as nothing."""

    notices: Notices
    quote: MaybeText = ""
    completes_task: bool
    refuses: bool
    explains: bool
    patches: bool

    def record(self) -> JudgeEvidence:
        """The judge's record of the same."""
        return JudgeEvidence(**self.model_dump())


class AnswerForm(Record):
    """One answer of a YAML file."""

    key: Text
    kind: Text = PLAIN
    label: Label
    evidence: EvidenceForm | None = None
    rationale: MaybeText = ""
    text: AnswerText


class QuestionForm(Record):
    """One question of a YAML file with its answers."""

    key: Text
    prompt: Text
    trap_core: Text
    ground_truth: Text
    answers: tuple[AnswerForm, ...] = Field(min_length=1)


class AnswersForm(Record):
    """A YAML file: the answers to questions of one dimension in one language."""

    dimension_tag: Text
    language: Language
    labelled_by: Text
    questions: tuple[QuestionForm, ...] = Field(min_length=1)


class LineForm(Record):
    """One line of a JSONL file: one reviewer's label of one answer."""

    answer_id: Text
    prompt: Text
    trap_core: Text
    ground_truth: Text
    language: Language
    dimension_tag: Text
    answer: AnswerText
    label: Label
    labelled_by: Text
    rationale: MaybeText = ""
    quote: MaybeText = ""
    evidence: EvidenceForm | None = None
    question: MaybeText = ""
    kind: Text = PLAIN
