"""From a played turn and its labels to a label row."""

from __future__ import annotations

from curation.replay import PlayedTurn
from exports.dataset.dialogue_rows import PublishedDialogue
from exports.evaluation.dialogues.dialogue_set import DialogueSet
from exports.evaluation.label_rows import Asking, answer_fields, is_simulated, label_fields
from salitrap.dialogues import dialogue_fields
from salitrap.records.label_row import LabelRow


def turn_row(talks: DialogueSet, row: PublishedDialogue, asking: Asking, played: PlayedTurn) -> LabelRow:
    """Put the row of a turn together that was sent."""
    answered, labelled = played.answered, played.labelled
    assert answered is not None and labelled is not None
    return LabelRow(
        **dialogue_fields(row.dialogue, played.number),
        **answer_fields(asking, answered),
        **label_fields(asking, labelled),
        dataset=talks.name,
        dataset_revision=talks.revision,
        simulated=is_simulated(row.simulated, answered, labelled),
    )
