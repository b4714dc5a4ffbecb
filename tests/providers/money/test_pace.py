"""Calls at once and seconds a call of a plan: slots of a model file, and speeds that are assumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.whole_plan import plan_run
from salitrap.plan import Plan, RolePlan
from salitrap.providers.money.costing import cost_of
from salitrap.providers.money.pace import (
    LATENCY,
    LOCAL_READING,
    LOCAL_WRITING,
    Basis,
    calls_at_once,
    seconds_a_call,
)
from salitrap.records import Role, Stage
from salitrap.settings import RoleSettings, load_settings
from seeds import load_domains
from tests.providers.helpers import endpoint, settings

LOCAL_EXAMPLE = Path(__file__).parents[3] / "examples" / "local.yaml"
TURNS = {"policy": "round_robin"}


def pool(*endpoints, **more):
    return RoleSettings(endpoints=endpoints, **more)


def gguf(path="m.gguf", slots=2, **more):
    return endpoint(f"gguf/{path}", gguf={"slots": slots}, **more)


def calls(role=Role.SOLVER, count=10, tokens=2000):
    return RolePlan(
        stage=Stage.REFINE, role=role, calls_low=0, calls_high=count,
        input_low=0, input_high=tokens, output_low=0, output_high=tokens,
    )  # fmt: skip


def test_a_model_file_takes_one_call_a_slot_whatever_in_flight_says():
    """A plan once had 12 calls at once on 2 slots."""
    assert calls_at_once(pool(gguf())) == 2
    assert calls_at_once(pool(gguf(slots=4, in_flight=64))) == 4
    assert calls_at_once(pool(gguf(slots=4, in_flight=1))) == 1
    assert calls_at_once(pool(endpoint("gguf/m.gguf"))) == 2
    assert calls_at_once(pool(endpoint("openai/m", in_flight=12))) == 12


def test_endpoints_of_one_file_share_its_slots_and_those_of_two_do_not():
    here = gguf(f"{Path.cwd()}/m.gguf", family="again")
    assert calls_at_once(pool(gguf(), here, **TURNS)) == 2
    assert calls_at_once(pool(gguf(), gguf("other.gguf"), **TURNS)) == 4


def test_the_slowest_of_those_that_take_turns_holds_up_the_rest():
    """Each gets the same share of the calls, so 64 elsewhere do not help the 2 here."""
    fast = endpoint("openai/m", in_flight=64)
    mixed = pool(gguf(), fast, **TURNS)
    assert calls_at_once(mixed) == 4
    chosen = settings(gguf(), fast, role=TURNS)
    assert seconds_a_call(calls(), chosen)[1] is Basis.LOCAL
    assert seconds_a_call(calls(), settings(fast, gguf()))[1] is Basis.HOSTED, "a backup does not count"


def test_a_local_call_reads_its_prompt_and_writes_to_the_limit():
    chosen = settings(gguf(), role={"max_tokens": 600})
    seconds, basis = seconds_a_call(calls(count=10, tokens=2000), chosen)
    assert seconds == round(200 / LOCAL_READING + 600 / LOCAL_WRITING)
    assert basis is Basis.LOCAL
    assert seconds_a_call(calls(count=0, tokens=0), settings(gguf(), role={"max_tokens": 1})) == (1.0, basis)


def test_latency_that_is_given_stands_for_local_models_too():
    row = cost_of(Plan(roles=(calls(),)), settings(gguf()), latency=3.0).rows[0]
    assert (row.latency, row.basis, row.at_once) == (3.0, Basis.GIVEN, 2)
    assert cost_of(Plan(roles=(calls(),)), settings("openai/m")).rows[0].latency == LATENCY[Role.SOLVER]


@pytest.fixture
def example():
    return load_settings(LOCAL_EXAMPLE)


def test_the_local_example_is_planned_on_its_two_slots_in_under_20_minutes(example):
    cost = cost_of(plan_run(example, load_domains(example.domains)), example)
    local = [row for row in cost.rows if row.basis is Basis.LOCAL]
    assert {row.plan.role for row in local} == {Role.SOLVER}
    assert {row.at_once for row in local} == {2}
    assert sum(row.plan.calls_high for row in local) == 16
    assert cost.seconds[1] < 20 * 60
    assert example.roles[Role.SOLVER].max_tokens >= 800, "shorter answers are cut off and cannot be judged"


def test_the_local_example_has_time_for_a_machine_six_times_as_slow(example):
    for role in (Role.SOLVER, Role.WRITER, Role.GENERATOR):
        chosen = example.roles[role]
        assert chosen.attempt_timeout >= 6 * chosen.max_tokens / LOCAL_WRITING
        assert example.limits.deadline >= 2 * chosen.attempt_timeout
