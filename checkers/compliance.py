"""kappa(c, c', T): a child must be a faithful rewriting of its parent (paper, section 3.3.3).

What it checks
    Same trap core, all the distractors kept, no escape, no patch. The figures are counted here as
    well; a reply cannot wave through a child that lost one.

Why it matters
    Rewriting drifts. A child that drifted is another item under the same seed's name.

Known blind spots
    Drift spread over several generations, each step faithful to the one before; truth and
    alignment look at every child again without its parent. A refusal stands even when the words it quotes
    do not occur (the reason says so): a child is cheap, and its parent is still there.

Example kept
    parent "3 trips with the strainer, 2 L each" - child "2 L a trip, 3 trips, all with the strainer"

Example rejected
    child "... with the strainer lined with foil" (patched)
"""

from __future__ import annotations

from typing import Any, ClassVar

import dspy

from checkers.base import Finding, failed, passed, settle
from checkers.guards import number_fault
from prompts.program import Program
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Candidate, Evaluation
from salitrap.records.enums import Fault, Role
from salitrap.records.seed import Seed

FAULT_OF_FIELD = (
    ("same_trap", Fault.TRAP_LOST),
    ("no_patch", Fault.PATCHED),
    ("no_escape", Fault.SUBTASK_ESCAPE),
    ("numbers_kept", Fault.NUMBERS_CHANGED),
)


class ComplianceSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """May the child take its parent's place?"""

    parent: str = dspy.InputField(desc="the request before rewriting")
    child: str = dspy.InputField(desc="the request after rewriting")
    trap_core: str = dspy.InputField(desc="the impossibility both have to rest on")
    injected_numbers: list[str] = dspy.InputField(desc="figures that have to be kept")
    same_trap: bool = dspy.OutputField(desc="the child meets the same impossibility for the same cause")
    numbers_kept: bool = dspy.OutputField(desc="all listed figures are kept, for the same quantities")
    no_escape: bool = dspy.OutputField(desc="the child offers no way round the trap")
    no_patch: bool = dspy.OutputField(desc="the child supplies nothing that makes the plan workable")
    quote: str = dspy.OutputField(
        default="", desc="words of the child, verbatim, that break a property; empty when none"
    )
    reason: str = dspy.OutputField(default="", desc="one or two sentences")


class ComplianceChecker(Program):
    """Compares a child with its parent."""

    prompt_id: ClassVar[str] = "compliance"
    role: ClassVar[Role] = Role.CHECKER
    faults: ClassVar[tuple[Fault, ...]] = tuple(fault for _, fault in FAULT_OF_FIELD)
    signature: ClassVar[type[dspy.Signature]] = ComplianceSignature
    name: str = "compliance"

    async def check_child(
        self,
        access: Access,
        seed: Seed,
        parent: Candidate,
        child: Candidate,
        *,
        adds_numbers: bool,
        slot: int = 0,
    ) -> Evaluation:
        """Evaluate ``child``; a failed call is the verdict ``could_not_judge``.

        Raises:
            StoppedError: the run cannot go on.
        """
        inputs = compliance_inputs(seed, parent, child)
        numbers = number_fault(parent, child.prompt, adds_numbers=adds_numbers)

        async def ask(repeat: int) -> Asked:
            return await self.ask(access, seed.language, slot=slot, repeat=repeat, **inputs)

        return await settle(
            ask,
            lambda asked: read_compliance(asked, numbers),
            subject_id=child.candidate_id,
            checker=self.name,
            text=child.prompt,
        )


def compliance_inputs(seed: Seed, parent: Candidate, child: Candidate) -> dict[str, Any]:
    """Input fields of the compliance program."""
    return {
        "parent": parent.prompt,
        "child": child.prompt,
        "trap_core": seed.trap_core,
        "injected_numbers": list(parent.injected_numbers),
    }


def read_compliance(asked: Asked, numbers: str | None) -> Finding:
    """Turn a reply into a finding; ``numbers`` is what the count found wrong, or None."""
    reason, quote = asked.fields["reason"], asked.fields["quote"]
    broken = [fault for name, fault in FAULT_OF_FIELD if not asked.fields[name]]
    if broken:
        return failed(broken[0], reason, (quote,))
    return failed(Fault.NUMBERS_CHANGED, numbers) if numbers else passed(reason)
