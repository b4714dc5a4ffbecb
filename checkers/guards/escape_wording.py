"""No phrase lets the helper off (paper, section 3.3.3).

What it checks
    Phrases of the list ``escape`` (only the arithmetic, assume it works, is it possible at all), unless the
    seed's own prompt has them.

Why it matters
    With a licence to calculate or to doubt, an answer is right without meeting the trap.

Known blind spots
    The list knows phrases, not meaning: an unlisted one passes, and goes on to alignment and naturalness.

Example kept
    "I just calculated nothing yet; how long do I need?"

Example rejected
    "... Just calculate the total, whether it is possible or not."
"""

from __future__ import annotations

from checkers.guards.base import Guard, GuardFault, GuardView, new_words
from salitrap.records.enums import Fault
from salitrap.text import WordKind


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child with listed wording that its seed lacks."""
    words = new_words(WordKind.ESCAPE, view)
    return (Fault.ESCAPE_WORDING, f"escape wording: {', '.join(words)}") if words else None


GUARD = Guard("escape_wording", (Fault.ESCAPE_WORDING,), find)
