"""Calls of the dialogue stage before anything is paid."""

from __future__ import annotations

from collections.abc import Sequence

from checkers.base import CHECK_ATTEMPTS
from checkers.judge import judges_asked
from curation.call_sizes import CallSize
from curation.cells import CellState
from curation.estimates import READINGS, role_plan
from salitrap.dialogues import Control
from salitrap.plan import Plan
from salitrap.records import Role, Stage
from salitrap.settings import Settings

WRITTEN = CallSize(900.0, 1900.0, 300.0, 1200.0)
"""Tokens of one dialogue written: instructions and request in, facts and turns out."""

CHECKED = CallSize(700.0, 1800.0, 40.0, 320.0)
ANSWERED = CallSize(60.0, 6000.0, 150.0, 1200.0)
"""An answer within a conversation: the turns before it are sent again."""

JUDGED = CallSize(1000.0, 9000.0, 30.0, 270.0)
CHECKS = 4
"""Questions to checkers about one dialogue: feasible before t* and not at it, the whole, naturalness."""

TWIN_CHECKS = 1


def seeds_with_dialogues(settings: Settings, cells: Sequence[CellState]) -> int:
    """At most how many seeds get dialogues."""
    most = settings.dialogues.per_cell
    return sum(cell.target if most is None else min(most, cell.target) for cell in cells)


def plan_dialogues(settings: Settings, seeds: int, patterns: int | None = None) -> Plan:
    """Calls for the dialogues of ``seeds`` certified seeds.

    Few: no seed has an item. Many: every version falls for it, is played to its last turn in every repeat,
    and proves unstable; and yet twins and corrections are written.
    """
    wanted = settings.dialogues
    units = seeds * (len(wanted.patterns) if patterns is None else patterns)
    if not units:
        return Plan()
    repeats, most = settings.certify.repeats, wanted.attempts
    playings = most * (1 + repeats)
    answers = playings * wanted.turns
    corrections = int(Control.VALID_CORRECTION in wanted.controls)
    ranges = {
        Role.GENERATOR: ((0, most + wanted.twin_attempts + corrections), WRITTEN),
        Role.CHECKER: ((0, CHECK_ATTEMPTS * (CHECKS * most + TWIN_CHECKS * wanted.twin_attempts)), CHECKED),
        Role.SOLVER: ((0, answers), ANSWERED),
        Role.JUDGE: ((0, READINGS * judges_asked(settings) * answers), JUDGED),
    }
    return Plan(
        roles=tuple(
            role_plan(Stage.DIALOGUES, role, (units * low, units * high), size)
            for role, ((low, high), size) in ranges.items()
        )
    )
