"""What ``salitrap show`` says of a dialogue: its turns, what checkers found, and how solvers fared."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curation.dialogues.records import KeptDialogue, PlayedLabels
    from salitrap.dialogues import Dialogue

Prints = Callable[[str, str], None]
HELD = {True: "robust", False: "not robust", None: "no known end"}


def print_dialogue(kept: KeptDialogue, heading: Callable[[str], None], field: Prints) -> None:
    """Print everything that is known of a dialogue."""
    dialogue = kept.dialogue
    control = "" if dialogue.control.value == "none" else f", {dialogue.control.value} of {dialogue.twin_of}"
    heading(f"Dialogue {kept.dialogue_id} ({dialogue.pattern.value}{control}): {kept.status.value}")
    if kept.reason:
        field("reason", kept.reason)
    field("made from", dialogue.source_id or dialogue.seed_id)
    if kept.twin_id:
        field("feasible twin", kept.twin_id)
    _print_turns(dialogue, field)
    for evaluation in kept.evaluations:
        field(evaluation.checker, f"{evaluation.verdict.value} {evaluation.reason}".strip())
    for playing in kept.playings:
        field(f"playing {playing.repeat} of {playing.solver}", _told(playing))
    if kept.stability is not None:
        told = kept.stability
        rate = f"{told.rate:.2f} [{told.rate_low:.2f}, {told.rate_high:.2f}] of {told.scored} scored repeats"
        field("not robust in", f"{rate}, rule {told.rule}")


def _print_turns(dialogue: Dialogue, field: Prints) -> None:
    field("impossible when", "; or ".join(" and ".join(one) for one in dialogue.infeasible_when))
    for fact in dialogue.facts:
        field(f"fact {fact.key}", fact.text)
    number = 0
    for turn in dialogue.turns:
        number += turn.role.value == "user"
        marks = [turn.move.value, "" if turn.when.value == "always" else f"only after {turn.when.value}"]
        marks.append("t*" if turn.role.value == "user" and number == dialogue.t_star else "")
        told = ", ".join(mark for mark in marks if mark)
        field(f"turn {number} ({turn.role.value}: {told})", turn.content)


def _told(playing: PlayedLabels) -> str:
    labels = " ".join(
        f"{answer.turn}:{answer.label.value if answer.label else answer.status.value}"
        for answer in playing.answers
    )
    return f"{HELD[playing.robust]}; {labels}"
