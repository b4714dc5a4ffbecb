"""Evaluation of multi-turn dialogues: played with the replay engine of construction, a row a turn."""

from exports.evaluation.dialogues.dialogue_set import DialogueSet, load_dialogues
from exports.evaluation.dialogues.estimate import plan_dialogue_evaluation
from exports.evaluation.dialogues.promised import promised_turns
from exports.evaluation.dialogues.run import evaluate_dialogues

__all__ = [
    "DialogueSet",
    "evaluate_dialogues",
    "load_dialogues",
    "plan_dialogue_evaluation",
    "promised_turns",
]
