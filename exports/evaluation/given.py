"""Answers made elsewhere, one JSON object a line, and the items that they answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import ConfigDict, Field, ValidationError, model_validator

from exports.dataset.disk import disk_faults
from exports.evaluation.setup import Setup
from salitrap.errors import InputError
from salitrap.providers.wire.reasoning import split_thought
from salitrap.records.base import Record
from salitrap.records.enums import LabelStatus, Outcome
from salitrap.records.item import Item
from salitrap.records.label_row import CONTROL

SHOWN = 10
JUDGED = (LabelStatus.OK, LabelStatus.JUDGE_ERROR, LabelStatus.JUDGE_UNRESOLVED)


class GivenAnswer(Record):
    """One answer; unknown fields are passed over, so that label rows can be judged again.

    ``status`` tells why an answer is missing; whatever a judge said before is not looked at.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str = Field(min_length=1)
    item_id: str = Field(min_length=1)
    answer: str
    reasoning: str = ""
    detail: str = ""
    returned_model: str = ""
    answer_call: str = ""
    status: LabelStatus = LabelStatus.OK
    arm: str = CONTROL
    repeat: int = Field(default=0, ge=0)
    turn: int = Field(default=0, ge=0)
    temperature: float | None = None
    default_temperature: bool = False
    max_tokens: int | None = None
    endpoint_id: str = ""
    simulated: bool = False

    @model_validator(mode="before")
    @classmethod
    def _thought_apart(cls, row: object) -> object:
        """Split a think block off an answer whose reasoning is not given apart, as ``eval`` does."""
        if not isinstance(row, dict) or row.get("reasoning") or not isinstance(row.get("answer"), str):
            return row
        thought = split_thought(row["answer"])
        if thought.unfinished and row.get("status", LabelStatus.OK.value) == LabelStatus.OK.value:
            row = {**row, "status": LabelStatus.TRUNCATED.value, "detail": "it ends inside the think block"}
        return {**row, "answer": thought.text, "reasoning": thought.reasoning}

    @property
    def setup(self) -> Setup:
        """How the model was sampled, as far as the row says."""
        return Setup(self.temperature, self.max_tokens, self.endpoint_id)

    @property
    def outcome(self) -> Outcome:
        """How the call ended: an answer without text is empty, also when its row says ok."""
        if self.status not in JUDGED:
            return Outcome(self.status.value)
        return Outcome.OK if self.answer.strip() else Outcome.EMPTY


def read_answers(path: Path, items: Mapping[str, Item]) -> tuple[GivenAnswer, ...]:
    """Read a JSONL file of answers to ``items``; blank lines are passed over.

    Raises:
        InputError: the file cannot be read, or holds lines that are no answers, answer an unknown
            item, or repeat an earlier line; the first ten are named.
    """
    answers: list[GivenAnswer] = []
    faults: list[str] = []
    first_at: dict[tuple[str, str, str, int, int], int] = {}
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            given = _answer(line, items)
            at = first_at.setdefault(_key(given), number)
            if at != number:
                raise ValueError(f"the same model, item, arm, repeat and turn as line {at}")
            answers.append(given)
        except ValueError as error:
            faults.append(f"{path}:{number}: {error}")
    if faults:
        more = [f"and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
        raise InputError("\n".join([*faults[:SHOWN], *more]))
    if not answers:
        raise InputError(f"{path}: holds no answers")
    return tuple(answers)


def _key(given: GivenAnswer) -> tuple[str, str, str, int, int]:
    return given.model, given.item_id, given.arm, given.repeat, given.turn


def _lines(path: Path) -> list[str]:
    try:
        with disk_faults(path):
            text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    if text.lstrip().startswith("["):
        raise InputError(f"{path}: a JSON array; write one object a line instead (JSONL)")
    return text.split("\n")


def _answer(line: str, items: Mapping[str, Item]) -> GivenAnswer:
    try:
        given = GivenAnswer.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"field {where}: {first['msg']}" if where else first["msg"]) from error
    if given.item_id not in items and given.turn:
        raise ValueError(
            f"field turn: {given.turn}, a turn of a dialogue, which is judged with its conversation only; "
            "use salitrap eval --subset dialogues"
        )
    if given.item_id not in items:
        raise ValueError(f"field item_id: {given.item_id!r} is not in the dataset; give the right --dataset")
    return given
