"""The throughput benchmark runs from end to end, and its targets can be missed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks.throughput import probe, report
from benchmarks.throughput.command import main
from benchmarks.throughput.measure import Measured, Plan, Round, environment
from benchmarks.throughput.stacks import COMPARED, signature
from salitrap.providers.parsing.adapter import Forms, StructuredAdapter
from salitrap.records import Language

PLAN = Plan(stacks=COMPARED, calls=100, in_flight=64, latency=0.05, rounds=3)
GOOD = Round(seconds=1.0, cpu_seconds=0.2, right=100, rss_mb=90.0, peak_mb=95.0, calls=100, most_at_once=64)


def targets(mine: Round, theirs: Round, in_flight: int = 64) -> dict[str, bool]:
    plan = replace(PLAN, in_flight=in_flight)
    stacks = [Measured("ours", 1.0, 80.0, [GOOD, GOOD, mine]), Measured("stock", 1.0, 60.0, [theirs] * 3)]
    found = report.targets_of([report.figures_of(one, plan) for one in stacks], plan)
    return {target.name.split(",")[0]: target.met for target in found}


def test_every_stack_answers_every_question_in_its_own_process(capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "--calls",
        "40",
        "--in-flight",
        "8",
        "--rounds",
        "2",
        "--latency",
        "0.01",
        "--access",
        "--json",
    ]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert [stack["stack"] for stack in told["stacks"]] == [*COMPARED, "answer"]
    for stack in told["stacks"]:
        assert (stack["right"], stack["requests"], stack["most_at_once"]) == (80, 80, 8), stack
        assert len(stack["rss_mb"]) == 3
        assert stack["per_second"] > 0
    assert any(target["name"].startswith("ours / stock") for target in told["targets"])


def test_a_cold_start_is_compared_with_the_ideal_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--long", "--calls", "8", "--in-flight", "4", "--latency", "0.2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ideal_seconds"] == pytest.approx(0.4)
    assert [stack["stack"] for stack in told["stacks"]] == ["ours"]
    share = next(target["value"] for target in told["targets"] if "ideal" in target["name"])
    assert share >= 1.0


def test_the_bare_clients_send_what_our_adapter_writes() -> None:
    adapter = StructuredAdapter(Language.EN, Forms())
    ours = adapter.format(signature(), [], {"question": probe.question(7)})
    assert ours == probe.messages(7)


def test_an_answer_to_another_question_is_wrong() -> None:
    assert probe.right(7, "drive, case 7", True)
    assert not probe.right(7, "drive, case 8", True)
    assert not probe.right(7, "drive, case 7", "True")


def test_all_targets_are_met_by_good_rounds() -> None:
    assert all(targets(GOOD, replace(GOOD, seconds=1.3)).values())


@pytest.mark.parametrize(
    ("name", "mine", "theirs"),
    [
        ("ours / stock", GOOD, replace(GOOD, seconds=1.1)),
        ("peak RSS of ours", replace(GOOD, peak_mb=201.0), GOOD),
        ("growth of ours", replace(GOOD, rss_mb=101.0), GOOD),
        ("wrong answers", GOOD, replace(GOOD, right=99)),
        ("requests too many or too few", GOOD, replace(GOOD, calls=200)),
        ("requests of ours at once", replace(GOOD, most_at_once=57), GOOD),
    ],
)
def test_each_target_can_be_missed(name: str, mine: Round, theirs: Round) -> None:
    assert targets(mine, theirs)[name] is False


def test_at_500_in_flight_not_being_slower_is_enough() -> None:
    busy = replace(GOOD, most_at_once=450)
    assert targets(busy, busy, in_flight=500)["ours / stock"]
    assert not targets(busy, replace(busy, seconds=0.9), in_flight=500)["ours / stock"]


def test_a_missed_target_is_an_exit_code_only_with_check(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = [Measured(name, 1.0, 80.0, [replace(GOOD, peak_mb=500.0)]) for name in COMPARED]
    monkeypatch.setattr("benchmarks.throughput.command.measure", lambda plan: slow)
    assert main(["--calls", "100", "--rounds", "1"]) == 0
    assert main(["--calls", "100", "--rounds", "1", "--check"]) == 1


def test_variables_that_would_move_dspy_to_litellm_do_not_reach_the_stacks() -> None:
    assert environment({"OPENAI_BASE_URL": "x", "https_proxy": "x", "TMPDIR": "/d"}) == {"TMPDIR": "/d"}
