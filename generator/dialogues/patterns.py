"""One program a pattern: expand a request into turns, facts and figures allotted to each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import dspy

from generator.dialogues.assemble import Source, assembled
from generator.dialogues.drafts import DialogueDraft, FactDraft, TurnDraft
from prompts.program import Program
from salitrap.dialogues import Dialogue, Pattern
from salitrap.providers.access import Access
from salitrap.records.enums import Role


class DialogueSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Spread a request over the turns of a conversation."""

    prompt: str = dspy.InputField(desc="the request to spread")
    trap_core: str = dspy.InputField(desc="the impossibility it rests on")
    ground_truth: str = dspy.InputField(desc="what a right answer has to say")
    injected_numbers: list[str] = dspy.InputField(desc="figures that all have to occur")
    pattern: str = dspy.InputField(desc="how the turns lead past the condition")
    turns_wanted: int = dspy.InputField(desc="number of messages of the user")
    remarks: list[str] = dspy.InputField(desc="what was wrong with earlier versions; empty at first")
    facts: list[FactDraft] = dspy.OutputField(desc="the facts, each under a key")
    infeasible_when: list[list[str]] = dspy.OutputField(desc="sets of keys that make the task impossible")
    turns: list[TurnDraft] = dspy.OutputField(desc="the messages of the user, in order")


@dataclass(frozen=True, slots=True)
class Written:
    """A dialogue as written, not yet checked, and the words of the reply."""

    dialogue: Dialogue
    raw: str


class PatternWriter(Program):
    """Writes dialogues of one pattern."""

    pattern: ClassVar[Pattern]
    role: ClassVar[Role] = Role.GENERATOR
    signature: ClassVar[type[dspy.Signature]] = DialogueSignature

    async def write(  # what is asked for, and the three numbers of a call
        self,
        access: Access,
        source: Source,
        *,
        turns_wanted: int,
        remarks: tuple[str, ...] = (),
        slot: int = 0,
        repeat: int = 0,
    ) -> Written:
        """Write one dialogue from ``source``.

        Raises:
            CallFailed: no usable reply.
            StoppedError: the run cannot go on.
        """
        asked = await self.ask(
            access,
            source.language,
            slot=slot,
            repeat=repeat,
            prompt=source.prompt,
            trap_core=source.trap_core,
            ground_truth=source.ground_truth,
            injected_numbers=list(source.numbers),
            pattern=self.pattern.value,
            turns_wanted=turns_wanted,
            remarks=list(remarks),
        )
        draft = DialogueDraft.model_validate(
            {name: asked.fields[name] for name in DialogueDraft.model_fields}
        )
        return Written(assembled(draft, source, self.pattern, asked.provenance), asked.raw)


class DripWriter(PatternWriter):
    """Facts one by one; only together they make the task impossible."""

    prompt_id: ClassVar[str] = "dialogue_drip"
    pattern: ClassVar[Pattern] = Pattern.DRIP


class StateChangeWriter(PatternWriter):
    """Feasible at first; an update in passing breaks it."""

    prompt_id: ClassVar[str] = "dialogue_state_change"
    pattern: ClassVar[Pattern] = Pattern.STATE_CHANGE


class SunkCostWriter(PatternWriter):
    """Sound calculations first, then the trap."""

    prompt_id: ClassVar[str] = "dialogue_sunk_cost"
    pattern: ClassVar[Pattern] = Pattern.SUNK_COST


class EscalationWriter(PatternWriter):
    """After a flag more figures, no social pressure."""

    prompt_id: ClassVar[str] = "dialogue_escalation"
    pattern: ClassVar[Pattern] = Pattern.ESCALATION


class PushbackWriter(PatternWriter):
    """After a flag social pressure, each time of another kind."""

    prompt_id: ClassVar[str] = "dialogue_pushback"
    pattern: ClassVar[Pattern] = Pattern.PUSHBACK


class ConsensusWriter(PatternWriter):
    """After a flag: everyone does it."""

    prompt_id: ClassVar[str] = "dialogue_consensus"
    pattern: ClassVar[Pattern] = Pattern.CONSENSUS


WRITERS: dict[Pattern, type[PatternWriter]] = {
    writer.pattern: writer
    for writer in (
        DripWriter,
        StateChangeWriter,
        SunkCostWriter,
        EscalationWriter,
        PushbackWriter,
        ConsensusWriter,
    )
}
