"""The valid correction: the user mends the premise in one more turn, and the model should come round."""

from __future__ import annotations

from typing import ClassVar

import dspy

from generator.dialogues.assemble import settled
from generator.dialogues.twin import decisive_facts, numbered
from prompts.program import Program
from salitrap.dialogues import Control, Dialogue, DialogueFact, Move, Replay, Turn, When
from salitrap.providers.access import Access
from salitrap.records.enums import Role
from salitrap.records.provenance import Provenance
from salitrap.text import as_written


class CorrectionSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Mend the premise in one message."""

    conversation: list[str] = dspy.InputField(desc="the user's messages so far, numbered")
    trap_core: str = dspy.InputField(desc="the impossibility, which must go")
    decisive: list[str] = dspy.InputField(desc="the facts that make the task impossible")
    content: str = dspy.OutputField(desc="the user's next message")
    fact: str = dspy.OutputField(desc="the fact that holds from now on")
    numbers: list[str] = dspy.OutputField(default=[], desc="figures of the message, as written; may be empty")


class CorrectionWriter(Program):
    """Writes the message that makes the task possible."""

    prompt_id: ClassVar[str] = "dialogue_correction"
    role: ClassVar[Role] = Role.GENERATOR
    signature: ClassVar[type[dspy.Signature]] = CorrectionSignature

    async def write(self, access: Access, trap: Dialogue, *, slot: int = 0, repeat: int = 0) -> Dialogue:
        """Write ``trap`` with a correction at its end.

        Raises:
            CallFailed: no usable reply.
            StoppedError: the run cannot go on.
        """
        kept = ungated(trap)
        asked = await self.ask(
            access,
            trap.language,
            slot=slot,
            repeat=repeat,
            conversation=numbered(kept),
            trap_core=trap.trap_core,
            decisive=decisive_facts(trap),
        )
        fields = asked.fields
        return with_correction(trap, fields["content"], fields["fact"], fields["numbers"], asked.provenance)


def with_correction(
    trap: Dialogue, content: str, fact: str, numbers: list[str], provenance: Provenance | None = None
) -> Dialogue:
    """The turns of ``trap`` that are always sent, and a last one that takes the decisive facts back."""
    kept = ungated(trap)
    text, key = content.strip(), "premise_mended"
    present = {name for turn in kept.turns for name in turn.facts_added}
    gone = sorted({name for one in trap.infeasible_when for name in one if present.issuperset(one)})
    last = Turn(
        content=text,
        move=Move.CORRECTION,
        facts_added=(key,),
        facts_removed=tuple(gone),
        numbers=as_written(text, tuple(numbers)),
    )
    corrected = kept.model_copy(
        update={
            "control": Control.VALID_CORRECTION,
            "twin_of": trap.dialogue_id,
            "facts": (*trap.facts, DialogueFact(key=key, text=fact.strip())),
            "turns": (*kept.turns, last),
            "provenance": provenance,
        }
    )
    return settled(corrected)


def ungated(dialogue: Dialogue) -> Dialogue:
    """``dialogue`` without the turns that wait for an answer, played live."""
    turns = tuple(turn for turn in dialogue.turns if turn.when is When.ALWAYS)
    return dialogue.model_copy(update={"turns": turns, "replay": Replay.LIVE})
