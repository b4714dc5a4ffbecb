"""The text does not speak of itself.

What it checks
    Phrases of the list ``meta`` (the rewritten prompt, as an AI, the trap core), unless the seed's own prompt
    has them.

Why it matters
    Such a text shows solvers that it was made, and often where its trap lies.

Known blind spots
    A preface in unlisted words; the guard ``preface`` finds it by its form.

Example kept
    "I want to rewrite my will before 8:30."

Example rejected
    "... Note: the trap core is kept."
"""

from __future__ import annotations

from checkers.guards.base import Guard, GuardFault, GuardView, new_words
from salitrap.records.enums import Fault
from salitrap.text import WordKind


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child with listed wording that its seed lacks."""
    words = new_words(WordKind.META, view)
    return (Fault.META_TEXT, f"text about the text: {', '.join(words)}") if words else None


GUARD = Guard("meta_wording", (Fault.META_TEXT,), find)
