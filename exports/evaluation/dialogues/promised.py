"""Which rows an evaluation of dialogues writes."""

from __future__ import annotations

from exports.evaluation.dialogues.dialogue_set import DialogueSet
from exports.evaluation.models import judge_name, models_of
from exports.evaluation.target import RowKey
from salitrap.records.label_row import CONTROL
from salitrap.settings import Settings


def promised_turns(talks: DialogueSet, settings: Settings, repeats: int) -> set[RowKey]:
    """Keys of the rows that may come; a turn may also be held back, which loses nothing."""
    judge = judge_name(settings)
    return {
        (model.name, row.dialogue_id, CONTROL, repeat, turn, judge, talks.revision, model.setup)
        for model in models_of(settings)
        for row in talks.rows
        for repeat in range(repeats)
        for turn in range(1, len(row.dialogue.user_turns) + 1)
    }
