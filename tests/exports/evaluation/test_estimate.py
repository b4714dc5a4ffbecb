"""The plan of an evaluation: from the real items and answers."""

from __future__ import annotations

import pytest

from exports.evaluation import (
    EvalOptions,
    Evalset,
    GivenAnswer,
    evaluation_settings,
    plan_evaluation,
    plan_judging,
)
from exports.evaluation.estimate import MOST_READINGS
from salitrap.plan import Plan, RolePlan
from salitrap.providers.money.costing import cost_of
from salitrap.records import LabelStatus, Role


def roles(plan: Plan) -> dict[Role, RolePlan]:
    return {one.role: one for one in plan.roles}


def test_every_item_is_answered_once_a_model_and_repeat_and_judged_up_to_four_times(evalset: Evalset) -> None:
    settings = evaluation_settings(EvalOptions(models=("lab/one", "lab/two"), judge="lab/judge"))
    planned = roles(plan_evaluation(evalset.items, 2, 3, settings))
    answers = len(evalset.items) * 6
    assert (planned[Role.SOLVER].calls_low, planned[Role.SOLVER].calls_high) == (answers, answers)
    assert (planned[Role.JUDGE].calls_low, planned[Role.JUDGE].calls_high) == (
        answers,
        MOST_READINGS * answers,
    )
    prompts = sum(len(item.prompt) for item in evalset.items) / 4 * 6
    assert planned[Role.SOLVER].input_low <= prompts <= planned[Role.SOLVER].input_high
    assert planned[Role.JUDGE].input_low > planned[Role.SOLVER].input_high


def test_models_with_prices_of_their_own_are_weighed_alike(evalset: Evalset) -> None:
    options = EvalOptions(models=("openai/gpt-5", "openai/gpt-5-mini"), judge="anthropic/claude-haiku-4-5")
    settings = evaluation_settings(options)
    cost = cost_of(plan_evaluation(evalset.items, 2, 1, settings), settings)
    alone = [
        cost_of(plan_evaluation(evalset.items, 1, 1, one), one).rows[0].usd
        for name in options.models
        for one in [evaluation_settings(options.model_copy(update={"models": (name,)}))]
    ]
    assert cost.rows[0].usd is not None and all(alone)
    assert cost.rows[0].usd[1] == pytest.approx(sum(one[1] for one in alone if one), rel=0.01)
    assert cost.price_dates == ("2025-11-13", "2026-09-22")


def test_answers_made_elsewhere_are_counted_as_they_are(evalset: Evalset) -> None:
    def given(text: str, status: LabelStatus = LabelStatus.OK) -> GivenAnswer:
        return GivenAnswer(model="m", item_id=evalset.items[0].item_id, answer=text, status=status)

    short, long = (
        plan_judging([given("no")], evalset.items),
        plan_judging([given("no " * 4000)], evalset.items),
    )
    assert roles(long)[Role.JUDGE].input_low > roles(short)[Role.JUDGE].input_low + 2000
    unusable = plan_judging([given("no"), given("", LabelStatus.TIMEOUT), given("  ")], evalset.items)
    assert roles(unusable)[Role.JUDGE].calls_low == 1
    assert plan_judging([], evalset.items).calls_high == 0
