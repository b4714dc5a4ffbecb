"""No turn makes the plan workable by a phrase, or exchanges the task.

What it checks
    Phrases of the list ``patch`` (somebody who brings it, a permit, a simulation) in the turns of a trap
    dialogue and of its controls concat and neutral. Twins and corrections are feasible by design;
    of a state change the turn t* is left out, for "we use the other one now" is how such news is told.

Why it matters
    A patched premise turns the right answer into a false alarm.

Known blind spots
    Patches in unlisted words. A listed phrase far from the plan is refused too.

Example kept
    "My sister is lending me 2 bigger lanterns."

Example rejected
    "We have special permission, by the way."
"""

from __future__ import annotations

from checkers.dialogues.base import DialogueGuard, DialogueView, Findings, user_places
from salitrap.dialogues import Control, Dialogue, DialogueFault, DialogueFinding, Pattern
from salitrap.text import WordKind

FEASIBLE = frozenset({Control.FEASIBLE_TWIN, Control.VALID_CORRECTION})


def find(view: DialogueView) -> Findings:
    """Turns with listed wording; none for controls that are feasible by design."""
    if view.dialogue.control in FEASIBLE:
        return
    update = _update(view.dialogue)
    for number, (place, turn) in enumerate(user_places(view.dialogue), 1):
        words = view.new_words(WordKind.PATCH, turn.content)
        if words and number != update:
            why = f"patch wording: {', '.join(words)}"
            yield DialogueFinding(DialogueFault.PATCH_OFFERED, place, why)


def _update(dialogue: Dialogue) -> int | None:
    """The user turn whose news breaks the plan, told in the words of a change for the better."""
    return dialogue.t_star if dialogue.pattern is Pattern.STATE_CHANGE else None


GUARD = DialogueGuard("patch_wording", (DialogueFault.PATCH_OFFERED,), find)
