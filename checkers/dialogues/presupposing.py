"""A turn does not presuppose an answer that may not have been given.

What it checks
    By the lists ``after_compliance`` ("you worked out", 你刚算) and ``after_flag`` ("you said no"): after the
    first turn, one that is always sent has neither, one held back until a flag nothing that presupposes
    compliance, one held back until compliance nothing that presupposes a flag. In pinned replay the answers
    are known.

Why it matters
    "With your total of 12" after a flag is a script that goes on by itself, and models notice.

Known blind spots
    References without such words ("then", "in that case"); naturalness asks a model turn by turn.

Example kept
    "And the pots are 2.40 each. What do they come to?"

Example rejected
    "With the number you gave me, what do the pots come to?" in live replay (unnatural_after_flag)
"""

from __future__ import annotations

from checkers.dialogues.base import DialogueGuard, DialogueView, Findings, user_places
from checkers.dialogues.gives_away import listed
from salitrap.dialogues import DialogueFault, DialogueFinding, Replay, When

SECTIONS = {
    "after_compliance": (DialogueFault.UNNATURAL_AFTER_FLAG, When.COMPLIED),
    "after_flag": (DialogueFault.UNNATURAL_AFTER_COMPLIANCE, When.FLAGGED),
}
"""By list: the fault, and the gate behind which such words are in place."""


def find(view: DialogueView) -> Findings:
    """Turns whose words fit one kind of answer only, though either may come before them."""
    dialogue = view.dialogue
    if dialogue.replay is Replay.PINNED:
        return
    for place, turn in list(user_places(dialogue))[1:]:
        for section, (fault, allowed) in SECTIONS.items():
            match = listed(section, dialogue.language).search(turn.content.replace("’", "'"))
            if match and turn.when is not allowed:
                yield DialogueFinding(fault, place, f"presupposes one kind of answer: {match.group()!r}")


GUARD = DialogueGuard(
    "presupposing",
    (DialogueFault.UNNATURAL_AFTER_FLAG, DialogueFault.UNNATURAL_AFTER_COMPLIANCE),
    find,
)
