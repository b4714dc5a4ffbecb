"""``salitrap optimize`` from end to end on the lab, and the use of what it saved."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from checkers.gold import Half, load_gold, shipped_answers_folder
from prompts.loader import load_prompt
from prompts.source import prompt_source
from salitrap.records.enums import Language
from tests.cli.helpers import command, environment, only_line, salitrap
from tests.cli.in_process import Inside

Made = tuple[Path, Any, subprocess.CompletedProcess[str]]
JUDGE = ("--judge", "lab/judge-noisy-40")


def optimize(gold: Path, out: Path) -> tuple[object, ...]:
    return ("optimize", "--role", "judge", *JUDGE, "--gold", gold, "--method", "gepa", "--out", out)


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of the shipped answers, in one language."""
    folder = tmp_path_factory.mktemp("gold")
    for half in (Half.TRAIN, Half.HELD):
        (folder / half.value).mkdir()
        for name in ("D1.zh.yaml", "D2.zh.yaml"):
            shutil.copy(shipped_answers_folder() / half.value / name, folder / half.value / name)
    return folder


@pytest.fixture(scope="module")
def made(gold: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The folder, the report, and how the command ended."""
    out = tmp_path_factory.mktemp("optimized") / "mine"
    done = salitrap(*optimize(gold, out), "--json")
    return out, json.loads(done.stdout), done


def requests(out: Path) -> list[tuple[str, str]]:
    """Role and messages of every call, in order."""
    with closing(sqlite3.connect(out / "optimize.journal.sqlite")) as journal:
        return journal.execute("SELECT role, messages FROM calls ORDER BY id").fetchall()


def test_the_lab_tests_the_plumbing_and_says_so(made: Made) -> None:
    out, report, done = made
    (found,) = report["languages"].values()
    assert done.returncode == (0 if found["better"] else 1), done.stderr
    assert report["simulated"] and "only tests the plumbing" in report["note"]
    own, parent = prompt_source(str(out))("judge", Language.ZH), load_prompt("judge", Language.ZH)
    assert (own.version, own.parent) == (2, f"judge@1/zh sha256 {parent.sha256}")
    assert own.score is not None and own.score.simulated and own.score.method == "gepa"
    assert own.score.model_dump(mode="json") == found["score"]
    assert own.score.judge == "lab/judge-noisy-40" and own.score.answers == 32
    assert own.text.startswith(parent.text) and own.text != parent.text


def test_the_optimiser_never_sees_a_held_answer(gold: Path, made: Made) -> None:
    held = load_gold([gold]).part(half=Half.HELD).answers
    signs = {json.dumps(one.prompt[:40], ensure_ascii=False).strip('"') for one in held}
    seen = [(role, any(sign in messages for sign in signs)) for role, messages in requests(made[0])]
    first = seen.index(("judge", True))
    assert all(held for _, held in seen[first:]) and len(seen) - first >= 2 * len(held)
    assert any(role == "writer" for role, _ in seen[:first])


def test_nothing_is_overwritten_and_nothing_paid_for_that(gold: Path, made: Made) -> None:
    before, asked = (made[0] / "zh" / "judge.md").read_bytes(), len(requests(made[0]))
    again = salitrap(*optimize(gold, made[0]))
    assert again.returncode == 2
    assert "is not overwritten; choose another --out" in only_line(again.stderr)
    assert (made[0] / "zh" / "judge.md").read_bytes() == before and len(requests(made[0])) == asked


def test_the_same_command_finds_every_reply_in_the_journal(gold: Path, made: Made, tmp_path: Path) -> None:
    """Both methods repeat themselves exactly, or a stopped search would be paid for again."""
    for path in made[0].glob("optimize.journal.sqlite*"):
        shutil.copy(path, tmp_path / path.name)
    again = json.loads(salitrap(*optimize(gold, tmp_path), "--json").stdout)
    assert len(requests(tmp_path)) == len(requests(made[0]))
    dated = [one["languages"]["zh"]["score"] | {"date": ""} for one in (again, made[1])]
    assert dated[0] == dated[1]


def test_a_budget_stops_it_and_the_printed_command_goes_on(gold: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    stopped = salitrap(*optimize(gold, out), "--budget-calls", 40)
    assert stopped.returncode == 3, stopped.stderr
    assert len(requests(out)) == 40
    assert "salitrap optimize" in stopped.stderr and "--max-calls 80" in stopped.stderr
    assert "Traceback" not in stopped.stderr and not list(out.glob("*/judge.md"))


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_ends_it_and_what_was_answered_is_saved(tmp_path: Path, presses: int) -> None:
    """The optimiser's threads wait for replies; they must not keep the process alive."""
    config = tmp_path / "c.yaml"
    config.write_text("lab: {latency: 0.5}\nroles: {judge: {endpoints: [{spec: lab/judge, in_flight: 2}]}}\n")
    arguments = ("optimize", "-c", config, "--language", "en", "--out", tmp_path / "o")
    process = subprocess.Popen(
        command(*arguments), env=environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    journal, ends = tmp_path / "o" / "optimize.journal.sqlite", time.monotonic() + 60
    while time.monotonic() < ends and not (journal.exists() and _answered(tmp_path / "o") > 3):
        time.sleep(0.1)
    for _ in range(presses):
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 3, told
    assert "stopped by Ctrl-C" in told and "To go on: salitrap optimize" in told
    assert "Traceback" not in told
    assert _answered(tmp_path / "o") > 3


def _answered(out: Path) -> int:
    try:
        return len(requests(out))
    except sqlite3.OperationalError:
        return 0


def test_the_optimiser_prints_nothing_of_its_own(gold: Path, tmp_path: Path) -> None:
    done = salitrap("optimize", *JUDGE, "--gold", gold, "--out", tmp_path, "--json")
    json.loads(done.stdout)
    assert (
        "Bootstrapped" not in done.stderr and "%|" not in done.stderr and "Average Metric" not in done.stderr
    )


def test_saved_instructions_are_used_and_recorded(made: Made, inside: Inside, tmp_path: Path) -> None:
    out = tmp_path / "c.json"
    shared = ("calibrate", "--judge", "lab/judge", "--language", "zh", "--limit", 3, "--out", out, "--json")
    by_option = json.loads(inside(*shared, "--prompts", made[0]).out)
    own = prompt_source(str(made[0]))("judge", Language.ZH)
    assert by_option["judge"]["prompts"] == {"judge@2/zh": own.sha256}
    config = tmp_path / "c.yaml"
    config.write_text(f"prompts: {made[0]}\n", encoding="utf-8")
    by_setting = json.loads(inside(*shared, "-c", config).out)
    assert by_setting["judge"]["prompts"] == by_option["judge"]["prompts"]
    assert len(json.loads(out.read_text(encoding="utf-8"))) == 1
    with closing(sqlite3.connect(f"{out}.journal.sqlite")) as journal:
        rows = set(journal.execute("SELECT prompt, prompt_sha256 FROM calls"))
    assert rows == {("judge@2/zh", own.sha256)}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--judge", "rules"), "instructions are improved for one model"),
        ((), "no judge is named; give --judge SPEC"),
        (("--judge", "lab/judge", "--prompts", "nowhere"), "no instructions here"),
        (("--judge", "lab/judge", "--gold", "nowhere"), "nowhere: no such file or folder"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(
    tmp_path: Path, inside: Inside, arguments: tuple[str, ...], told: str
) -> None:
    done = inside("optimize", "--out", tmp_path / "o", *arguments)
    assert done.code == 2
    assert told in only_line(done.err)


def test_a_judge_behind_batches_is_refused(tmp_path: Path, inside: Inside) -> None:
    config = tmp_path / "c.yaml"
    config.write_text("roles: {judge: {endpoints: [{spec: openai/gpt-4o-mini, batch: true}]}}\n")
    done = inside("optimize", "-c", config, "--out", tmp_path / "o")
    assert done.code == 2 and "cannot wait for batches" in only_line(done.err)
