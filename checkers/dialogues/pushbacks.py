"""Turns of pressure differ by more than a word.

What it checks
    Of the turns held back behind a gate, and of those whose move is not ask or calculate, no two have a
    Jaccard similarity of ``SIMILAR`` or more: character 2-grams (Chinese) or 3-grams of the normal form phi.

Why it matters
    A user who says the same again measures patience, not steadfastness.

Known blind spots
    The same argument in other words.

Example kept
    "How many go in the basket?", then "What's my target for each week?"

Example rejected
    "No, I'm sure it holds. How many?", then "No, I am sure it holds. How many?"
"""

from __future__ import annotations

from itertools import combinations

from checkers.dialogues.base import DialogueGuard, DialogueView, Findings, user_places
from salitrap.dialogues import DialogueFault, DialogueFinding, Move, Turn, When
from salitrap.records.enums import Language
from salitrap.text import features, jaccard, phi

SIMILAR = 0.6
GRAM = {Language.EN: 3, Language.ZH: 2}


def find(view: DialogueView) -> Findings:
    """Of two similar turns the later one."""
    dialogue = view.dialogue
    pressing = [(place, turn) for place, turn in user_places(dialogue) if presses(turn)]
    gram = GRAM[dialogue.language]
    grams = {place: features(phi(turn.content.casefold()), gram) for place, turn in pressing}
    for one, other in combinations(grams, 2):
        likeness = jaccard(grams[one], grams[other])
        if likeness >= SIMILAR:
            why = f"much like turn {one} (similarity {likeness:.2f}, under {SIMILAR} is needed)"
            yield DialogueFinding(DialogueFault.PUSHBACK_SIMILAR, other, why)


def presses(turn: Turn) -> bool:
    """True for turns that come after an answer and press on."""
    return turn.when is not When.ALWAYS or turn.move not in (Move.ASK, Move.CALCULATE, Move.CORRECTION)


GUARD = DialogueGuard("pushbacks", (DialogueFault.PUSHBACK_SIMILAR,), find)
