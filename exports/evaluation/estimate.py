"""Calls of an evaluation before anything is paid."""

from __future__ import annotations

from curation.estimates import TYPICAL
from salitrap.plan import Plan, RolePlan
from salitrap.records.enums import Role, Stage

MOST_READINGS = 4
"""Two labels an answer (visible, with reasoning), each asked for at most twice."""


def plan_evaluation(items: int, models: int, repeats: int) -> Plan:
    """Answers and labels of ``items`` items by ``models`` models, ``repeats`` times."""
    answers = items * models * repeats
    return Plan(roles=(_role(Role.SOLVER, answers, answers), *plan_judging(answers).roles))


def plan_judging(answers: int) -> Plan:
    """Labels of ``answers`` answers."""
    return Plan(roles=(_role(Role.JUDGE, answers, MOST_READINGS * answers),))


def _role(role: Role, low: int, high: int) -> RolePlan:
    typical = TYPICAL[role]
    return RolePlan(
        stage=Stage.EVAL,
        role=role,
        calls_low=low,
        calls_high=high,
        input_tokens=high * typical.input,
        output_tokens=high * typical.output,
    )
