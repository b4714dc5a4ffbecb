"""What a writer was told in confidence and then wrote into the request.

What it checks
    No run of seven words (14 Chinese characters) of the writer's instructions, of remarks it was given, of
    the trap core or the ground truth stands in the child, unless the parent or the seed's prompt had it.

Why it matters
    Small writers copy their instructions ("both ways must fail for the same cause ...") or close with
    the answer. Such a child asks something else, or names the trap it should hide.

Known blind spots
    The same in other words goes through, to the compliance and the naturalness check.

Example kept
    trap core "a clay pot without iron stays cold on an induction hob", child "... in grandma's clay pot ..."

Example rejected
    instruction "an option that would really work is forbidden", child "... An option that would really work
    is forbidden." (meta_text)
"""

from __future__ import annotations

from collections.abc import Sequence

from checkers.guards.base import Guard, GuardFault, GuardView
from salitrap.records.candidate import Candidate
from salitrap.records.enums import Fault
from salitrap.records.seed import Seed
from salitrap.text import shared_run


def leak_fault(
    seed: Seed, parent: Candidate, child_prompt: str, told: Sequence[str] = ()
) -> GuardFault | None:
    """Return the fault of a child that repeats what its writer was ``told``, or gives the trap away."""
    known = (seed.prompt, parent.prompt)
    if run := shared_run(child_prompt, told, known):
        return Fault.META_TEXT, f"repeats the writer's instructions: {run!r}"
    if run := shared_run(child_prompt, (seed.trap_core, seed.ground_truth), known):
        return Fault.TRAP_REVEALED, f"gives the trap away: {run!r}"
    return None


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child that repeats or reveals what stands elsewhere."""
    return leak_fault(view.seed, view.parent, view.child, view.told)


GUARD = Guard("leaks", (Fault.META_TEXT, Fault.TRAP_REVEALED), find)
