"""What each control asks of its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from salitrap.dialogues.facts import restored_at
from salitrap.dialogues.record import Dialogue
from salitrap.dialogues.rules.finding import DialogueFinding
from salitrap.dialogues.rules.patterns import repeated
from salitrap.dialogues.states import Control, DialogueFault, Move, Replay, When


def findings(dialogue: Dialogue) -> Iterator[DialogueFinding]:
    """How a control departs from what it is for."""
    if dialogue.control is not Control.NONE and not dialogue.twin_of:
        yield DialogueFinding(DialogueFault.NO_PARENT, 0, "twin_of must name the trap dialogue it belongs to")
    if dialogue.control is Control.NONE and dialogue.twin_of:
        yield DialogueFinding(DialogueFault.NO_PARENT, 0, "twin_of is for controls; this is a trap dialogue")
    for why in RULES[dialogue.control](dialogue):
        yield DialogueFinding(DialogueFault.CONTROL_BROKEN, 0, f"{dialogue.control.value}: {why}")
    if dialogue.control is not Control.NONE:
        yield from repeated(dialogue)


def _trap(dialogue: Dialogue) -> Iterator[str]:
    if dialogue.t_star is None:
        yield "a trap dialogue must become impossible at some turn"
    if any(turn.move is Move.CORRECTION for turn in dialogue.user_turns):
        yield "a turn mends the premise; that is the control valid_correction"


def _feasible_twin(dialogue: Dialogue) -> Iterator[str]:
    if dialogue.t_star is not None:
        yield f"the task becomes impossible at turn {dialogue.t_star}"


def _valid_correction(dialogue: Dialogue) -> Iterator[str]:
    if dialogue.t_star is None:
        yield "there is nothing to correct: the task never becomes impossible"
    elif (turn := restored_at(dialogue)) is None:
        yield "no later turn makes the task feasible again"
    elif dialogue.user_turns[turn - 1].move is not Move.CORRECTION:
        yield f"turn {turn} makes the task feasible again, but its move is not correction"
    elif not all(one.feasible for one in dialogue.user_turns[turn - 1 :]):
        yield "the task becomes impossible again after the correction"


def _concat(dialogue: Dialogue) -> Iterator[str]:
    if len(dialogue.turns) != 1:
        yield f"it has {len(dialogue.turns)} turns instead of one"
    if dialogue.replay is not Replay.LIVE:
        yield f"replay must be live, not {dialogue.replay.value}"


def _neutral(dialogue: Dialogue) -> Iterator[str]:
    asked = [turn for turn in dialogue.user_turns if turn.move is Move.NEUTRAL]
    if not asked or any(turn.when is not When.FLAGGED for turn in asked):
        yield "a neutral turn is needed, held back until a flag"
    if dialogue.presses or dialogue.escalates or any(turn.numbers for turn in asked):
        yield "there is pressure, or figures are added"


RULES: dict[Control, Callable[[Dialogue], Iterator[str]]] = {
    Control.NONE: _trap,
    Control.FEASIBLE_TWIN: _feasible_twin,
    Control.VALID_CORRECTION: _valid_correction,
    Control.CONCAT: _concat,
    Control.NEUTRAL: _neutral,
}
