"""``--judge rules``: without a key, without a call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.in_process import salitrap

MODEL = ("--model", "lab/solver-a")


@pytest.fixture(scope="module")
def dataset(demo_run: Path) -> Path:
    return demo_run / "dataset"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_rules_judge_an_evaluation_and_what_was_answered_elsewhere(dataset: Path, tmp_path: Path) -> None:
    first, again = tmp_path / "labels.jsonl", tmp_path / "again.jsonl"
    done = salitrap("eval", dataset, *MODEL, "--judge", "rules", "--split", "all", "--out", first)
    assert done.returncode == 0, done.stderr
    found = rows(first)
    assert {(row["judge"], row["judge_call"], row["second_label"]) for row in found} == {("rules", "", None)}
    assert {row["judge_prompt"] for row in found if row["label"]} <= {"rules@1/en", "rules@1/zh"}
    done = salitrap("judge", first, "--dataset", dataset, "--judge", "rules", "--out", again)
    assert done.returncode == 0, done.stderr
    assert [row["label"] for row in rows(again)] == [row["label"] for row in found]
    assert " 0 calls" in done.stderr + done.stdout
    assert salitrap("analyze", first, "--json").returncode == 0


def test_the_rules_opinion_stands_beside_a_models_label(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels.jsonl"
    done = salitrap("eval", dataset, *MODEL, "--judge", "lab/judge", "--split", "all", "--out", out)
    assert done.returncode == 0, done.stderr
    pairs = [(row["label"], row["second_label"]) for row in rows(out) if row["label"]]
    assert sum(label == second for label, second in pairs) > 0.5 * len(pairs)
    assert salitrap("analyze", out, "--json").returncode == 0


def test_rules_are_calibrated_like_any_judge(tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    done = salitrap("calibrate", "--judge", "rules", "--half", "train", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert made["figures"]["overall"]["n"] == 128
    assert made["figures"]["overall"]["kappa"]["value"] >= 0.72


def test_rules_cannot_answer(dataset: Path, tmp_path: Path) -> None:
    done = salitrap(
        "eval", dataset, "--model", "rules", "--judge", "lab/judge", "--out", tmp_path / "labels.jsonl"
    )
    assert done.returncode == 2
    assert "rules judge and do nothing else" in done.stderr.splitlines()[-1]
