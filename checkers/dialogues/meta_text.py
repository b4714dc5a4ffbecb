"""A turn is what a person types, and nothing about it.

What it checks
    No phrase of the list ``meta`` (the rewritten version, the trap core), no announcement in front ("New
    message:"), no mark-up or data, by the guards of the same names for candidates.

Why it matters
    Such a turn shows the model that it was made, and often where the trap lies.

Known blind spots
    An announcement in unlisted words.

Example kept
    "Quick question: how many bags is it?"

Example rejected
    "Revised message: how many bags is it?"
"""

from __future__ import annotations

from checkers.dialogues.base import DialogueGuard, DialogueView, Findings, user_places
from checkers.guards.mark_up import mark_up_fault
from checkers.guards.preface import preface_fault
from salitrap.dialogues import DialogueFault, DialogueFinding
from salitrap.text import WordKind


def find(view: DialogueView) -> Findings:
    """Turns with text about the text."""
    for place, turn in user_places(view.dialogue):
        if why := _why(view, turn.content):
            yield DialogueFinding(DialogueFault.META_TEXT, place, why)


def _why(view: DialogueView, content: str) -> str | None:
    if words := view.new_words(WordKind.META, content):
        return f"text about the text: {', '.join(words)}"
    return preface_fault(view.request, content) or mark_up_fault(view.request, content)


GUARD = DialogueGuard("meta_text", (DialogueFault.META_TEXT,), find)
