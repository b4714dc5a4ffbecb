"""What ``plan`` says: ranges at 80 columns, unknown cost, dates of prices, and the budget."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from salitrap.cli.console import out
from salitrap.cli.plan_tables import compact, duration, money, plan_record, print_plan, telling_money
from salitrap.plan import Plan, RolePlan
from salitrap.providers.money.costing import cost_of
from salitrap.records import Role, Stage
from salitrap.settings import Budget, EndpointSettings, RoleSettings, Settings
from tests.cli.helpers import config
from tests.cli.in_process import Inside

BIG = 1_234_567
PRICED = EndpointSettings(spec="openai/m", price_input=1.0, price_output=2.0)


def settings(*endpoints: EndpointSettings | str, budget: Budget | None = None) -> Settings:
    chosen = tuple(EndpointSettings(spec=one) if isinstance(one, str) else one for one in endpoints)
    pool = RoleSettings(endpoints=chosen)
    return Settings(roles=dict.fromkeys(Role, pool), budget=budget or Budget())


def plan(calls: tuple[int, int] = (10, 40), tokens: tuple[int, int] = (1000, 4000)) -> Plan:
    low, high = calls
    return Plan(
        roles=tuple(
            RolePlan(
                stage=Stage.CERTIFY,
                role=role,
                calls_low=low,
                calls_high=high,
                input_low=tokens[0],
                input_high=tokens[1],
                output_low=tokens[0],
                output_high=tokens[1],
            )
            for role in (Role.GENERATOR, Role.JUDGE)
        )
    )


def shown(chosen: Settings, capsys: pytest.CaptureFixture[str], planned: Plan | None = None) -> str:
    capsys.readouterr()
    print_plan(out(), cost_of(planned or plan(), chosen), chosen)
    return capsys.readouterr().out


def test_both_tables_are_readable_at_80(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    dear = EndpointSettings(spec="openai/m", price_input=1000.0, price_output=1000.0)
    wide = plan((BIG, BIG + 1), (BIG * 1000, BIG * 1001))
    text = shown(settings(dear), capsys, wide)
    rows = [row for row in text.splitlines() if row.startswith(("┏", "┃", "│", "└", "┡"))]
    assert max(map(len, rows)) <= 80
    for words in ("certify", "generator", "1,234,567 to 1,234,568", "1.2B", "wall time", "at once", "USD"):
        assert words in text


def test_an_unknown_price_is_named_and_never_a_zero(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(settings(PRICED, "openai/unheard-of"), capsys)
    assert "Cost unknown: no price for openai/unheard-of; give price_input and price_output." in text
    assert "│ unknown │" in text
    assert "0 USD" not in text
    assert "The rest" not in text


def test_the_dates_of_table_prices_stand_beside_the_amount(capsys: pytest.CaptureFixture[str]) -> None:
    assert "USD (prices of 2025-11-13)." in shown(settings("openai/gpt-5"), capsys)
    assert "prices of" not in shown(settings(PRICED), capsys)
    assert "Cost: none, every model is free." in shown(settings("lab/judge"), capsys)


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (
            Budget(calls=40),
            "The budget of 40 calls is reached at about 50 % of the high estimate (80 calls).",
        ),
        (Budget(calls=5), "lies below the low one (20 calls): expect the run to stop."),
        (Budget(calls=80), "The budget of 80 calls covers the high estimate (80 calls)."),
        (Budget(tokens=8000), "The budget of 8,000 tokens is reached at about 50 % of the high estimate"),
        (
            Budget(usd=0.012),
            "The budget of 0.012 USD is reached at about 50 % of the high estimate (0.024 USD)",
        ),
    ],
)
def test_the_budget_is_compared_with_the_plan(
    budget: Budget, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in shown(settings(PRICED, budget=budget), capsys)


def test_local_models_say_which_speed_their_seconds_rest_on(capsys: pytest.CaptureFixture[str]) -> None:
    local = EndpointSettings(spec="gguf/m.gguf")
    text = shown(settings(local), capsys)
    assert "Local models (generator, judge): assumed are 20 tokens a second read and 6 written" in text
    assert "share its slots" in text
    assert "Local models" not in shown(settings(PRICED), capsys)
    record = plan_record(cost_of(plan(), settings(local)), settings(local))
    assert [(row["latency_basis"], row["at_once"]) for row in record["roles"]] == [("local", 2)] * 2
    given = plan_record(cost_of(plan(), settings(local), latency=3.0), settings(local))
    assert {row["latency_basis"] for row in given["roles"]} == {"given"}


def test_the_record_has_every_range_as_a_pair() -> None:
    chosen = settings(PRICED, budget=Budget(calls=40))
    record = json.loads(json.dumps(plan_record(cost_of(plan(), chosen), chosen)))
    assert record["calls"] == [20, 80]
    assert record["tokens"] == [4000, 16000]
    assert record["usd"] == [0.006, 0.024]
    assert record["roles"][0]["role"] == "generator"
    assert record["roles"][0]["usd"] == [0.003, 0.012]
    assert record["budget"] == [{"unit": "calls", "limit": 40.0, "low": 20.0, "high": 80.0}]
    assert plan_record(cost_of(plan(), settings("openai/x")), settings("openai/x"))["usd"] is None


def test_latency_sets_the_time_of_every_role(inside: Inside, tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", spec="openai/NAME")
    assumed = json.loads(inside("plan", "-c", path, "--json").out)
    slow = json.loads(inside("plan", "-c", path, "--latency", "1000", "--json").out)
    assert {row["latency"] for row in slow["roles"]} == {1000.0}
    assert slow["seconds"][1] > assumed["seconds"][1]
    assert slow["calls"] == assumed["calls"]
    assert inside("plan", "-c", path, "--latency", "0").code == 2


def test_figures_are_short() -> None:
    assert [compact(figure) for figure in (0, 9999, 12_340, 4_500_000)] == ["0", "9,999", "12.3k", "4.5M"]
    assert [money(usd) for usd in (0.0, 0.0123, 1234.5)] == ["0", "0.012", "1,234.50"]


def test_a_small_budget_is_not_shown_as_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert "The budget of 0.000020 USD " in shown(settings(PRICED, budget=Budget(usd=0.00002)), capsys)
    assert [telling_money(usd) for usd in (0.0, 0.000949, 0.5)] == ["0", "0.00095", "0.500"]
    told = [duration(seconds) for seconds in (0.0, 0.2, 45.0, 750.0, 11_520.0, 200_000.0)]
    assert told == ["0 s", "< 1 s", "45 s", "12.5 min", "3.2 h", "2.3 d"]


def test_unpriced_models_are_named_without_addresses_and_not_all_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every address of every endpoint stood in one line of a thousand characters."""
    specs = [f"openai/m{number}@http://10.0.0.{number}:8000/v1" for number in range(8)]
    (line,) = [line for line in shown(settings(*specs, *specs), capsys).splitlines() if "unknown: no" in line]
    assert "no price for openai/m0, openai/m1, openai/m2, openai/m3, openai/m4 and 3 more; give" in line
    twice = settings("openai/m@http://a/v1", "openai/m@http://b/v1")
    assert "no price for openai/m; give" in shown(twice, capsys)
