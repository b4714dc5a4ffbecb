"""Evaluate models on a built folder, label, and go on after any stop."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import command, environment, only_line
from tests.cli.helpers import salitrap as salitrap_process
from tests.cli.in_process import salitrap

MODELS = ("--model", "lab/solver-a", "--model", "lab/solver-c", "--judge", "lab/judge")


@pytest.fixture(scope="module")
def dataset(demo_run: Path) -> Path:
    return demo_run / "dataset"


@pytest.fixture(scope="module")
def labels(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("labels") / "labels.jsonl"
    done = salitrap("eval", dataset, *MODELS, "--out", out, "--split", "all")
    assert done.returncode == 0, done.stderr
    return out


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_item_is_asked_of_every_model(labels: Path, dataset: Path) -> None:
    manifest = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
    items = sum(split["rows"] for split in manifest["configs"]["items"]["splits"].values())
    assert len(rows(labels)) == 2 * items
    assert {row["model"] for row in rows(labels)} == {"lab/solver-a", "lab/solver-c"}
    assert all(row["simulated"] for row in rows(labels))
    assert not labels.with_name("labels.jsonl.partial").exists()


def test_the_rows_can_be_analysed(labels: Path) -> None:
    done = salitrap("analyze", labels, "--json")
    assert done.returncode == 0, done.stderr
    overall = json.loads(done.stdout)["models"]["lab/solver-a"]["overall"]
    mine = [row for row in rows(labels) if row["model"] == "lab/solver-a"]
    assert overall["n"] + overall["unscored"] == len(mine)
    passed = sum(row["label"] == "Pass" for row in mine)
    assert overall["tar"] == pytest.approx(100 * passed / overall["n"])


def test_again_pays_nothing_and_writes_the_same_bytes(labels: Path, dataset: Path) -> None:
    before = labels.read_bytes()
    done = salitrap("eval", dataset, *MODELS, "--out", labels, "--split", "all", "--json")
    assert done.returncode == 0, done.stderr
    first = json.loads(done.stdout)["spend"]["attempts"]
    again = salitrap("eval", dataset, *MODELS, "--out", labels, "--split", "all", "--json")
    assert json.loads(again.stdout)["spend"]["attempts"] == first
    assert labels.read_bytes() == before


def test_what_this_time_cost_is_told_apart_from_the_whole(labels: Path, dataset: Path) -> None:
    """Guards against rates that look fresh when every reply came from the journal."""
    done = salitrap("eval", dataset, *MODELS, "--out", labels, "--split", "all")
    assert "This time: 0 calls" in done.stdout


def test_one_language_alone_can_be_asked(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "zh.jsonl"
    done = salitrap("eval", dataset, *MODELS, "--split", "all", "--language", "zh", "--out", out)
    assert done.returncode == 0, done.stderr
    assert {row["language"] for row in rows(out)} == {"zh"}


def test_judging_the_answers_again_gives_the_same_labels(labels: Path, dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "again.jsonl"
    done = salitrap("judge", labels, "--dataset", dataset, "--judge", "lab/judge", "--out", out)
    assert done.returncode == 0, done.stderr
    assert rows(out) == rows(labels)


def test_a_budget_stops_and_the_same_command_goes_on(labels: Path, dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels.jsonl"
    common = ("eval", dataset, *MODELS, "--out", out, "--split", "all")
    stopped = salitrap(*common, "--max-calls", 20)
    assert stopped.returncode == 3
    assert "To go on: salitrap eval" in stopped.stderr
    assert "--max-calls 40" in stopped.stderr.splitlines()[-1], "the same limit would stop at once"
    assert not out.exists()
    done = salitrap(*common)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == labels.read_bytes()


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_loses_nothing(labels: Path, dataset: Path, tmp_path: Path, kind: signal.Signals) -> None:
    out = tmp_path / "labels.jsonl"
    arguments = ("eval", dataset, *MODELS, "--out", out, "--split", "all", "--in-flight", 2)
    process = subprocess.Popen(
        command(*arguments), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    journal = out.with_name("labels.jsonl.journal.sqlite")
    for _ in range(600):
        if journal.exists() and process.poll() is None:
            break
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(kind)
    _, told = process.communicate(timeout=60)
    if kind is not signal.SIGKILL and process.returncode != 0:
        assert process.returncode == 3, told
        assert "Traceback" not in told
        assert "To go on" in told
        assert ("stopped by SIGTERM" in told) == (kind is signal.SIGTERM), told
    done = salitrap_process(*arguments)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == labels.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--model", "lab/judge", "--judge", "lab/judge"), "must not judge its own answers"),
        (("--model", "lab/solver-a"), "give --judge"),
        (("--judge", "lab/judge"), "give --model"),
        ((*MODELS, "--split", "train"), "no split 'train'"),
        (("--model", "openai/gpt", "--judge", "lab/judge", "--yes"), "OPENAI_API_KEY"),
        (("--model", "openai/gpt@http://127.0.0.1:9/v1", "--judge", "lab/judge"), "give --yes"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    dataset: Path, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    out = tmp_path / "labels.jsonl"
    done = salitrap("eval", dataset, *arguments, "--out", out)
    assert done.returncode == 2
    assert told in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_rows_of_another_evaluation_are_not_overwritten(labels: Path, dataset: Path) -> None:
    before = labels.read_bytes()
    done = salitrap("eval", dataset, "--model", "lab/solver-b", "--judge", "lab/judge", "--out", labels)
    assert done.returncode == 2
    assert "rows that this command would not write again" in only_line(done.stderr)
    assert labels.read_bytes() == before


def test_nothing_labelled_is_a_finding(dataset: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    item_id = rows(dataset / "jsonl" / "items" / "test.jsonl")[0]["item_id"]
    row = {"model": "m", "item_id": item_id, "answer": "", "status": "timeout"}
    answers.write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = salitrap(
        "judge", answers, "--dataset", dataset, "--judge", "lab/judge", "--out", tmp_path / "out.jsonl"
    )
    assert done.returncode == 1
    assert "no answer got a label" in done.stderr
    assert rows(tmp_path / "out.jsonl")[0]["status"] == "timeout"


def test_dialogues_are_held_and_go_on_after_a_stop(dataset: Path, tmp_path: Path) -> None:
    out, cut = tmp_path / "talks.jsonl", tmp_path / "cut.jsonl"
    asked = ("eval", dataset, *MODELS, "--subset", "dialogues", "--split", "all")
    done = salitrap(*asked, "--out", out)
    assert done.returncode == 0, done.stderr
    found = rows(out)
    assert {row["turn"] for row in found} >= {1, 2} and {row["control"] for row in found} >= {
        "none",
        "concat",
    }
    stopped = salitrap(*asked, "--out", cut, "--max-calls", 25)
    assert stopped.returncode == 3 and "Traceback" not in stopped.stderr
    assert salitrap(*asked, "--out", cut).returncode == 0
    assert cut.read_bytes() == out.read_bytes()
    told = salitrap("analyze", out)
    assert told.returncode == 0 and "robust TAR" in told.stdout
