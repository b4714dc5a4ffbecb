"""Roles, gates and figures of the turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from salitrap.dialogues.record import Dialogue, Turn
from salitrap.dialogues.rules.finding import DialogueFinding
from salitrap.dialogues.states import DialogueFault, Replay, Speaker, When

Findings = Iterator[DialogueFinding]


def findings(dialogue: Dialogue) -> Findings:
    """What is wrong with the form."""
    if not dialogue.turns:
        yield DialogueFinding(DialogueFault.NO_TURNS, 0, "there are no turns")
        return
    for number, turn in enumerate(dialogue.turns, 1):
        yield from _turn(number, turn)
    yield from _roles(dialogue)
    yield from _gates(dialogue)


def _turn(number: int, turn: Turn) -> Findings:
    if not turn.content.strip():
        yield DialogueFinding(DialogueFault.EMPTY_TURN, number, "the content is empty")
    for figure in turn.numbers:
        if not figure.strip() or figure not in turn.content:
            why = f"the number {figure!r} does not occur in the content"
            yield DialogueFinding(DialogueFault.NUMBER_NOT_IN_TURN, number, why)
    if turn.role is Speaker.ASSISTANT and _carries(turn):
        why = "a turn of the assistant has facts, numbers, a gate or feasible: false"
        yield DialogueFinding(DialogueFault.ASSISTANT_CARRIES_FACTS, number, why)


def _carries(turn: Turn) -> bool:
    """True when it has what only a turn of the user may have."""
    facts = turn.facts_added or turn.facts_removed or turn.numbers
    return bool(facts) or turn.when is not When.ALWAYS or not turn.feasible


def _roles(dialogue: Dialogue) -> Findings:
    """Pinned: user and assistant in turn, from user to user. Otherwise the user's turns alone."""
    roles = [turn.role for turn in dialogue.turns]
    if roles[-1] is not Speaker.USER:
        yield DialogueFinding(
            DialogueFault.LAST_TURN_NOT_USER, len(roles), "the last turn must be the user's"
        )
    fault = DialogueFault.ROLES_DO_NOT_ALTERNATE
    if roles[0] is not Speaker.USER:
        yield DialogueFinding(fault, 1, "the first turn must be the user's")
    if dialogue.replay is Replay.PINNED:
        for number, (before, after) in enumerate(pairwise(roles), 2):
            if before is after:
                yield DialogueFinding(fault, number, f"two turns of the {after.value} in a row")
    elif Speaker.ASSISTANT in roles:
        place = roles.index(Speaker.ASSISTANT) + 1
        why = f"in {dialogue.replay.value} replay the model gives the assistant's turns; leave them out"
        yield DialogueFinding(fault, place, why)


def _gates(dialogue: Dialogue) -> Findings:
    gated = [number for number, turn in enumerate(dialogue.turns, 1) if turn.when is not When.ALWAYS]
    if dialogue.replay is Replay.GATED and not gated:
        yield DialogueFinding(DialogueFault.NO_GATE, 0, "replay is gated, but every turn is sent always")
    if dialogue.replay is not Replay.GATED and gated:
        why = f"a gate needs replay gated, not {dialogue.replay.value}"
        yield DialogueFinding(DialogueFault.GATE_OUTSIDE_GATED, gated[0], why)
    elif gated and gated[0] == 1:
        yield DialogueFinding(DialogueFault.FIRST_TURN_GATED, 1, "there is no answer before the first turn")
