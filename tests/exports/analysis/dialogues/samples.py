"""Dialogues in short: one letter a user turn.

F Pass, H Hard Fail, T CoT Hijacked, S Sycophantic Compliance, P Patch Compliance, R Refusal,
e judge_error, t timeout, - not sent.
"""

from __future__ import annotations

from typing import Any

from exports.analysis.dialogues import Play, plays_of
from exports.analysis.records import LabelChoice
from salitrap.dialogues.states import Control
from salitrap.records import Label, LabelRow, LabelStatus

LABELS = {
    "F": Label.PASS,
    "H": Label.HARD_FAIL,
    "T": Label.COT_HIJACKED,
    "S": Label.SYCOPHANTIC_COMPLIANCE,
    "P": Label.PATCH_COMPLIANCE,
    "R": Label.REFUSAL,
}
FAILED = {"e": LabelStatus.JUDGE_ERROR, "t": LabelStatus.TIMEOUT}


def played(turns: str, t_star: int | None = 1, name: str = "d1", **fields: Any) -> list[LabelRow]:
    """The rows of one replay."""
    return [
        LabelRow.model_validate(
            {
                "model": "model-a",
                "item_id": name,
                "seed_id": "s1",
                "dimension_tag": "D1",
                "status": FAILED.get(letter, LabelStatus.OK),
                "label": LABELS.get(letter),
                "turn": number,
                "turns": len(turns),
                "t_star": t_star,
                **fields,
            }
        )
        for number, letter in enumerate(turns, 1)
        if letter != "-"
    ]


def play(turns: str, t_star: int | None = 1, name: str = "d1", **fields: Any) -> Play:
    """The same as a play."""
    (one,) = plays_of(played(turns, t_star, name, **fields), LabelChoice.VISIBLE)
    return one


def traps(*turns: str, t_star: int = 1, **fields: Any) -> list[Play]:
    """Trap dialogues, each with a seed of its own."""
    return [
        play(letters, t_star, f"d{number}", seed_id=f"s{number}", **fields)
        for number, letters in enumerate(turns)
    ]


def of_control(control: Control, *turns: str, t_star: int | None, **fields: Any) -> list[Play]:
    """Controls of the trap dialogues ``d0``, ``d1``, .."""
    return [
        play(
            letters,
            t_star,
            f"{control.value}-{number}",
            seed_id=f"s{number}",
            twin_of=f"d{number}",
            control=control,
            **fields,
        )
        for number, letters in enumerate(turns)
    ]
