"""The numbers listed for a turn are the figures in it.

What it checks
    As multisets of values, whatever the notation (3.5, 三点五): each listed number is in the turn, and each
    figure of the turn is listed.

Why it matters
    Twins are compared, and the load of figures is measured, by what is listed.

Known blind spots
    English number words (twelve) are words. A Chinese numeral within a word (第二天) is a figure.

Example kept
    "3.5 kg in 2 boxes" with 3.5 and 2

Example rejected
    the same with 3.5 alone
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from checkers.dialogues.base import DialogueGuard, DialogueView, Findings, user_places
from salitrap.dialogues import DialogueFault, DialogueFinding, Turn
from salitrap.text import missing_numbers, numeral_counts, numeral_values

ARTICLE = "一"
"""The 一 of 一本 is no figure, yet it may be listed."""


def find(view: DialogueView) -> Findings:
    """Numbers listed that are not there, and figures that are not listed."""
    for place, turn in user_places(view.dialogue):
        if missing := _missing(turn):
            why = f"listed, but not among the figures of the turn: {', '.join(missing)}"
            yield DialogueFinding(DialogueFault.NUMBER_NOT_IN_TURN, place, why)
        if unlisted := numeral_counts(turn.content) - _values(turn.numbers):
            why = f"figures that are not listed: {', '.join(sorted(unlisted))}"
            yield DialogueFinding(DialogueFault.NUMBER_NOT_LISTED, place, why)


def _missing(turn: Turn) -> list[str]:
    figures = [number for number in turn.numbers if number != ARTICLE]
    surplus = _values(figures) - numeral_counts(turn.content)
    return list(missing_numbers(turn.numbers, turn.content)) or sorted(surplus)


def _values(numbers: Iterable[str]) -> Counter[str]:
    return Counter(value for number in numbers for value in numeral_values(number))


GUARD = DialogueGuard("numbers", (DialogueFault.NUMBER_NOT_IN_TURN, DialogueFault.NUMBER_NOT_LISTED), find)
