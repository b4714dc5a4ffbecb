"""Calls of an optimisation before anything is paid."""

from __future__ import annotations

from collections.abc import Sequence

from curation.call_sizes import CallSize
from curation.estimates import role_plan
from exports.calibration.estimate import MOST_READINGS, reading_size
from exports.optimize.examples import Parts
from exports.optimize.methods import MINIBATCH, SETS, Method, gepa_calls
from salitrap.plan import Plan
from salitrap.records.enums import Role, Stage
from salitrap.settings import Settings

IMPROVING = CallSize(2000.0, 9000.0, 800.0, 3000.0)
"""Tokens of one request for better instructions: the instructions, a minibatch of cases, and a new text."""


def plan_optimization(parts: Sequence[Parts], method: Method, settings: Settings) -> Plan:
    """Few: no candidate does better, and nothing is read on the held half. Many: all are tried in full."""
    answers = [answer for part in parts for answer in (*part.learn, *part.choose)]
    size = reading_size(answers, settings)
    low = sum(len(part.choose) for part in parts)
    high = MOST_READINGS * sum(_most(part, method) for part in parts)
    judged = role_plan(Stage.JUDGE, Role.JUDGE, (low, high), size)
    if method == "bootstrap":
        return Plan(roles=(judged,))
    proposals = sum(gepa_calls(len(part.choose)) // (2 * MINIBATCH) + 1 for part in parts)
    return Plan(roles=(judged, role_plan(Stage.JUDGE, Role.WRITER, (0, proposals), IMPROVING)))


def searched_at_most(part: Parts, method: Method) -> int:
    """Answers that may be judged during the search in one language."""
    if method == "bootstrap":
        return len(part.learn) + (SETS + 1) * len(part.choose)
    return gepa_calls(len(part.choose)) + 2 * MINIBATCH + len(part.choose)


def _most(part: Parts, method: Method) -> int:
    return searched_at_most(part, method) + 2 * len(part.held.answers)
