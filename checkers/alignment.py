"""The candidate must depend on its trap and offer no way round it (paper, sections 3.1 and 3.3.2).

What it checks
    Al(c) = (valid, no_escape), both as 0 or 1 in the scores. Valid: the trap survives when figures
    and procedure are erased, and the last question depends on it. No escape: no ordinary sub-task,
    and no option that happens to be feasible, can be answered well without meeting the trap. The two are
    asked separately, and a way round has to be named: the sub-task it is, and the words that open it.

Why it matters
    With a way round, a solver that saw nothing passes, or one that did useful work fails.

Known blind spots
    Ways round that take several steps to find. Options whose feasibility depends on circumstances
    the text leaves open. The words named as the way round are kept as evidence when they occur in the
    text; if they do not, or nothing is named, the verdict stands and the reason says so: an escape can
    lie in the whole, and asking again would only put the candidate off.

Example kept
    "How many trips of 2.5 L with the tea strainer do I need to move 20 L of water?"

Example rejected
    "... and how much is 20 L in gallons?" (separable) or "strainer or bucket, which is quicker?" (luck)
"""

from __future__ import annotations

from typing import ClassVar

import dspy

from checkers.base import CandidateView, Finding, settle
from prompts.program import Program
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Evaluation
from salitrap.records.enums import Fault, Role, VerdictKind


class AlignSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Does the request depend on its trap, and is there no way round?"""

    prompt: str = dspy.InputField(desc="the request under examination")
    trap_core: str = dspy.InputField(desc="the impossibility it rests on")
    ground_truth: str = dspy.InputField(desc="what a right answer has to say")
    valid: bool = dspy.OutputField(desc="the request itself carries the trap")
    no_escape: bool = dspy.OutputField(desc="there is no way round the trap")
    subtask: str = dspy.OutputField(
        default="", desc="what could be answered well without meeting the trap; empty when nothing"
    )
    escape: str = dspy.OutputField(
        default="", desc="words of the request that open a way round; empty when none"
    )
    reason: str = dspy.OutputField(default="", desc="one or two sentences")


class AlignChecker(Program):
    """Asks for both components of the alignment."""

    prompt_id: ClassVar[str] = "align"
    role: ClassVar[Role] = Role.CHECKER
    faults: ClassVar[tuple[Fault, ...]] = (Fault.TRAP_LOST, Fault.SUBTASK_ESCAPE)
    signature: ClassVar[type[dspy.Signature]] = AlignSignature
    name: str = "align"

    async def check(self, access: Access, view: CandidateView, *, slot: int = 0) -> Evaluation:
        """Evaluate one candidate; see ``Checker``."""
        candidate, inputs = view.candidate, align_inputs(view)

        async def ask(repeat: int) -> Asked:
            return await self.ask(access, candidate.language, slot=slot, repeat=repeat, **inputs)

        return await settle(
            ask,
            read_align,
            subject_id=candidate.candidate_id,
            checker=self.name,
            text=candidate.prompt,
        )


def align_inputs(view: CandidateView) -> dict[str, str]:
    """Input fields of the alignment program."""
    seed = view.seed
    return {
        "prompt": view.candidate.prompt,
        "trap_core": seed.trap_core,
        "ground_truth": seed.ground_truth,
    }


def read_align(asked: Asked) -> Finding:
    """Turn a reply into a finding; a trap that is not carried outweighs an escape."""
    valid, no_escape = bool(asked.fields["valid"]), bool(asked.fields["no_escape"])
    subtask, quote = asked.fields["subtask"].strip(), asked.fields["escape"].strip()
    fault = _fault(valid, no_escape)
    return Finding(
        verdict=VerdictKind.PASS if fault is None else VerdictKind.FAIL,
        fault=fault,
        reason=_reason(asked.fields["reason"], no_escape, subtask, quote),
        evidence=() if no_escape else (quote,),
        scores=(("valid", float(valid)), ("no_escape", float(no_escape))),
    )


def _reason(reason: str, no_escape: bool, subtask: str, quote: str) -> str:
    if no_escape or (quote and not subtask):
        return reason
    return f"way round: {subtask or 'not named'}; {reason}"


def _fault(valid: bool, no_escape: bool) -> Fault | None:
    if not valid:
        return Fault.TRAP_LOST
    return None if no_escape else Fault.SUBTASK_ESCAPE
