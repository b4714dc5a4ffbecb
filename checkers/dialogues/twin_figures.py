"""A feasible twin has the figures of its trap dialogue, turn by turn.

What it checks
    The figures in the text of each turn as multisets of values, whatever the notation (3.5, 三点五), listed
    or not.

Why it matters
    A twin with other figures differs in two things, and nobody knows which of them made the model answer.

Known blind spots
    A figure may be kept and belong to another quantity.

Example kept
    "2 boxes of 3.5 kg" beside "3.5 kg in each of the 2 boxes"

Example rejected
    "2 boxes of 3.5 kg" beside "2 boxes of 4 kg"
"""

from __future__ import annotations

from checkers.dialogues.base import Findings, TwinGuard
from salitrap.dialogues import Dialogue, DialogueFault, DialogueFinding
from salitrap.text import numeral_counts


def find(trap: Dialogue, twin: Dialogue) -> Findings:
    """Turns whose figures differ; turns are compared place by place."""
    for place, (one, other) in enumerate(zip(trap.turns, twin.turns, strict=False), 1):
        before, after = numeral_counts(one.content), numeral_counts(other.content)
        if before != after:
            lost, added = sorted((before - after).elements()), sorted((after - before).elements())
            why = f"figures missing: {', '.join(lost) or 'none'}; added: {', '.join(added) or 'none'}"
            yield DialogueFinding(DialogueFault.TWIN_NUMBERS_DIFFER, place, why)


GUARD = TwinGuard("twin_figures", (DialogueFault.TWIN_NUMBERS_DIFFER,), find)
