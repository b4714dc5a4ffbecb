"""``salitrap show`` tells all that is known of a dialogue, and ``dialogues`` refuses to do nothing."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.helpers import config
from tests.cli.in_process import salitrap


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown")
    path = config(folder / "c.yaml", dialogues="{patterns: [pushback], per_cell: 1, turns: 3}")
    done = salitrap("run", "-c", path, "--yes", "--run", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"


def stable(run: Path, control: str) -> str:
    query = "SELECT dialogue_id FROM dialogues WHERE status = 'stable' AND control = ?"
    with closing(sqlite3.connect(run / "registry.sqlite")) as connection:
        return str(connection.execute(query, (control,)).fetchone()[0])


def test_turns_checks_playings_and_the_twin(run: Path) -> None:
    dialogue_id = stable(run, "none")
    told = json.loads(salitrap("show", dialogue_id, "--run", run, "--json").stdout)["dialogue"]
    shown = salitrap("show", dialogue_id, "--run", run).stdout
    flat = " ".join(shown.split())
    for turn in told["dialogue"]["turns"]:
        assert " ".join(turn["content"].split()) in flat
    for part in ("t*", "feasibility", "dialogue_truth_align", "playing 5", told["twin_id"], "not robust in"):
        assert part in flat
    assert len(told["playings"]) == 6 and len(told["evaluations"]) == 3


def test_a_control_names_its_trap_dialogue(run: Path) -> None:
    shown = salitrap("show", stable(run, "feasible_twin"), "--run", run).stdout
    assert f"feasible_twin of {stable(run, 'none')}" in " ".join(shown.split())


def test_without_patterns_the_command_changes_nothing(run: Path, tmp_path: Path) -> None:
    before = (run / "run.yaml").read_bytes()
    told = salitrap("dialogues", "-c", config(tmp_path / "c.yaml"), "--run", run, "--yes")
    assert told.returncode == 2 and "dialogues.patterns is empty" in told.stderr
    assert (run / "run.yaml").read_bytes() == before


def test_status_counts_dialogues_and_a_second_run_pays_nothing(run: Path, tmp_path: Path) -> None:
    report = json.loads(salitrap("status", run, "--json").stdout)
    assert report["finished"] is True and report["funnel_faults"] == []
    assert (
        report["funnel"]["dialogues"]["stable"] == report["funnel"]["dialogues"]["controls"]["feasible_twin"]
    )
    calls = report["spend"]["calls"]
    path = config(tmp_path / "c.yaml", dialogues="{patterns: [pushback], per_cell: 1, turns: 3}")
    assert salitrap("run", "-c", path, "--yes", "--run", run).returncode == 0
    assert json.loads(salitrap("status", run, "--json").stdout)["spend"]["calls"] == calls
