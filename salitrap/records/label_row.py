"""One labelled answer of an evaluation: what ``judge`` writes and ``analyze`` reads, one JSON a line."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from salitrap.dialogues.states import Control, Move, Pattern, Replay
from salitrap.records.base import Record
from salitrap.records.enums import Label, LabelStatus, Language
from salitrap.records.judgement import Vote

CONTROL = "control"
"""The arm without an intervention: the item's prompt as it is."""

MOST = 1_000_000
"""Largest repeat, turn and density that a row may state."""


def _plain(name: str) -> str:
    if not name.isprintable():
        raise ValueError("it has control or invisible characters")
    if name != name.strip():
        raise ValueError("it has white space at its start or end")
    return name


Name = Annotated[str, AfterValidator(_plain)]
"""A text that names something in tables and files: one line, nothing invisible, no white space around it."""


class LabelRow(Record):
    """An answer of one model to one item, or to one user turn of a dialogue, and its label.

    Only the first six fields are needed; the others take their defaults, and unknown ones are passed
    over, so that rows of other tools can be analysed. ``label`` is from the visible answer alone,
    ``label_full`` with the exposed reasoning; both are null unless ``status`` is ok. ``repeat`` counts from
    0. ``turn`` is the user turn of a dialogue, from 1, with the dialogue's id as ``item_id``; 0 is an answer
    to an item. A turn that was not sent has no row. ``number_count`` is the density |n|. ``quote_position``
    is the place of the judge's quote in the answer, as a share from 0 (start) to 1 (end). ``answer_call``
    and ``judge_call`` are keys of the journal. ``temperature`` was asked for; with ``default_temperature``
    the endpoint took none, and the model's own applied. ``votes`` has one entry a judge where a panel
    judged, and ``agreement`` the share of them behind the commonest label. ``second_label`` is what the
    rules say beside a model.

    The fields from ``pattern`` on are for rows of dialogues, so that a file of rows is enough to analyse
    them: ``turns`` is the number of user turns of the dialogue, sent or not; ``t_star`` the first at which
    the task is impossible, null when it never is; ``feasible`` says whether it is possible at this turn
    (null: before ``t_star`` it is, from there on it is not); ``move`` is what this turn does. ``escalates``
    and ``presses`` say whether the dialogue adds figures after a flag, and whether it has social pressure.
    ``source_id`` is the candidate or item that the dialogue was made from.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: Name = Field(min_length=1)
    item_id: Name = Field(min_length=1)
    seed_id: Name = Field(min_length=1)
    dimension_tag: Name = Field(min_length=1)
    status: LabelStatus
    label: Label | None = None
    label_full: Label | None = None
    late_notice: bool = False
    arm: Name = Field(default=CONTROL, min_length=1)
    repeat: int = Field(default=0, ge=0, le=MOST)
    turn: int = Field(default=0, ge=0, le=MOST)
    language: Language | None = None
    number_count: int | None = Field(default=None, ge=0, le=MOST)
    dataset: str = ""
    dataset_revision: Name = ""
    judge: Name = ""
    judge_prompt: str = ""
    quote: str = ""
    quote_position: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    reason: str = ""
    answer: str = ""
    reasoning: str = ""
    detail: str = ""
    returned_model: str = ""
    answer_call: str = ""
    judge_call: str = ""
    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    default_temperature: bool = False
    max_tokens: int | None = Field(default=None, ge=1)
    endpoint_id: Name = ""
    simulated: bool = False
    second_label: Label | None = None
    votes: tuple[Vote, ...] = ()
    agreement: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    pattern: Pattern | None = None
    control: Control = Control.NONE
    replay: Replay | None = None
    twin_of: Name = ""
    source_id: Name = ""
    t_star: int | None = Field(default=None, ge=1, le=MOST)
    turns: int | None = Field(default=None, ge=1, le=MOST)
    feasible: bool | None = None
    move: Move | None = None
    escalates: bool = False
    presses: bool = False

    @model_validator(mode="after")
    def _labelled_exactly_when_ok(self) -> Self:
        if self.status is LabelStatus.OK and self.label is None:
            raise ValueError("status is ok, so label must be given")
        if self.status is not LabelStatus.OK and (self.label or self.label_full):
            raise ValueError(f"status is {self.status.value}, so label and label_full must be null")
        return self
