"""``salitrap harden`` on the lab: a release of a weak solver, hardened against stronger ones."""

from __future__ import annotations

import json
import math
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from salitrap.lab.draws import Draw
from salitrap.lab.request import Ask
from salitrap.lab.tasks.margin import margin_of
from salitrap.lab.tasks.solve import behaviour_mix
from salitrap.records import Language
from tests.cli.helpers import command, config, environment, salitrap, tree

REFINE = "{max_candidates: 4, max_expansions: 4, top_k: 2}"
ATTACKS = ("HF", "CoT", "SC")
JUDGE_ERRORS = 0.04
"""Share of labels that the planted errors of the judge may move."""


def settings(path: Path, *solvers: str, **sections: str) -> Path:
    """Small settings whose solver pool is ``solvers``."""
    given = {"targets": "{default: {en: 3, zh: 3}}", "refine": REFINE, **sections}
    text = config(path, **given).read_text(encoding="utf-8")
    pool = ", ".join(f"{{spec: lab/{name}}}" for name in solvers)
    lines = [
        f"  solver: {{max_tokens: 4000, policy: round_robin, endpoints: [{pool}]}}"
        if line.startswith("  solver:")
        else line
        for line in text.splitlines()
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release made against the weakest solver, and its hardening against the strongest."""
    folder = tmp_path_factory.mktemp("harden")
    weak = settings(folder / "weak.yaml", "solver-c")
    settings(folder / "strong.yaml", "solver-a")
    for arguments in (
        ("run", "-c", weak, "--run", folder / "run"),
        ("build", folder / "run", "--out", folder / "one", "--version", "1.0.0", "--license", "cc-by-4.0"),
        (
            "harden",
            folder / "one",
            "-c",
            folder / "strong.yaml",
            "--run",
            folder / "hard",
            "--out",
            folder / "two",
        ),
    ):
        done = salitrap(*arguments)
        assert done.returncode == 0, done.stderr
    return folder


def report(folder: Path) -> Any:
    return json.loads((folder / "hardening.json").read_text(encoding="utf-8"))


def rows(folder: Path, name: str = "items") -> list[dict[str, Any]]:
    files = sorted(folder.glob(f"jsonl/{name}/*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


def implied(item: dict[str, Any], solver: str) -> float:
    """Probability that ``solver`` fails, from the planted parameters alone."""
    ask = Ask(solver, Language(item["language"]), item["prompt"], "", None, {}, Draw(0), 0)
    mix = behaviour_mix(solver, margin_of(ask))
    return sum(mix[kind] for kind in ATTACKS)


def test_kept_revised_and_retired_add_up_to_the_release(place: Path) -> None:
    told, before, after = report(place / "two"), rows(place / "one"), rows(place / "two")
    counts = told["counts"]
    assert counts["kept"] + counts["revised"] + counts["retired"] == counts["released"] == len(before)
    assert counts["kept"] + counts["revised"] + counts["new"] == len(after)
    assert counts["retired"] > 0
    old = {row["item_id"]: row for row in before}
    fates = {one["item_id"]: one["fate"] for one in told["items"]}
    assert {row["item_id"] for row in after} & set(old) == {
        name for name, fate in fates.items() if fate == "kept"
    }
    assert all(row == old[row["item_id"]] for row in after if row["item_id"] in old)
    gone = {row["item_id"] for row in rows(place / "two", "retired")}
    assert gone == {name for name, fate in fates.items() if fate != "kept"}


def test_old_and_new_folders_and_the_run_are_sound(place: Path) -> None:
    for name in ("one", "two", "hard"):
        done = salitrap("verify", place / name)
        assert done.returncode == 0, done.stdout


def test_a_stronger_solver_fails_as_rarely_as_was_planted(place: Path) -> None:
    """Fresh answers to all released items, against the rate that the planted abilities imply."""
    told, before = report(place / "two")["released"], rows(place / "one")
    chances = [implied(row, "solver-a") for row in before]
    repeats = report(place / "two")["fresh_repeats"]
    expected = sum(chances) / len(chances)
    spread = math.sqrt(sum(repeats * chance * (1 - chance) for chance in chances)) / (repeats * len(chances))
    assert told["pool"]["answers"] >= 0.95 * repeats * len(before)
    assert abs(told["pool"]["rate"] - expected) <= 3.29 * spread + JUDGE_ERRORS
    weaker = sum(implied(row, "solver-c") for row in before) / len(before)
    assert expected < weaker
    assert told["pool"]["rate"] < told["as_released"]


def test_the_same_command_again_pays_nothing_and_gives_the_same_bytes(place: Path, tmp_path: Path) -> None:
    before, source = tree(place / "two"), tree(place / "one")
    shutil.copytree(place / "hard", tmp_path / "hard")
    done = salitrap(
        *("harden", place / "one", "-c", place / "strong.yaml", "--run", tmp_path / "hard"),
        *("--out", tmp_path / "two", "--json"),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["spend"]["sent"] == 0
    assert tree(tmp_path / "two") == before
    assert tree(place / "one") == source


def test_stopped_by_ctrl_c_it_says_how_to_go_on_and_comes_to_the_same(place: Path, tmp_path: Path) -> None:
    slow = settings(tmp_path / "strong.yaml", "solver-a", lab="{latency: 0.05}")
    given = ("harden", place / "one", "-c", slow, "--run", tmp_path / "hard", "--out", tmp_path / "two")
    with subprocess.Popen(
        command(*given), env=environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 60
        while not (tmp_path / "hard" / "journal.sqlite").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 3, told
    assert f"salitrap harden {place / 'one'}" in told
    assert not (tmp_path / "two").exists()
    done = salitrap(*given)
    assert done.returncode == 0, done.stderr
    expected, found = report(place / "two"), report(tmp_path / "two")
    assert found["items"] == expected["items"]
    assert rows(tmp_path / "two") == rows(place / "two")


def test_a_pool_that_solves_nothing_leaves_the_release_as_it_stands(place: Path, tmp_path: Path) -> None:
    """With the rule that all must solve, and no item refined, the solver of old solves next to nothing."""
    same = settings(
        tmp_path / "same.yaml",
        *("solver-c", "solver-c", "solver-c", "solver-c"),
        hardening="{refine_below: 0.0, generate: false, fresh_repeats: 0}",
    )
    done = salitrap(
        "harden", place / "one", "-c", same, "--run", tmp_path / "hard", "--out", tmp_path / "two"
    )
    assert done.returncode == 0, done.stderr
    assert "Version 1.0.0 stands: nothing was solved. No dataset was written." in done.stdout
    assert not (tmp_path / "two").exists()


def test_what_the_user_gets_wrong_is_told_before_anything_is_paid(place: Path, tmp_path: Path) -> None:
    to = ("--run", tmp_path / "hard", "--out", tmp_path / "two")
    wrong = salitrap("harden", tmp_path / "nothing", "-c", place / "strong.yaml", *to)
    assert (wrong.returncode, "no such folder" in wrong.stderr) == (2, True)
    day = salitrap("harden", place / "one", "-c", place / "strong.yaml", *to, "--date", "2026-13-01")
    assert (day.returncode, "YYYY-MM-DD" in day.stderr) == (2, True)
    english = settings(tmp_path / "en.yaml", "solver-a", targets="{default: {en: 3}}", languages="[en]")
    lacking = salitrap("harden", place / "one", "-c", english, *to)
    assert (lacking.returncode, "'zh'" in lacking.stderr) == (2, True)
    other = salitrap(
        *("harden", place / "one", "-c", place / "strong.yaml", "--run", place / "run"),
        *("--out", tmp_path / "two"),
    )
    assert (other.returncode, "another run" in other.stderr) == (2, True)
    assert not (tmp_path / "hard").exists()
