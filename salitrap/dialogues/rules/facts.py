"""Facts, the conditions made of them, and t*."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from salitrap.dialogues.facts import feasible_after, first_infeasible
from salitrap.dialogues.record import Dialogue
from salitrap.dialogues.rules.finding import DialogueFinding
from salitrap.dialogues.states import Control, DialogueFault, Speaker, When

Findings = Iterator[DialogueFinding]


def findings(dialogue: Dialogue) -> Findings:
    """What is wrong with the facts and with t*; t* is looked at when the facts are sound."""
    wrong = [*_keys(dialogue), *_order(dialogue), *_conditions(dialogue)]
    yield from wrong or _t_star(dialogue)


def _keys(dialogue: Dialogue) -> Findings:
    known = Counter(fact.key for fact in dialogue.facts)
    for number, turn in enumerate(dialogue.turns, 1):
        for key in (*turn.facts_added, *turn.facts_removed):
            if key not in known:
                yield DialogueFinding(DialogueFault.UNKNOWN_FACT, number, f"{key!r} is not in facts")
    for key in sorted({key for condition in dialogue.infeasible_when for key in condition} - known.keys()):
        yield DialogueFinding(DialogueFault.UNKNOWN_FACT, 0, f"{key!r} of infeasible_when is not in facts")
    for key in sorted(key for key, count in known.items() if count > 1):
        yield DialogueFinding(DialogueFault.FACT_ADDED_TWICE, 0, f"{key!r} is in facts twice")


def _order(dialogue: Dialogue) -> Findings:
    """A fact is added once at a time, removed only when it is there, and never behind a gate."""
    present: set[str] = set()
    for number, turn in enumerate(dialogue.turns, 1):
        if turn.when is not When.ALWAYS and (turn.facts_added or turn.facts_removed):
            why = "a turn that may be left out changes facts, so that t* would depend on the answers"
            yield DialogueFinding(DialogueFault.GATED_TURN_CHANGES_FACTS, number, why)
        for key in turn.facts_removed:
            if key not in present:
                why = f"{key!r} is removed before it was added"
                yield DialogueFinding(DialogueFault.FACT_NOT_THERE, number, why)
        present -= set(turn.facts_removed)
        for key in turn.facts_added:
            if key in present:
                yield DialogueFinding(DialogueFault.FACT_ADDED_TWICE, number, f"{key!r} is there already")
            present.add(key)


def _conditions(dialogue: Dialogue) -> Findings:
    conditions = [frozenset(condition) for condition in dialogue.infeasible_when]
    if not all(conditions) or (not conditions and dialogue.control is not Control.FEASIBLE_TWIN):
        why = "infeasible_when must name the facts that make the task impossible"
        yield DialogueFinding(DialogueFault.NO_CONDITION, 0, why)
        return
    for place, one in enumerate(conditions):
        if any(other <= one for at, other in enumerate(conditions) if at != place):
            why = f"the condition {sorted(one)} contains another one"
            yield DialogueFinding(DialogueFault.CONDITION_NOT_MINIMAL, 0, why)
    if dialogue.control is Control.FEASIBLE_TWIN:
        return
    added = {key for turn in dialogue.turns for key in turn.facts_added}
    for key in sorted(frozenset().union(*conditions) - added):
        why = f"{key!r} of infeasible_when is never added by a turn"
        yield DialogueFinding(DialogueFault.FACT_NEVER_ADDED, 0, why)


def _t_star(dialogue: Dialogue) -> Findings:
    computed, count = first_infeasible(dialogue), len(dialogue.user_turns)
    if dialogue.t_star is not None and not 1 <= dialogue.t_star <= count:
        why = f"t_star is {dialogue.t_star}, the user has {count} turns"
        yield DialogueFinding(DialogueFault.T_STAR_OUT_OF_RANGE, 0, why)
    elif dialogue.t_star != computed:
        why = f"t_star is {_said(dialogue.t_star)}, the facts give {_said(computed)}"
        yield DialogueFinding(DialogueFault.T_STAR_WRONG, 0, why)
    users = [(number, turn) for number, turn in enumerate(dialogue.turns, 1) if turn.role is Speaker.USER]
    feasible = feasible_after(dialogue.user_turns, dialogue.infeasible_when)
    for (number, turn), possible in zip(users, feasible, strict=True):
        if turn.feasible is not possible:
            why = f"feasible is {turn.feasible}, the facts give {possible}"
            yield DialogueFinding(DialogueFault.FEASIBLE_WRONG, number, why)


def _said(turn: int | None) -> str:
    return "never" if turn is None else str(turn)
