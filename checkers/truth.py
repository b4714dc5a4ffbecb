"""The impossibility must still be at work in the candidate (paper, section 3.3.2).

What it checks
    Whether the premise that ``trap_core`` rules out is still needed and still ruled out: nothing
    patched in, no swap to simulation, reimbursement or bare arithmetic, no loss of the cause.

Why it matters
    A candidate whose premise became feasible punishes solvers for a right answer.

Known blind spots
    A patch that needs special knowledge to be seen. Traps that rest on a local custom. A reply
    that contradicts itself, or fails a candidate over words which do not occur in it, is asked
    again once and then ends as ``could_not_judge``: an invented ground must not archive a
    candidate, nor may it pass one. A pass needs no quote; one that does not occur is left out.

Example kept
    trap core "A lamp without a bulb gives no light"; prompt "For how many pages at 2 minutes each
    does the 5 h battery of the lamp last, now that the bulb is out?"

Example rejected
    the same with "... now that I have put in the spare bulb?" (patched)
"""

from __future__ import annotations

from typing import ClassVar, Literal

import dspy

from checkers.base import CandidateView, Finding, failed, passed, settle, unsettled
from prompts.program import Program
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Evaluation
from salitrap.records.enums import Fault, Role

Change = Literal["none", "patched", "swapped", "lost"]
FAULT_OF_CHANGE: dict[Change, Fault | None] = {
    "none": None,
    "patched": Fault.PATCHED,
    "swapped": Fault.TASK_SWAPPED,
    "lost": Fault.TRAP_LOST,
}


class TruthSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Does the trap still hold?"""

    prompt: str = dspy.InputField(desc="the request under examination")
    trap_core: str = dspy.InputField(desc="the impossibility it was built around")
    holds: bool = dspy.OutputField(desc="the impossibility is still at work")
    change: Change = dspy.OutputField(desc="what happened to it")
    quote: str = dspy.OutputField(
        default="", desc="words of the request, verbatim, that settle it; may be empty"
    )
    reason: str = dspy.OutputField(default="", desc="one or two sentences")


class TruthChecker(Program):
    """Asks whether the trap core survived."""

    prompt_id: ClassVar[str] = "truth"
    role: ClassVar[Role] = Role.CHECKER
    faults: ClassVar[tuple[Fault, ...]] = (
        Fault.PATCHED,
        Fault.TASK_SWAPPED,
        Fault.TRAP_LOST,
        Fault.CHECK_UNRESOLVED,
    )
    signature: ClassVar[type[dspy.Signature]] = TruthSignature
    name: str = "truth"

    async def check(self, access: Access, view: CandidateView, *, slot: int = 0) -> Evaluation:
        """Evaluate one candidate; see ``Checker``."""
        candidate, inputs = view.candidate, truth_inputs(view)

        async def ask(repeat: int) -> Asked:
            return await self.ask(access, candidate.language, slot=slot, repeat=repeat, **inputs)

        return await settle(
            ask,
            read_truth,
            subject_id=candidate.candidate_id,
            checker=self.name,
            text=candidate.prompt,
        )


def truth_inputs(view: CandidateView) -> dict[str, str]:
    """Input fields of the truth program."""
    return {"prompt": view.candidate.prompt, "trap_core": view.seed.trap_core}


def read_truth(asked: Asked) -> Finding:
    """Turn a reply into a finding; a failure rests on its quote, but for a trap that is simply absent."""
    holds, change, quote, reason = (asked.fields[name] for name in ("holds", "change", "quote", "reason"))
    fault = FAULT_OF_CHANGE[change]
    if bool(holds) is not (fault is None):
        return unsettled(f"contradiction: holds={bool(holds)} with change={change}; {reason}")
    if fault is None:
        return passed(reason, (quote,))
    rests = bool(quote.strip()) or fault is not Fault.TRAP_LOST
    return failed(fault, reason, (quote,), rests_on_quote=rests)
