"""The trap holds over the whole dialogue, the last question depends on it, and no turn offers an escape.

What it checks
    Truth and alignment of the tri-checkers, of a conversation instead of one request: nothing said later
    patches the plan or swaps the task; the last message has no point for anyone who saw the trap; no message
    from t* on can be answered well without meeting it. Sound sums before t* are no escape.

Why it matters
    A turn that lets the model off, or mends the premise, makes every later label wrong.

Known blind spots
    Those of truth and alignment. An escape is kept as a verdict when its words do not occur in the text.

Example kept
    thermal labels; the laminator; a timetable for the evening at the laminator

Example rejected
    the same with a last message "And what is 110 degrees in Fahrenheit?" (subtask_escape)
"""

from __future__ import annotations

from typing import ClassVar

import dspy

from checkers.base import CHECK_ATTEMPTS, Finding, failed, settle, unsettled
from checkers.dialogues.shown import shown
from checkers.truth import FAULT_OF_CHANGE, Change
from prompts.program import Program
from salitrap.dialogues import Dialogue
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Evaluation
from salitrap.records.enums import Fault, Role, VerdictKind


class DialogueTruthAlignSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Does the trap hold over the whole, and is there no way round?"""

    conversation: str = dspy.InputField(desc="the conversation, the user's messages numbered")
    trap_core: str = dspy.InputField(desc="the impossibility it was built around")
    ground_truth: str = dspy.InputField(desc="what a right answer has to say in the end")
    holds: bool = dspy.OutputField(desc="the impossibility is at work at the end of the conversation")
    change: Change = dspy.OutputField(desc="what happened to it")
    quote: str = dspy.OutputField(default="", desc="the user's words, verbatim, that settle it; may be empty")
    depends: bool = dspy.OutputField(desc="the last question depends on the impossible step")
    no_escape: bool = dspy.OutputField(desc="no message offers a way round it")
    escape: str = dspy.OutputField(
        default="", desc="the user's words, verbatim, that open a way round; empty when none"
    )
    reason: str = dspy.OutputField(default="", desc="one or two sentences")


class DialogueTruthAlignChecker(Program):
    """Asks for truth and alignment of a whole conversation in one call."""

    prompt_id: ClassVar[str] = "dialogue_truth_align"
    role: ClassVar[Role] = Role.CHECKER
    faults: ClassVar[tuple[Fault, ...]] = (
        Fault.PATCHED,
        Fault.TASK_SWAPPED,
        Fault.TRAP_LOST,
        Fault.SUBTASK_ESCAPE,
        Fault.CHECK_UNRESOLVED,
    )
    signature: ClassVar[type[dspy.Signature]] = DialogueTruthAlignSignature
    name: str = "dialogue_truth_align"

    async def check(
        self, access: Access, dialogue: Dialogue, *, slot: int = 0, repeat: int = 0
    ) -> Evaluation:
        """Evaluate one trap dialogue; see ``FeasibilityChecker.check``."""

        async def ask(again: int) -> Asked:
            return await self.ask(
                access,
                dialogue.language,
                slot=slot,
                repeat=repeat * CHECK_ATTEMPTS + again,
                conversation=shown(dialogue),
                trap_core=dialogue.trap_core,
                ground_truth=dialogue.ground_truth,
            )

        return await settle(
            ask,
            read_truth_align,
            subject_id=dialogue.dialogue_id,
            checker=self.name,
            text=dialogue.user_text,
        )


def read_truth_align(asked: Asked) -> Finding:
    """Turn a reply into a finding; a trap that is gone outweighs an escape."""
    fields = asked.fields
    holds, depends, no_escape = (bool(fields[name]) for name in ("holds", "depends", "no_escape"))
    fault, quote, reason = FAULT_OF_CHANGE[fields["change"]], fields["quote"], fields["reason"]
    if holds is not (fault is None):
        return unsettled(f"contradiction: holds={holds} with change={fields['change']}; {reason}")
    if fault is not None:
        rests = bool(quote.strip()) or fault is not Fault.TRAP_LOST
        return failed(fault, reason, (quote,), rests_on_quote=rests)
    scores = (("valid", float(depends)), ("no_escape", float(no_escape)))
    if not depends:
        told = f"the last question does not depend on it; {reason}".rstrip("; ")
        return Finding(VerdictKind.FAIL, Fault.TRAP_LOST, told, (quote,), scores)
    if not no_escape:
        return Finding(VerdictKind.FAIL, Fault.SUBTASK_ESCAPE, reason, (fields["escape"],), scores)
    return Finding(VerdictKind.PASS, None, reason, (quote,), scores)
