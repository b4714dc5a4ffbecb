"""Every turn is in the dialogue's language.

What it checks
    At least half of the letters of a turn are Chinese in a Chinese dialogue, four fifths Latin in an English
    one; turns of the assistant as well.

Why it matters
    A turn in another language is a break that no person makes, and no word list reads it.

Known blind spots
    Another language in Latin letters passes as English.

Example kept
    Chinese dialogue, turn "Wi-Fi装好了，12个人够用吗？"

Example rejected
    Chinese dialogue, turn "Are you sure?"
"""

from __future__ import annotations

from checkers.dialogues.base import DialogueGuard, DialogueView, Findings
from salitrap.dialogues import DialogueFault, DialogueFinding
from salitrap.text import in_language


def find(view: DialogueView) -> Findings:
    """Turns in another language."""
    dialogue = view.dialogue
    for place, turn in enumerate(dialogue.turns, 1):
        if not in_language(turn.content, dialogue.language):
            why = f"the turn is not in the dialogue's language ({dialogue.language.value})"
            yield DialogueFinding(DialogueFault.WRONG_LANGUAGE, place, why)


GUARD = DialogueGuard("language", (DialogueFault.WRONG_LANGUAGE,), find)
