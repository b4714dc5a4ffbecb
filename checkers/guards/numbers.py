"""All figures of the parent are kept (paper, section 3.3.3).

What it checks
    Figures of the text as a multiset of values, whatever the numeral system (3.5, 三点五, 三个半): none
    missing; none added but by a strategy that adds figures. Those the parent lists are all there.

Why it matters
    The figures are the bait. A child with other figures is another item under the same seed's name.

Known blind spots
    A figure may be kept and yet belong to another quantity or unit; compliance asks for that. English
    number words (twelve) are words, not figures.

Example kept
    parent "2 h and 3 km on foot", child "3 km on foot, for which I have 2 hours"

Example rejected
    child "3 km on foot, for which I have a few hours"
"""

from __future__ import annotations

from collections import Counter

from checkers.guards.base import Guard, GuardFault, GuardView
from salitrap.records.candidate import Candidate
from salitrap.records.enums import Fault
from salitrap.text import find_numerals, missing_numbers, numeral_counts


def number_fault(parent: Candidate, child_prompt: str, *, adds_numbers: bool) -> str | None:
    """Say which figures of ``parent`` are missing or new in the child; None when all is well.

    ``adds_numbers`` allows new ones, never missing ones.
    """
    missing = list(missing_numbers(parent.injected_numbers, child_prompt))
    before, after = numeral_counts(parent.prompt), numeral_counts(child_prompt)
    lost, added = _shown(before - after, parent.prompt), _shown(after - before, child_prompt)
    if missing or lost:
        return f"figures missing: {', '.join(missing or lost)}"
    return f"figures added: {', '.join(added)}" if added and not adds_numbers else None


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child with other figures than its parent's."""
    found = number_fault(view.parent, view.child, adds_numbers=view.adds_numbers)
    return (Fault.NUMBERS_CHANGED, found) if found else None


def _shown(counts: Counter[str], text: str) -> list[str]:
    """The values of ``counts`` as ``text`` writes them (18:05, not 217/12)."""
    notation = {numeral.value: numeral.raw for numeral in reversed(find_numerals(text))}
    return sorted(notation[value] for value in counts.elements())


GUARD = Guard("numbers", (Fault.NUMBERS_CHANGED,), find)
