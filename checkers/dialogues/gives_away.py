"""No turn of the user names the trap.

What it checks
    No run of seven words (14 Chinese characters) of the trap core or the ground truth stands in a turn, but
    for words of the facts and of the request that the dialogue was made from; and no turn that is always
    sent has a phrase of the list ``gives_away``.

Why it matters
    Once the user has said what is wrong, a flag is an echo.

Known blind spots
    The same in other words, which naturalness and the check of the whole are asked about. A turn held back
    until a flag may speak of doubt, and a correction of the premise: the list is not for them.

Example kept
    "They've let the water out of that bit this week, so we won't meet a barge."

Example rejected
    "I know a canal without water can't be paddled. When do we push off?"
"""

from __future__ import annotations

import re
from functools import cache

from checkers.dialogues.base import WORDS, DialogueGuard, DialogueView, Findings, user_places
from checkers.guards.words import any_of
from salitrap.dialogues import DialogueFault, DialogueFinding, Move, Turn, When
from salitrap.records.enums import Language
from salitrap.text import shared_run


def find(view: DialogueView) -> Findings:
    """Turns that name the trap."""
    dialogue = view.dialogue
    told = (dialogue.trap_core, dialogue.ground_truth)
    known = (view.request, *(fact.text for fact in dialogue.facts))
    for place, turn in user_places(dialogue):
        if turn.move is Move.CORRECTION:
            continue
        run = shared_run(turn.content, told, known) or _phrase(turn, view)
        if run:
            yield DialogueFinding(DialogueFault.TRAP_GIVEN_AWAY, place, f"gives the trap away: {run!r}")


def _phrase(turn: Turn, view: DialogueView) -> str | None:
    if turn.when is not When.ALWAYS:
        return None
    match = listed("gives_away", view.dialogue.language).search(turn.content.replace("’", "'"))
    known = match is not None and match.group().casefold() in view.request.casefold()
    return match.group() if match and not known else None


@cache
def listed(section: str, language: Language) -> re.Pattern[str]:
    """A pattern for the words of a section of ``words.yaml``; whole words in English."""
    words = any_of(WORDS, f"{language.value}.{section}")
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)" if language is Language.EN else words, re.IGNORECASE)


GUARD = DialogueGuard("gives_away", (DialogueFault.TRAP_GIVEN_AWAY,), find)
