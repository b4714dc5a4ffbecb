"""Running text, without mark-up or data around it.

What it checks
    No code fence, no field mark of a structured reply, no heading, no rule, no line that begins as JSON,
    unless the seed's own prompt has such a thing.

Why it matters
    What is left of a reply's form is no part of a request, and a solver takes it for an instruction.

Known blind spots
    Emphasis (**words**) is allowed: people write it. Tables and HTML are not looked for.

Example kept
    "I need **two** walks, or is it three?"

Example rejected
    "# Request" on a line of its own, then "How many walks is that?"
"""

from __future__ import annotations

import re

from checkers.guards.base import Guard, GuardFault, GuardView
from salitrap.records.enums import Fault

_MACHINE = re.compile(r"```|\[\[ ?##|^\s*[{\[]|^\s*-{3,}\s*$|^#{1,6}\s", re.MULTILINE)


def mark_up_fault(seed_prompt: str, child_prompt: str) -> str | None:
    """Say that there is mark-up; None when there is none, or when the seed's prompt has some as well."""
    if _MACHINE.search(child_prompt) and not _MACHINE.search(seed_prompt):
        return "mark-up or data instead of running text"
    return None


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child with mark-up."""
    found = mark_up_fault(view.seed.prompt, view.child)
    return (Fault.META_TEXT, found) if found else None


GUARD = Guard("mark_up", (Fault.META_TEXT,), find)
