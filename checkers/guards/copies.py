"""A rewrite that changed something.

What it checks
    The child is not its parent's text, nor the seed's: the same after the normal form phi, or nearly the
    same, with equal figures.

Why it matters
    A copy costs checks and answers, and would be counted as another candidate.

Known blind spots
    Copies of other candidates; the search compares with all of them afterwards (near duplicates).

Example kept
    the parent's sentences in another order

Example rejected
    the parent's text with an exclamation mark at the end
"""

from __future__ import annotations

from rapidfuzz import fuzz

from checkers.guards.base import Guard, GuardFault, GuardView
from salitrap.records.enums import Fault
from salitrap.text import numeral_counts, phi

COPY_RATIO = 98.5


def is_copy(parent_prompt: str, child_prompt: str) -> bool:
    """True when the texts are the same after phi, or nearly the same, with equal figures."""
    if numeral_counts(parent_prompt) != numeral_counts(child_prompt):
        return False
    if phi(parent_prompt) == phi(child_prompt):
        return True
    return fuzz.ratio(parent_prompt, child_prompt) >= COPY_RATIO


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child that is the parent or the seed once more."""
    if is_copy(view.parent.prompt, view.child):
        return Fault.COPY_OF_PARENT, "the parent's text with at most trifling changes"
    if is_copy(view.seed.prompt, view.child):
        return Fault.COPY_OF_SEED, "the seed's text with at most trifling changes"
    return None


GUARD = Guard("copies", (Fault.COPY_OF_PARENT, Fault.COPY_OF_SEED), find)
