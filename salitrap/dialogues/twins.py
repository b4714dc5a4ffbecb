"""What a feasible twin shares with its trap dialogue: everything but the decisive fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from salitrap.dialogues.record import Dialogue, Turn
from salitrap.dialogues.rules.finding import DialogueFinding
from salitrap.dialogues.states import DialogueFault
from salitrap.text import numeral_values


def twin_findings(trap: Dialogue, twin: Dialogue) -> tuple[DialogueFinding, ...]:
    """How ``twin`` departs from ``trap`` beyond the decisive fact; () when it is a true twin."""
    return tuple(_family(trap, twin)) or tuple(_shape(trap, twin)) or tuple(_texts(trap, twin))


def _family(trap: Dialogue, twin: Dialogue) -> Iterator[DialogueFinding]:
    if twin.twin_of != trap.dialogue_id or twin.seed_id != trap.seed_id:
        why = f"it is the twin of {twin.twin_of or 'nothing'}, not of {trap.dialogue_id}"
        yield DialogueFinding(DialogueFault.TWIN_OF_ANOTHER, 0, why)


def _shape(trap: Dialogue, twin: Dialogue) -> Iterator[DialogueFinding]:
    if len(trap.turns) != len(twin.turns):
        why = f"{len(twin.turns)} turns against {len(trap.turns)}"
        yield DialogueFinding(DialogueFault.TWIN_TURNS_DIFFER, 0, why)
        return
    for number, (one, other) in enumerate(zip(trap.turns, twin.turns, strict=True), 1):
        if (one.role, one.when, one.move) != (other.role, other.when, other.move):
            why = "role, gate or move is another one"
            yield DialogueFinding(DialogueFault.TWIN_TURNS_DIFFER, number, why)
        if _values(one) != _values(other):
            why = f"numbers {list(other.numbers)} against {list(one.numbers)}"
            yield DialogueFinding(DialogueFault.TWIN_NUMBERS_DIFFER, number, why)


def _values(turn: Turn) -> Counter[str]:
    """The listed numbers by value: 3.5 and 三点五 are the same; one without a numeral counts as written."""
    return Counter(value for entry in turn.numbers for value in numeral_values(entry) or (entry,))


def _texts(trap: Dialogue, twin: Dialogue) -> Iterator[DialogueFinding]:
    """Texts may differ only in turns that state a fact of a condition."""
    decisive = {key for condition in trap.infeasible_when for key in condition}
    changed = False
    for number, (one, other) in enumerate(zip(trap.turns, twin.turns, strict=True), 1):
        if one.content == other.content:
            continue
        changed = True
        if not decisive.intersection(one.facts_added):
            why = "the text is another one, though the turn states no decisive fact"
            yield DialogueFinding(DialogueFault.TWIN_TEXT_DIFFERS, number, why)
    if not changed:
        why = "the texts are the same, so the premise cannot be another one"
        yield DialogueFinding(DialogueFault.TWIN_IDENTICAL, 0, why)
