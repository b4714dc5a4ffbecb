"""The child is neither a scrap nor an essay.

What it checks
    Characters without outer white space, within ``scale.prompt_chars`` of the language; a seed or a parent
    outside these bounds widens them.

Why it matters
    Writers that lose the thread return a line; others explain. Both make figures and lengths incomparable.

Known blind spots
    Length says nothing of content: padding within the bounds passes, and goes on to naturalness.

Example kept
    a child of 240 characters where 230 to 700 are allowed

Example rejected
    "12 9 1.5 4 18:30 soup?"
"""

from __future__ import annotations

from checkers.guards.base import Guard, GuardFault, GuardView
from salitrap.records.enums import Fault


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child outside the bounds."""
    known = (len(view.seed.prompt), len(view.parent.prompt))
    low, high, length = min(view.bounds[0], *known), max(view.bounds[1], *known), len(view.child.strip())
    if length < low:
        return Fault.TOO_SHORT, f"{length} characters, at least {low} are needed"
    if length > high:
        return Fault.TOO_LONG, f"{length} characters, at most {high} are allowed"
    return None


GUARD = Guard("length", (Fault.TOO_SHORT, Fault.TOO_LONG), find)
