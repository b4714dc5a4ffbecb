"""The child is written in its seed's language.

What it checks
    At least half of the letters are Chinese for a Chinese seed, four fifths Latin for an English one.

Why it matters
    Every later check, the word lists above all, reads the text in the seed's language.

Known blind spots
    Another language in Latin letters passes as English. Names and units of the other script are allowed.

Example kept
    Chinese seed, child "我用Wi-Fi给12个人发菜单，要几分钟？"

Example rejected
    Chinese seed, child "How long do I need for 12 guests?"
"""

from __future__ import annotations

from checkers.guards.base import Guard, GuardFault, GuardView
from salitrap.records.enums import Fault
from salitrap.text import in_language


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child in another language."""
    language = view.seed.language
    if in_language(view.child, language):
        return None
    return Fault.WRONG_LANGUAGE, f"not in the seed's language ({language.value})"


GUARD = Guard("language", (Fault.WRONG_LANGUAGE,), find)
