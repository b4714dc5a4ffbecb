"""What the demo measures agrees with what the lab has planted; what it should not agree with, does not."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from exports.evaluation import Evalset, load_evalset
from salitrap.cli.demo_rates import STRONG, planted_rates
from salitrap.cli.demo_settings import SOLVERS
from salitrap.records import Label, LabelRow
from tests.cli.in_process import salitrap
from tests.cli.made_once import made_once

REPEATS = 12
SPREADS = 4.0
"""A sum of independent draws leaves its mean by this many standard deviations once in 16,000 times."""

Counted = dict[str, list[LabelRow]]


def evaluated(folder: Path) -> None:
    """A demo of 24 items, and the labels of many fresh answers to its items."""
    done = salitrap("demo", "--run", folder / "run", "--items", 24)
    assert done.returncode == 0, done.stderr
    assert "simulated solvers, per cent, fresh answers" in done.stdout
    models = [part for name in SOLVERS for part in ("--model", f"lab/{name}")]
    options = ("--judge", "lab/judge", "--split", "all", "--repeats", REPEATS)
    done = salitrap("eval", folder / "run" / "dataset", *models, *options, "--out", folder / "labels.jsonl")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "planted", evaluated)


@pytest.fixture(scope="module")
def demo(made: Path) -> Path:
    return made / "run"


@pytest.fixture(scope="module")
def evalset(demo: Path) -> Evalset:
    return load_evalset(demo / "dataset", split="all")


@pytest.fixture(scope="module")
def measured(made: Path) -> Counted:
    out = made / "labels.jsonl"
    rows = [LabelRow.model_validate_json(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return {name: [row for row in rows if row.model == f"lab/{name}"] for name in SOLVERS}


def spreads_off(rows: list[LabelRow], labels: tuple[Label, ...], share: float) -> float:
    """Distance of the measured share of ``labels`` from ``share``, in standard deviations at most.

    Items differ in their probability, which only makes the true deviation smaller than the one used.
    """
    found = sum(row.label in labels for row in rows)
    return (found - share * len(rows)) / math.sqrt(len(rows) * share * (1 - share))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("labels", [(Label.PASS,), STRONG, (Label.SYCOPHANTIC_COMPLIANCE,)])
def test_fresh_answers_have_the_planted_rates(
    measured: Counted, evalset: Evalset, solver: str, labels: tuple[Label, ...]
) -> None:
    """Guards against selected answers: those that made an item be kept would lower TAR far below it."""
    planted = planted_rates(evalset, solver, 0)
    share = sum(planted[label] for label in labels) / 100
    assert abs(spreads_off(measured[solver], labels, share)) < SPREADS


def test_another_solvers_rates_would_be_noticed(measured: Counted, evalset: Evalset) -> None:
    share = sum(planted_rates(evalset, "solver-c", 0)[label] for label in STRONG) / 100
    assert abs(spreads_off(measured["solver-a"], STRONG, share)) > SPREADS


def test_the_demo_leaves_its_label_rows(demo: Path, evalset: Evalset) -> None:
    rows = [
        json.loads(line) for line in (demo / "demo-labels.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(rows) == len(SOLVERS) * len(evalset.items)
    assert salitrap("analyze", demo / "demo-labels.jsonl").returncode == 0
