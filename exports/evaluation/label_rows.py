"""From an item, an answer and its labels to a label row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from checkers.judge import Labelled, Question
from exports.evaluation.evalset import Evalset
from exports.evaluation.setup import Model
from salitrap.providers.access import Answered
from salitrap.records.item import Item
from salitrap.records.label_row import CONTROL, LabelRow
from salitrap.records.provenance import Provenance


@dataclass(frozen=True, slots=True)
class Asking:
    """Which answer a row is about, beside the item."""

    model: Model
    judge: str
    repeat: int
    arm: str = CONTROL
    turn: int = 0


def question_of(item: Item) -> Question:
    """What the judge gets to know of an item."""
    return Question(item.prompt, item.trap_core, item.ground_truth, item.language)


def row_of(evalset: Evalset, item: Item, asking: Asking, answered: Answered, labelled: Labelled) -> LabelRow:
    """Put a row together; ``simulated`` when the lab answered, judged, or helped to make the item."""
    return LabelRow(
        item_id=item.item_id,
        seed_id=item.seed_id,
        dimension_tag=item.dimension_tag,
        turn=asking.turn,
        language=item.language,
        number_count=len(item.injected_numbers),
        dataset=evalset.name,
        dataset_revision=evalset.revision,
        simulated=is_simulated(item.simulated, answered, labelled),
        **answer_fields(asking, answered),
        **label_fields(asking, labelled),
    )


def answer_fields(asking: Asking, answered: Answered) -> dict[str, Any]:
    """Who answered, how it was asked, and what it said."""
    return {
        "model": asking.model.name,
        "arm": asking.arm,
        "repeat": asking.repeat,
        "answer": answered.text,
        "reasoning": answered.reasoning,
        "detail": answered.detail,
        "returned_model": answered.provenance.returned_model,
        "answer_call": answered.provenance.call_key,
        "temperature": asking.model.setup.temperature,
        "default_temperature": answered.default_temperature,
        "max_tokens": asking.model.setup.max_tokens,
        "endpoint_id": asking.model.setup.endpoint_id,
    }


def label_fields(asking: Asking, labelled: Labelled) -> dict[str, Any]:
    """Who judged, and what it found."""
    visible = labelled.visible
    judged = visible.provenance or Provenance(model="")
    return {
        "status": visible.status,
        "label": visible.label,
        "label_full": labelled.label_full,
        "late_notice": labelled.late_notice,
        "judge": asking.judge,
        "judge_prompt": judged.prompt,
        "judge_call": judged.call_key or visible.failed_call,
        "quote": visible.quote,
        "quote_position": visible.quote_position,
        "reason": labelled.reason,
        "second_label": labelled.second_label,
        "votes": labelled.votes,
        "agreement": labelled.agreement,
    }


def is_simulated(made: bool, answered: Answered, labelled: Labelled) -> bool:
    """True when the lab answered, judged, or helped to make (``made``) what was asked."""
    judges = [labelled.visible.provenance, *(vote.provenance for vote in labelled.votes)]
    return made or answered.provenance.simulated or any(one and one.simulated for one in judges)
