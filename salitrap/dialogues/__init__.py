"""Multi-turn trap dialogues: records, rules, and the turn at which the task becomes impossible."""

from salitrap.dialogues.facts import feasible_after, first_infeasible, restored_at
from salitrap.dialogues.record import Dialogue, DialogueFact, Turn
from salitrap.dialogues.row_fields import dialogue_fields
from salitrap.dialogues.rules import DialogueFinding, dialogue_findings
from salitrap.dialogues.standing import Standing, standing_of
from salitrap.dialogues.states import Control, DialogueFault, Ended, Move, Pattern, Replay, Speaker, When
from salitrap.dialogues.twins import twin_findings

__all__ = [
    "Control",
    "Dialogue",
    "DialogueFact",
    "DialogueFault",
    "DialogueFinding",
    "Ended",
    "Move",
    "Pattern",
    "Replay",
    "Speaker",
    "Standing",
    "Turn",
    "When",
    "dialogue_fields",
    "dialogue_findings",
    "feasible_after",
    "first_infeasible",
    "restored_at",
    "standing_of",
    "twin_findings",
]
