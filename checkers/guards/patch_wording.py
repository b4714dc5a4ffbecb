"""No phrase makes the plan workable or exchanges the task (paper, section 3.3.3).

What it checks
    Phrases of the list ``patch`` (somebody who brings it, a lining, a permit, a simulation), unless the
    seed's own prompt has them or they stand in a ``harmless`` phrase (仿真 in 仿真绿萝).

Why it matters
    A patched premise punishes solvers for a right answer.

Known blind spots
    Patches in unlisted words, left to the truth check. A listed phrase far from the plan is refused too.

Example kept
    "My friend lives 50 m away and I want to wash my car."

Example rejected
    "... My neighbour will carry it up in a pot."
"""

from __future__ import annotations

from checkers.guards.base import Guard, GuardFault, GuardView, new_words
from salitrap.records.enums import Fault
from salitrap.text import WordKind


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child with listed wording that its seed lacks."""
    words = new_words(WordKind.PATCH, view)
    return (Fault.PATCH_WORDING, f"patch wording: {', '.join(words)}") if words else None


GUARD = Guard("patch_wording", (Fault.PATCH_WORDING,), find)
