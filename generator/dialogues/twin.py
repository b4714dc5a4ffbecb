"""The feasible twin: only the turns that state a decisive fact are written anew."""

from __future__ import annotations

from typing import ClassVar

import dspy
from pydantic import BaseModel, ConfigDict, Field

from generator.dialogues.assemble import settled
from prompts.program import Program
from salitrap.dialogues import Control, Dialogue, DialogueFact, Turn
from salitrap.providers.access import Access
from salitrap.records.enums import Role
from salitrap.records.provenance import Provenance
from salitrap.text import as_written


class TwinTurn(BaseModel):
    """A turn of the twin."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    turn: int = Field(description="number of the message, from 1")
    content: str = Field(description="the message with the fact changed and all figures kept")


class TwinSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Change the one fact that makes the task impossible."""

    conversation: list[str] = dspy.InputField(desc="the user's messages, numbered")
    trap_core: str = dspy.InputField(desc="the impossibility, which must go")
    decisive: list[str] = dspy.InputField(desc="the facts that make the task impossible")
    to_rewrite: list[int] = dspy.InputField(desc="numbers of the messages that may be written anew")
    fact: str = dspy.OutputField(desc="the fact that holds instead, in plain words")
    turns: list[TwinTurn] = dspy.OutputField(desc="the messages that change")
    ground_truth: str = dspy.OutputField(desc="what a right answer does now that the task can be done")


class TwinWriter(Program):
    """Writes the decisive turns of a feasible twin."""

    prompt_id: ClassVar[str] = "dialogue_twin"
    role: ClassVar[Role] = Role.GENERATOR
    signature: ClassVar[type[dspy.Signature]] = TwinSignature

    async def write(self, access: Access, trap: Dialogue, *, slot: int = 0, repeat: int = 0) -> Dialogue:
        """Write the twin of ``trap``; whether it is one is for ``twin_findings`` to say.

        Raises:
            CallFailed: no usable reply.
            StoppedError: the run cannot go on.
        """
        places = decisive_turns(trap)
        asked = await self.ask(
            access,
            trap.language,
            slot=slot,
            repeat=repeat,
            conversation=numbered(trap),
            trap_core=trap.trap_core,
            decisive=decisive_facts(trap),
            to_rewrite=list(places),
        )
        given = [TwinTurn.model_validate(turn) for turn in asked.fields["turns"]]
        contents = {one.turn: one.content.strip() for one in given if one.turn in places}
        return feasible_twin(
            trap, contents, asked.fields["fact"], asked.fields["ground_truth"], asked.provenance
        )


def feasible_twin(
    trap: Dialogue,
    contents: dict[int, str],
    fact: str,
    ground_truth: str,
    provenance: Provenance | None = None,
) -> Dialogue:
    """``trap`` with the texts of ``contents`` by turn, and ``fact`` in place of the decisive ones.

    Of each condition the facts stated in turns that were written anew are replaced: it no longer holds.
    """
    key = _free_key("premise_holds", trap)
    gone = {
        name
        for number in contents
        for name in trap.turns[number - 1].facts_added
        if any(name in condition for condition in trap.infeasible_when)
    }
    turns = tuple(
        _twin_turn(turn, contents.get(number), gone, key) for number, turn in enumerate(trap.turns, 1)
    )
    twin = trap.model_copy(
        update={
            "control": Control.FEASIBLE_TWIN,
            "twin_of": trap.dialogue_id,
            "ground_truth": ground_truth.strip(),
            "facts": (*trap.facts, DialogueFact(key=key, text=fact.strip())),
            "turns": _added_once(turns, key),
            "provenance": provenance,
        }
    )
    return settled(twin)


def decisive_turns(trap: Dialogue) -> tuple[int, ...]:
    """Numbers of the turns that state a fact of a condition."""
    decisive = {key for condition in trap.infeasible_when for key in condition}
    return tuple(
        number for number, turn in enumerate(trap.turns, 1) if decisive.intersection(turn.facts_added)
    )


def decisive_facts(trap: Dialogue) -> list[str]:
    """The texts of the facts that make the task impossible."""
    decisive = {key for condition in trap.infeasible_when for key in condition}
    return [fact.text for fact in trap.facts if fact.key in decisive]


def numbered(dialogue: Dialogue) -> list[str]:
    """The user's messages with their numbers."""
    return [f"{number}. {turn.content}" for number, turn in enumerate(dialogue.user_turns, 1)]


def _twin_turn(turn: Turn, content: str | None, gone: set[str], key: str) -> Turn:
    if content is None:
        return turn
    facts = tuple(dict.fromkeys(key if name in gone else name for name in turn.facts_added))
    return turn.model_copy(
        update={"content": content, "facts_added": facts, "numbers": as_written(content, turn.numbers)}
    )


def _added_once(turns: tuple[Turn, ...], key: str) -> tuple[Turn, ...]:
    """The new fact is stated by the first turn that has it."""
    kept, seen = list[Turn](), False
    for turn in turns:
        if key in turn.facts_added and seen:
            facts = tuple(name for name in turn.facts_added if name != key)
            turn = turn.model_copy(update={"facts_added": facts})  # the same turn, mended
        seen = seen or key in turn.facts_added
        kept.append(turn)
    return tuple(kept)


def _free_key(wanted: str, dialogue: Dialogue) -> str:
    taken = {fact.key for fact in dialogue.facts}
    return next(name for at in range(len(taken) + 1) if (name := wanted + "_" * at) not in taken)
