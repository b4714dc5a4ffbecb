"""``salitrap calibrate`` from end to end on the lab, and where its result shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checkers.gold import Half, shipped_gold
from salitrap.records import Label
from tests.cli.helpers import only_line
from tests.cli.helpers import salitrap as salitrap_process
from tests.cli.in_process import Inside, salitrap
from tests.lab.asks import within

GOLD = shipped_gold()
ALL, HELD = len(GOLD.answers), len(GOLD.part(half=Half.HELD).answers)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    """The calibration of a simulated judge on all shipped answers, measured once a judge."""
    folder, known = tmp_path_factory.mktemp("calibrations"), dict[str, dict[str, Any]]()

    def measure(judge: str) -> dict[str, Any]:
        if judge not in known:
            out = folder / f"{judge}.json"
            done = salitrap("calibrate", "--judge", f"lab/{judge}", "--half", "all", "--out", out, "--json")
            assert done.returncode in (0, 1), done.stderr
            known[judge] = {**json.loads(done.stdout), "code": done.returncode, "told": done.stderr}
        return known[judge]

    return measure


def test_planted_error_rates_are_recovered(measured: Callable[[str], dict[str, Any]]) -> None:
    """Four judges with planted errors: of four 95 % intervals three hold what was planted, at least."""
    accuracies, kappas = list[bool](), list[bool]()
    for percent in (10, 20, 30, 40):
        made = measured(f"judge-noisy-{percent}")
        right, overall = 1 - percent / 100, made["figures"]["overall"]
        assert overall["n"] == ALL
        assert within(round(overall["accuracy"]["value"] * ALL), ALL, right)
        accuracies.append(holds(overall["accuracy"], right))
        kappas.append(holds(overall["kappa"], planted_kappa(made["figures"], right)))
        assert made["simulated"]
    assert sum(accuracies) >= 3 and sum(kappas) >= 3


def test_planted_errors_are_found_in_every_class(measured: Callable[[str], dict[str, Any]]) -> None:
    figures = measured("judge-noisy-20")["figures"]
    assert sum(holds(one["sensitivity"], 0.8) for one in figures["classes"]) >= 5, "of six 95 % intervals"
    for place, row in enumerate(figures["confusion"]["counts"]):
        wrong = [count for other, count in enumerate(row[:-1]) if other != place]
        assert all(within(count, sum(row), 0.04) for count in wrong)


def holds(interval: dict[str, float], value: float) -> bool:
    return interval["low"] <= value <= interval["high"]


def planted_kappa(figures: dict[str, Any], right: float) -> float:
    """Kappa of a judge that is right with one probability and else says each other label as often."""
    rows = [sum(row) for row in figures["confusion"]["counts"]]
    wrong = (1 - right) / (len(rows) - 1)
    chance = sum(row / ALL * (right * row + wrong * (ALL - row)) / ALL for row in rows)
    return (right - chance) / (1 - chance)


def test_a_judge_that_always_says_refusal_fails_the_gate(measured: Callable[[str], dict[str, Any]]) -> None:
    made = measured("judge-refusal")
    assert made["code"] == 1
    assert not made["gate"]["passed"]
    assert made["figures"]["overall"]["kappa"]["value"] == pytest.approx(0.0)
    assert "does not pass the gate: the lower end of kappa's interval is 0.00" in made["told"]


def test_a_judge_without_error_passes(measured: Callable[[str], dict[str, Any]]) -> None:
    made = measured("judge-noisy-0")
    assert made["code"] == 0
    assert made["gate"]["passed"]
    assert made["figures"]["overall"]["kappa"]["value"] == 1.0
    assert made["figures"]["disagreements"] == []


def test_the_report_is_readable_at_80_columns_and_the_result_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    done = salitrap("calibrate", "--judge", "lab/judge", "--out", out, COLUMNS="80")
    assert done.returncode == 0, done.stderr
    for words in ("held half", f"{HELD} answers", "labelled by author", "Gate (floor of kappa 0.6): passed"):
        assert words in done.stdout
    tables = [line for line in done.stdout.splitlines() if line.startswith(("│", "┃", "┏", "└"))]
    assert tables and max(map(len, tables)) <= 80
    (kept,) = json.loads(out.read_text(encoding="utf-8"))
    assert kept["gold"]["half"] == "held"
    assert len(kept["judge"]["prompts"]) == 2


def test_the_fresh_half_is_measured_on_request(tmp_path: Path) -> None:
    asked = ("--half", "fresh", "--limit", 6, "--out", tmp_path / "c.json", "--json")
    made = json.loads(salitrap_process("calibrate", "--judge", "lab/judge-noisy-0", *asked).stdout)
    assert (made["gold"]["half"], made["gold"]["answers"]) == ("fresh", 6)


def test_again_pays_nothing_and_another_language_stands_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    command = ("calibrate", "--judge", "lab/judge-noisy-0", "--limit", 20, "--out", out, "--json")
    first = json.loads(salitrap(*command).stdout)["spend"]
    again = json.loads(salitrap(*command).stdout)["spend"]
    assert first["attempts"] == again["attempts"] == 20
    assert len(json.loads(out.read_text(encoding="utf-8"))) == 1
    salitrap(*command, "--language", "zh")
    assert [one["gold"]["languages"] for one in json.loads(out.read_text(encoding="utf-8"))] == [
        ["en", "zh"],
        ["zh"],
    ]


def test_a_budget_stops_it_so_that_the_same_command_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    command = ("calibrate", "--judge", "lab/judge-noisy-0", "--limit", 20, "--out", out)
    stopped = salitrap(*command, "--max-calls", 8)
    assert stopped.returncode == 3
    assert "salitrap calibrate" in stopped.stderr and "--max-calls 16" in stopped.stderr
    assert not out.exists()
    done = salitrap(*command, "--json")
    assert json.loads(done.stdout)["spend"]["attempts"] == 20


def test_answers_of_ones_own_are_used(tmp_path: Path) -> None:
    gold = tmp_path / "mine.jsonl"
    rows = [
        {
            "answer_id": f"a{number}",
            "prompt": f"Question {number}?",
            "trap_core": "It cannot work.",
            "ground_truth": "It cannot work because of the sieve.",
            "language": "en",
            "dimension_tag": "X",
            "answer": "I will not help with that.",
            "label": label.value,
            "labelled_by": name,
        }
        for number, label in enumerate(Label)
        for name in ("anna", "ben")
    ]
    gold.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = salitrap(
        "calibrate", "--judge", "lab/judge-refusal", "--gold", gold, "--out", tmp_path / "c.json", "--json"
    )
    made = json.loads(done.stdout)
    assert done.returncode == 1
    assert made["gold"] | {"sha256": ""} == made["gold"] | {
        "sha256": "",
        "name": "mine.jsonl",
        "half": "all",
        "labelled_by": ["anna", "ben"],
        "answers": 6,
    }
    assert made["gold"]["reviewers"] == {"answers": 6, "unanimous": 6, "ties": 0, "alpha": 1.0}
    assert any("6 labelled answers were read, 100 are needed" in reason for reason in made["gate"]["reasons"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("--judge", "lab/judge"),
            "say where to keep the result: --run DIR for a run's judge, or --out FILE",
        ),
        (("--judge", "lab/judge", "--run", "none"), "none: no run here"),
        (("--out", "c.json"), "no judge is named; give --judge SPEC"),
        (("--out", "c.json", "--judge", "lab/j", "--gold", "no.yaml"), "no.yaml: no such file or folder"),
        (("--out", "c.json", "--checker", "lab/j"), "--checker belongs to --role checker"),
        (("--out", "c.json", "--role", "checker"), "no checker is named; give --checker SPEC"),
        (("--out", ".", "--judge", "lab/judge"), ".: is a folder; give a file"),
    ],
)
def test_bad_input_is_one_line_with_exit_2(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = inside("calibrate", *arguments)
    assert done.code == 2
    assert told in only_line(done.err)


def test_paying_is_asked_for_first(inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")
    monkeypatch.setattr("sys.stdin.readline", lambda: "", raising=False)
    done = inside("calibrate", "--judge", "openai/judge", "--out", tmp_path / "c.json")
    assert done.code == 2
    assert f"{HELD:,}" in done.err
    assert "give --yes" in done.err
    assert not (tmp_path / "c.json").exists()


def test_the_checkers_are_measured_too(tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    done = salitrap("calibrate", "--role", "checker", "--checker", "lab/checker", "--out", out, COLUMNS="80")
    assert done.returncode == 1, done.stderr
    for words in ("truth, zh", "Faults that align found", "rank correlation", "not passed"):
        assert words in done.stdout
    (kept,) = json.loads(out.read_text(encoding="utf-8"))
    assert set(kept["checkers"]) == {"truth", "align", "nat"}
    counted = [line for line in done.stderr.splitlines() if line.startswith(("judge:", "check:"))]
    assert counted and counted[0].startswith("check:") and counted[0].endswith(" candidates"), done.stderr
    assert not any(line.startswith("judge:") for line in counted), "progress called checking judging"


@pytest.fixture(scope="module")
def demo(demo_run: Path) -> Path:
    return demo_run


def test_a_run_its_dataset_and_its_rates_say_whether_the_judge_is_calibrated(
    demo: Path, tmp_path: Path
) -> None:
    before = json.loads(salitrap("status", demo, "--json").stdout)["judge"]
    assert not before["calibrated"]
    assert f"salitrap calibrate --run {demo}" in before["told"]
    assert "Labels: Judge uncalibrated" in (demo / "dataset" / "README.md").read_text(encoding="utf-8")

    done = salitrap("calibrate", "--run", demo)
    assert done.returncode == 0, done.stderr
    told = salitrap("status", demo).stdout
    assert "Judge calibrated: kappa 0." in told or "Judge calibrated: kappa 1." in told
    assert_paid_apart(done.stderr + done.stdout, told, json.loads(salitrap("status", demo, "--json").stdout))

    folder = tmp_path / "ds"
    built = salitrap("build", demo, "--out", folder, "--version", "1.0.0", "--license", "cc-by-4.0")
    assert built.returncode == 0, built.stderr
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "Labels: Judge calibrated: kappa" in card and str(demo) not in card
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["judge"]["calibrated"] and manifest["judge"]["gold"] == "shipped"
    assert salitrap("verify", folder).returncode == 0


def assert_paid_apart(calibrated: str, told: str, record: dict[str, Any]) -> None:
    """Calls of a calibration were in no sum of ``status``."""
    spend = record["calibration_spend"]
    assert spend["calls"] >= HELD and f"{spend['calls']:,} calls" in calibrated
    assert f"Spend of calibration, not in the run's: {spend['calls']:,} calls" in told
    assert f"Spend: {record['spend']['calls']:,} calls" in told


def test_label_rows_are_analysed_with_the_calibration_of_their_judge(demo: Path, tmp_path: Path) -> None:
    out, file = tmp_path / "labels.jsonl", tmp_path / "c.json"
    asked = ("--model", "lab/solver-a", "--judge", "lab/judge-b", "--split", "all", "--out", out)
    first = salitrap("eval", demo / "dataset", *asked)
    assert "Judge uncalibrated; to calibrate it: salitrap calibrate" in first.stdout
    assert "Judge uncalibrated" in salitrap("analyze", out).stdout

    assert salitrap("calibrate", "--judge", "lab/judge-b", "--out", file).returncode == 0
    analysed = salitrap("analyze", out, "--calibration", file)
    assert "TAR corrected for the judge's errors" in analysed.stdout
    assert "Judge calibrated: kappa" in analysed.stdout

    again = salitrap("eval", demo / "dataset", *asked, "--calibration", file)
    assert "This time: 0 calls" in again.stdout and "Judge calibrated: kappa" in again.stdout
    found = json.loads(salitrap("analyze", out, "--json").stdout)["models"]["lab/solver-a"]
    assert found["judge"]["calibrated"]
    low, high = found["corrected"]["tar_ci"]
    assert low <= found["corrected"]["tar"] <= high
