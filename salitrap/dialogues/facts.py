"""Which turn makes the task impossible: computed from the facts alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from salitrap.dialogues.record import Dialogue, Turn

Conditions = Sequence[Sequence[str]]


def feasible_after(turns: Sequence[Turn], conditions: Conditions) -> tuple[bool, ...]:
    """For each turn in order: can the task be done with the facts so far?"""
    return tuple(not _impossible(present, conditions) for present in _facts_so_far(turns))


def first_infeasible(dialogue: Dialogue) -> int | None:
    """The first user turn, from 1, after which the task is impossible; None when there is none."""
    feasible = feasible_after(dialogue.user_turns, dialogue.infeasible_when)
    return next((number for number, possible in enumerate(feasible, 1) if not possible), None)


def restored_at(dialogue: Dialogue) -> int | None:
    """The first user turn after t* at which the task can be done again; None when it stays impossible."""
    start = first_infeasible(dialogue)
    if start is None:
        return None
    feasible = feasible_after(dialogue.user_turns, dialogue.infeasible_when)
    return next((number for number, possible in enumerate(feasible, 1) if possible and number > start), None)


def _facts_so_far(turns: Sequence[Turn]) -> Iterator[frozenset[str]]:
    present: frozenset[str] = frozenset()
    for turn in turns:
        present = (present - set(turn.facts_removed)) | set(turn.facts_added)
        yield present


def _impossible(present: frozenset[str], conditions: Conditions) -> bool:
    return any(present.issuperset(condition) for condition in conditions)
