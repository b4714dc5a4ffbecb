"""The things the trap rests on are still named.

What it checks
    Of tool and object of the seed's triple, those that the seed's own prompt names: at least one of them
    stands in the child, as the phrase, its head noun or a synonym (``salitrap.text.mentions``).

Why it matters
    A child about another thing altogether is no rewriting. Found here, it costs no call.

Known blind spots
    A child that exchanges one of the two, or names a thing without using it: left to truth and compliance,
    for sound paraphrases often leave one unnamed (docs/checkers.md). Synonyms that the table lacks.

Example kept
    triple (pasta strainer, soup), child "... the broth, one strainer at a time"

Example rejected
    child "... the sand, one bucket at a time"
"""

from __future__ import annotations

from checkers.guards.base import Guard, GuardFault, GuardView
from salitrap.records.enums import Fault
from salitrap.text.mentions import mentions


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child that names neither the trap's tool nor its object any more."""
    seed = view.seed
    parts = (seed.triple.tool, seed.triple.object)
    named = [name for name in parts if mentions(seed.prompt, name, seed.language)]
    if not named or any(mentions(view.child, name, seed.language) for name in named):
        return None
    return Fault.TRAP_OBJECT_MISSING, f"of the trap's things none occurs: {', '.join(named)}"


GUARD = Guard("trap_objects", (Fault.TRAP_OBJECT_MISSING,), find)
