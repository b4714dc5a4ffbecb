"""Hand a request to the task it belongs to, and put the result into a reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from salitrap.lab.request import Ask
from salitrap.lab.tasks.check import check_alignment, check_compliance, check_truth
from salitrap.lab.tasks.check_dialogue import (
    check_conversation,
    check_feasibility,
    check_truth_and_alignment,
)
from salitrap.lab.tasks.fill import fill
from salitrap.lab.tasks.improve import improve
from salitrap.lab.tasks.judge import judge
from salitrap.lab.tasks.judge_direct import judge_direct
from salitrap.lab.tasks.mend_dialogue import write_correction, write_twin
from salitrap.lab.tasks.naturalness import check_naturalness
from salitrap.lab.tasks.rewrite import rewrite
from salitrap.lab.tasks.scale import scale
from salitrap.lab.tasks.screen import check_screen
from salitrap.lab.tasks.solve import solve
from salitrap.lab.tasks.viability import check_viability
from salitrap.lab.tasks.write_dialogue import write_dialogue
from salitrap.records.enums import Language

Task = Callable[[Ask], dict[str, object]]

# The output properties by which a task is known.
TASKS: tuple[tuple[frozenset[str], Task], ...] = (
    (frozenset({"seeds"}), scale),
    (frozenset({"rewritten"}), rewrite),
    (frozenset({"improved"}), improve),
    (frozenset({"facts", "infeasible_when", "turns"}), write_dialogue),
    (frozenset({"fact", "turns", "ground_truth"}), write_twin),
    (frozenset({"content", "fact", "numbers"}), write_correction),
    (frozenset({"verdict", "quote", "reason"}), check_feasibility),
    (frozenset({"change", "depends", "no_escape"}), check_truth_and_alignment),
    (frozenset({"turns", "no_escape_wording"}), check_conversation),
    (frozenset({"holds", "change", "quote"}), check_truth),
    (frozenset({"valid", "no_escape", "escape"}), check_alignment),
    (frozenset({"everyday", "concision", "concealment", "numeric_context"}), check_naturalness),
    (frozenset({"eraser_test", "target_binding", "unique_ground_truth"}), check_viability),
    (frozenset({"same_trap", "numbers_kept", "no_escape", "no_patch"}), check_compliance),
    (frozenset({"personal_data", "self_harm", "quotes"}), check_screen),
    (frozenset({"notices", "quote", "completes_task", "refuses", "explains", "patches"}), judge),
    (frozenset({"label", "quote", "reason"}), judge_direct),
)
CHARS_PER_TOKEN = {Language.EN: 4.0, Language.ZH: 1.5}


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model says; ``content`` is None when a filter took it away."""

    content: str | None
    reasoning: str = ""
    finish_reason: str = "stop"


def reply_to(ask: Ask) -> Reply:
    """Answer a request: JSON for a schema, running text otherwise."""
    if ask.schema is None:
        text, reasoning = solve(ask)
        return Reply(text, reasoning)
    return Reply(json.dumps(task_of(ask)(ask), ensure_ascii=False))


def task_of(ask: Ask) -> Task:
    """The task whose output properties the schema has."""
    return next((task for names, task in TASKS if names <= ask.properties), fill)


def tokens(characters: int, language: Language) -> int:
    """Token count of a text, by characters."""
    return max(1, round(characters / CHARS_PER_TOKEN[language]))
