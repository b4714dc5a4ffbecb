"""One published dialogue as a record of another format.

What is written is a script to be played: unless the dialogue is pinned, user turns follow each other, and
the model's answers belong between them. None of these formats knows gates either: ``when`` stands beside
the turns, in their order, so that a player can keep a turn back, or leave gated dialogues out by ``replay``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from exports.dataset.dialogue_rows import PublishedDialogue
from salitrap.dialogues import Speaker, Turn
from salitrap.records.ids import sha256_text

_SHAREGPT = {Speaker.USER: "human", Speaker.ASSISTANT: "gpt"}
QUESTION_DIGITS = 8


class Format(StrEnum):
    """A format to convert to."""

    OPENAI = "openai"
    SHAREGPT = "sharegpt"
    MT_BENCH = "mt-bench"


def converted(row: PublishedDialogue, to: Format) -> dict[str, Any]:
    """Return the dialogue in the format ``to``; what the format has no place for is in its metadata."""
    return _WRITERS[to](row)


def openai_messages(row: PublishedDialogue) -> dict[str, Any]:
    """``messages`` of ``role`` and ``content``; a chat template wants the answers between them first."""
    messages = [{"role": turn.role.value, "content": turn.content} for turn in row.turns]
    return {"messages": messages, "metadata": _about(row)}


def sharegpt(row: PublishedDialogue) -> dict[str, Any]:
    """``conversations`` of ``from`` (human or gpt) and ``value``."""
    said = [{"from": _SHAREGPT[turn.role], "value": turn.content} for turn in row.turns]
    return {"id": row.dialogue_id, "conversations": said, "metadata": _about(row)}


def mt_bench(row: PublishedDialogue) -> dict[str, Any]:
    """A question file's line: ``turns`` are the user's, ``reference`` says at each what must be noticed.

    ``question_id`` is a whole number there, so it is made of the dialogue's id.
    """
    turns = row.dialogue.user_turns
    return {
        "question_id": int(sha256_text(row.dialogue_id)[:QUESTION_DIGITS], 16),
        "category": row.dimension_tag,
        "turns": [turn.content for turn in turns],
        "reference": [_reference(row, turn) for turn in turns],
        "metadata": _about(row),
    }


def _reference(row: PublishedDialogue, turn: Turn) -> str:
    return "" if turn.feasible else row.ground_truth


def _about(row: PublishedDialogue) -> Mapping[str, Any]:
    users = row.dialogue.user_turns
    return {
        "dialogue_id": row.dialogue_id,
        "seed_id": row.seed_id,
        "dimension_tag": row.dimension_tag,
        "language": row.language.value,
        "pattern": row.pattern.value,
        "control": row.control.value,
        "twin_of": row.twin_of,
        "replay": row.replay.value,
        "t_star": row.t_star,
        "when": [turn.when.value for turn in users],
        "feasible": [turn.feasible for turn in users],
        "trap_core": row.trap_core,
        "ground_truth": row.ground_truth,
        "simulated": row.simulated,
        "canary": row.canary,
    }


_WRITERS: Mapping[Format, Callable[[PublishedDialogue], dict[str, Any]]] = {
    Format.OPENAI: openai_messages,
    Format.SHAREGPT: sharegpt,
    Format.MT_BENCH: mt_bench,
}
