"""A plan in USD and seconds: pools, unknown prices, calls at once, and the budget beside it."""

from __future__ import annotations

import pytest

from salitrap.plan import Plan, RolePlan
from salitrap.providers.money.costing import budget_views, cost_of
from salitrap.providers.money.pace import LATENCY
from salitrap.records import Role, Stage
from salitrap.settings import Budget
from tests.providers.helpers import endpoint, settings

MILLION = 1_000_000
CHEAP = endpoint("openai/cheap", price_input=1, price_output=1)
DEAR = endpoint("openai/dear", price_input=10, price_output=10)


def role_plan(role=Role.SOLVER, calls=(10, 20), at_once=None):
    return RolePlan(
        stage=Stage.REFINE,
        role=role,
        calls_low=calls[0],
        calls_high=calls[1],
        input_low=MILLION,
        input_high=2 * MILLION,
        output_low=0,
        output_high=MILLION,
        at_once=at_once,
    )


def plan(*roles):
    return Plan(roles=roles or (role_plan(),))


def test_round_robin_costs_the_mean_and_failover_anything_between():
    by_turns = cost_of(plan(), settings(CHEAP, DEAR, role={"policy": "round_robin"}))
    assert by_turns.usd == pytest.approx((5.5, 16.5))
    first = cost_of(plan(), settings(CHEAP, DEAR))
    assert first.usd == pytest.approx((1.0, 30.0))


def test_a_pool_with_one_unknown_price_is_unknown_and_the_rest_is_still_told():
    chosen = settings(CHEAP)
    unknown = settings(CHEAP, endpoint("openai/unheard-of")).roles[Role.JUDGE]
    chosen = chosen.model_copy(update={"roles": {**chosen.roles, Role.JUDGE: unknown}})
    cost = cost_of(plan(role_plan(), role_plan(Role.JUDGE)), chosen)
    assert cost.usd is None
    assert cost.unpriced == ("openai/unheard-of",)
    assert cost.rows[1].usd is None
    assert cost.usd_known == pytest.approx((1.0, 3.0))


def test_dates_are_those_of_the_table_prices_in_the_sum():
    assert cost_of(plan(), settings("openai/gpt-5")).price_dates == ("2025-11-13",)
    assert cost_of(plan(), settings(CHEAP)).price_dates == ()
    assert cost_of(plan(), settings("openai/gpt-5", endpoint("openai/unheard-of"))).price_dates == ()


@pytest.mark.parametrize(
    ("at_once", "in_flight", "seconds"),
    [(None, 5, (2.0, 4.0)), (4, 64, (3.0, 5.0)), (4, 2, (5.0, 10.0)), (None, 64, (1.0, 1.0))],
)
def test_wall_time_is_rounds_of_calls_at_once(at_once, in_flight, seconds):
    chosen = settings(endpoint("openai/m", in_flight=in_flight))
    cost = cost_of(plan(role_plan(at_once=at_once)), chosen, latency=1.0)
    assert cost.seconds == seconds


def test_endpoints_by_turns_take_calls_together_and_a_backup_does_not():
    two = (endpoint("openai/a", in_flight=5), endpoint("openai/b", in_flight=5))
    assert cost_of(plan(), settings(*two, role={"policy": "round_robin"})).rows[0].at_once == 10
    assert cost_of(plan(), settings(*two)).rows[0].at_once == 5


def test_latency_is_an_assumption_a_role_unless_it_is_given():
    assert cost_of(plan(), settings("openai/m")).rows[0].latency == LATENCY[Role.SOLVER]
    assert cost_of(plan(), settings("openai/m"), 3.0).rows[0].latency == 3.0
    assert cost_of(plan(), settings("lab/m", lab={"latency": 2.0})).rows[0].latency == pytest.approx(2.25)


def test_limits_stand_beside_the_plan():
    cost = cost_of(plan(), settings(CHEAP))
    views = {view.unit: view for view in budget_views(cost, Budget(calls=5, tokens=7, usd=2.0))}
    assert (views["calls"].low, views["calls"].high) == (10, 20)
    assert (views["tokens"].low, views["tokens"].high) == (MILLION, 3 * MILLION)
    assert (views["USD"].low, views["USD"].high) == pytest.approx((1.0, 3.0))
    assert budget_views(cost, Budget()) == ()
    (unknown,) = budget_views(cost_of(plan(), settings("openai/m")), Budget(usd=1.0))
    assert (unknown.low, unknown.high) == (None, None)
