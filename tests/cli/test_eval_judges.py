"""Several judges, and a judge that names labels, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import only_line
from tests.cli.in_process import salitrap

MODEL = ("--model", "lab/solver-a")
PANEL = ("--judge", "lab/judge", "--judge", "lab/judge-two", "--judge", "lab/judge-refusal")


@pytest.fixture(scope="module")
def dataset(demo_run: Path) -> Path:
    return demo_run / "dataset"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_three_judges_vote_and_the_rows_can_be_analysed(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels.jsonl"
    done = salitrap("eval", dataset, *MODEL, *PANEL, "--split", "all", "--out", out)
    assert done.returncode == 0, done.stderr
    found = rows(out)
    assert {row["judge"] for row in found} == {"lab/judge + lab/judge-two + lab/judge-refusal"}
    for row in found:
        votes = [vote["label"] for vote in row["votes"]]
        assert votes[2] == "Refusal"
        assert row["label"] in votes or row["status"] == "judge_unresolved"
    assert any(row["agreement"] == pytest.approx(2 / 3) for row in found)
    told = salitrap("analyze", out, "--json")
    assert told.returncode == 0, told.stderr


def test_answers_are_labelled_again_directly_into_another_file(dataset: Path, tmp_path: Path) -> None:
    first, direct = tmp_path / "labels.jsonl", tmp_path / "direct.jsonl"
    judge = ("--judge", "lab/judge")
    assert salitrap("eval", dataset, *MODEL, *judge, "--split", "all", "--out", first).returncode == 0
    again = ("judge", first, "--dataset", dataset, *judge, "--judge-mode", "direct", "--out")
    refused = salitrap(*again, first)
    assert refused.returncode == 2
    assert "would not write again" in only_line(refused.stderr)
    done = salitrap(*again, direct)
    assert done.returncode == 0, done.stderr
    assert {row["judge"] for row in rows(direct)} == {"lab/judge (direct)"}
    same = [one["label"] == two["label"] for one, two in zip(rows(first), rows(direct), strict=True)]
    assert sum(same) > 0.7 * len(same)


def test_one_judge_twice_is_no_panel(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels.jsonl"
    done = salitrap("eval", dataset, *MODEL, "--judge", "lab/judge", "--judge", "lab/judge", "--out", out)
    assert done.returncode == 2
    assert "--judge lab/judge is given twice" in only_line(done.stderr)


def test_a_panel_in_a_settings_file_needs_a_pool_that_asks_all(tmp_path: Path) -> None:
    config = tmp_path / "run.yaml"
    config.write_text(
        "judging: {panel: all}\nroles:\n  judge: {endpoints: [{spec: lab/judge}, {spec: lab/judge-two}]}\n",
        encoding="utf-8",
    )
    done = salitrap("plan", "-c", config)
    assert done.returncode == 2
    assert "roles.judge.policy: got failover" in done.stderr
