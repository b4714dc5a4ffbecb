"""``eval`` and ``judge`` through batch interfaces: the same file, half the price, and a way to leave."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest

from exports.dataset import build_dataset
from exports.evaluation import evaluation_settings, in_batches, plan_evaluation
from exports.evaluation.models import EvalOptions
from salitrap.cli.plan_tables import batch_lines, cost_table, plan_record
from salitrap.cli.progress_notes import waiting_text
from salitrap.errors import ConfigError
from salitrap.providers.batch.office import BatchView
from salitrap.providers.money.costing import cost_of
from tests.cli.helpers import environment, only_line
from tests.cli.hurried import hurried
from tests.cli.in_process import salitrap
from tests.exports.samples import facts, many
from tests.providers.batch.helpers import until
from tests.providers.batch.servers import BatchServer, batching
from tests.providers.servers import chat, claude

PASS = {
    "notices": "early",
    "quote": "it cannot work at all",
    "completes_task": False,
    "refuses": True,
    "explains": True,
    "patches": False,
    "reason": "names it",
}
HARD_FAIL = {**PASS, "notices": "never", "quote": "", "completes_task": True, "refuses": False}


def says(body: dict[str, Any]) -> Any:
    """Solvers see through half of the prompts, the judge knows which; one answer in eight is cut off."""
    asked = body["messages"][-1]["content"]
    drawn = int(hashlib.sha256(asked.encode()).hexdigest(), 16) % 8
    if body["model"] == "solver":
        text = "I fear it cannot work at all." if drawn % 2 else "Twelve trips, 40 minutes."
        return chat("" if drawn == 7 else text, "length" if drawn == 7 else "stop")
    passed = "I fear it cannot work" in asked
    return claude(json.dumps(PASS if passed else HARD_FAIL))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("batched") / "ds"
    build_dataset(
        many(), facts(), out=out, version="1.0.0", license="cc-by-4.0", name="SaliTrap", dev_share=0.3
    )
    return out


def words(dataset: Path, server: BatchServer, out: Path, *more: object) -> list[str]:
    model, judge = f"openai/solver@{server.url}", f"anthropic/judge@{server.root}"
    return hurried(
        "eval", dataset, "--model", model, "--judge", judge, "--out", out, "--split", "all", "--yes", *more
    )


async def started(arguments: list[str]) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*arguments, env=environment(), stdout=pipe, stderr=pipe)


async def ended(process: asyncio.subprocess.Process) -> tuple[int, str, str]:
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def done(arguments: list[str]) -> tuple[int, str, str]:
    return await ended(await started(arguments))


async def test_the_file_is_the_same_with_and_without_batches(dataset: Path, tmp_path: Path) -> None:
    async with batching(says, spoil=lambda lines: lines[::-1]) as server:
        alone, batched = tmp_path / "alone.jsonl", tmp_path / "batched.jsonl"
        code, _, told = await done(words(dataset, server, alone))
        assert code == 0, told
        asked = len(server.singles)
        code, _, told = await done(words(dataset, server, batched, "--batch"))
        assert code == 0, told
    assert batched.read_bytes() == alone.read_bytes()
    assert len(server.singles) == asked, "nothing was sent alone"
    assert len(server.batches) == 2, "all answers at once, all labels at once"
    assert len(server.submitted) == asked
    rows = [json.loads(line) for line in alone.read_text(encoding="utf-8").splitlines()]
    assert {row["status"] for row in rows} == {"ok", "truncated"}
    assert {row["label"] for row in rows} == {"Pass", "Hard Fail", None}


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_leaves_batches_and_says_how_to_collect_them(
    dataset: Path, tmp_path: Path, kind: signal.Signals
) -> None:
    async with batching(says, hold=True) as server:
        out = tmp_path / "labels.jsonl"
        process = await started(words(dataset, server, out, "--batch"))
        await until(lambda: server.asked, 60)
        process.send_signal(kind)
        code, _, told = await ended(process)
        assert code == 3, told
        assert "Traceback" not in told
        asked = len(server.submitted)
        assert f"{asked} requests in 1 batch wait at the provider" in told
        assert ("stopped by SIGTERM" in told) == (kind is signal.SIGTERM), told
        assert told.splitlines()[-1].startswith("Everything so far is saved. To go on: salitrap eval")
        server.hold = False
        code, _, told = await done(words(dataset, server, out, "--batch"))
        assert code == 0, told
        answers = [body for body in server.submitted if body["model"] == "solver"]
        assert len(answers) == asked, "no answer was asked for twice"
        shown = salitrap("calls", out, "--limit", "3")
    assert shown.returncode == 0, shown.stderr


async def test_no_wait_submits_and_leaves_until_all_is_done(dataset: Path, tmp_path: Path) -> None:
    async with batching(says, hold=True) as server:
        out = tmp_path / "labels.jsonl"
        arguments = words(dataset, server, out, "--batch", "--no-wait")
        for first in (True, False):
            code, _, told = await done(arguments)
            assert code == 3, told
            assert len(server.batches) == 1
            assert "in 1 batch wait at the provider; the oldest batch is due by 20" in told
            assert "error:" not in told, "all went well"
            asked = len(server.submitted)
            assert (f"Submitted: {asked} requests in 1 batch." in told) == first
            assert (
                shlex.split(told.splitlines()[-1].partition("To go on: ")[2])[1:]
                == arguments[arguments.index("eval") :]
            )
            calls = salitrap("calls", out)
            assert f"Not listed: {asked} requests in 1 batch wait at the provider" in calls.stdout
            listed = json.loads(salitrap("calls", out, "--json").stdout)
            assert listed["waiting"] == {"requests": asked, "batches": 1}
        await server.finish(server.batches["batch-0"])
        code, _, told = await done(arguments)
        assert (code, len(server.batches)) == (3, 2), "the answers are collected, their labels are asked for"
        await server.finish(server.batches["batch-1"])
        code, _, told = await done(arguments)
        assert code == 0, told
    assert len(server.batches) == 2


async def test_what_was_asked_with_other_settings_can_be_collected(dataset: Path, tmp_path: Path) -> None:
    """It was paid for, and no command could fetch it once the evaluation was complete."""
    async with batching(says, hold=True) as server:
        out = tmp_path / "labels.jsonl"
        code, _, told = await done(words(dataset, server, out, "--batch", "--no-wait"))
        assert code == 3, told
        asked = len(server.submitted)
        collect = hurried("calls", out, "--collect")
        code, said, told = await done(collect)
        assert (code, said) == (3, "Collected: 0 replies; nothing new was sent.\n")
        assert f"{asked} requests in 1 batch wait" in told and "error" not in told
        assert told.splitlines()[-1] == f"To go on: salitrap calls {out} --collect"
        server.hold = False
        code, _, told = await done(words(dataset, server, out, "--batch", "--temperature", 0.9))
        assert code == 0 and f"salitrap calls {out}.journal.sqlite --collect" in told, told
        batches = len(server.batches)
        code, said, told = await done(collect)
        assert (code, said) == (0, f"Collected: {asked} replies; nothing new was sent.\n"), told
        assert len(server.batches) == batches
    assert json.loads(salitrap("calls", out, "--json").stdout)["waiting"] == {"requests": 0, "batches": 0}


async def test_labels_alone_can_be_had_in_batches(dataset: Path, tmp_path: Path) -> None:
    async with batching(says) as server:
        labels, again = tmp_path / "labels.jsonl", tmp_path / "again.jsonl"
        code, _, told = await done(words(dataset, server, labels))
        assert code == 0, told
        judge = f"anthropic/judge@{server.root}"
        options = ("--dataset", dataset, "--judge", judge, "--out", again, "--yes", "--batch")
        code, _, told = await done(hurried("judge", labels, *options))
        assert code == 0, told
    assert again.read_bytes() == labels.read_bytes()
    assert len(server.batches) == 1
    listed = json.loads(salitrap("calls", again, "--limit", "1", "--json").stdout)["calls"]
    shown = salitrap("calls", again, "--show", listed[0]["key"])
    tag = next(iter(server.batches["batch-0"].requests)).partition("-")[0]
    assert f"  batch: {tag}" in shown.stdout


async def test_a_judge_can_be_calibrated_in_batches(tmp_path: Path) -> None:
    """A calibration asks for hundreds of labels, and had to pay the full price for them."""
    async with batching(says, hold=True) as server:
        judge, out = ("--judge", f"anthropic/judge@{server.root}"), tmp_path / "batched.json"
        asked = ("calibrate", *judge, "--limit", 8, "--yes")
        batched = hurried(*asked, "--out", out, "--batch", "--no-wait")
        code, _, told = await done(batched)
        assert code == 3 and "8 requests in 1 batch wait at the provider" in told, told
        assert not out.exists() and not server.singles
        await server.finish(server.batches["batch-0"])
        while server.batches and (code := (await done(batched))[0]) == 3:
            await server.finish(list(server.batches.values())[-1])
        assert code == 1, "eight answers are too few for the gate"
        alone = tmp_path / "alone.json"
        assert (await done(hurried(*asked, "--out", alone)))[0] == 1
    made = [json.loads(path.read_text("utf-8"))[0] for path in (out, alone)]
    assert made[0] | {"date": ""} == made[1] | {"date": ""}


async def test_checkers_ask_all_their_questions_in_one_batch(tmp_path: Path) -> None:
    """One after the other they would have taken three batches, each of up to a day."""
    async with batching(says, hold=True) as server:
        checker = ("--role", "checker", "--checker", f"anthropic/m@{server.root}")
        asked = ("calibrate", *checker, "--limit", 4, "--out", tmp_path / "c.json", "--yes")
        code, _, told = await done(hurried(*asked, "--batch", "--no-wait"))
    assert code == 3 and "12 requests in 1 batch wait at the provider" in told, told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--model", "lab/solver-a", "--judge", "openai/j", "--batch"), "lab/solver-a runs on this machine"),
        (("--model", "openai/m", "--judge", "gguf/j.gguf", "--batch"), "gguf/j.gguf runs on this machine"),
        (("--model", "openai/m", "--judge", "openai/j", "--no-wait"), "give --batch too"),
    ],
)
def test_what_has_no_batches_is_refused_in_one_line(
    dataset: Path, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    out = tmp_path / "labels.jsonl"
    refused = salitrap("eval", dataset, *arguments, "--out", out)
    assert refused.returncode == 2
    assert told in only_line(refused.stderr)
    assert not list(tmp_path.iterdir())


def plan(batch: bool) -> Any:
    options = EvalOptions(models=("openai/gpt-5-mini",), judge="anthropic/claude-haiku-4-5")
    settings = evaluation_settings(options)
    settings = in_batches(settings) if batch else settings
    return cost_of(plan_evaluation(many(), 1, 1, settings), settings), settings


def test_the_plan_shows_half_the_price_and_up_to_a_day_a_batch() -> None:
    (alone, _), (batched, settings) = plan(False), plan(True)
    assert alone.usd is not None and batched.usd is not None
    assert batched.usd[1] == pytest.approx(alone.usd[1] / 2)
    assert batched.seconds == (0.0, 2 * 86_400.0)
    assert batch_lines(alone) == []
    assert batch_lines(batched)[0].startswith("Batches (solver, judge): half price, and up to 24 h")
    cells = [str(cell) for column in cost_table(batched).columns for cell in column.cells]
    assert "up to 24.0 h" in cells and "up to 2.0 d" in cells
    assert plan_record(batched, settings)["roles"][0]["latency_basis"] == "batch"


def test_a_settings_file_may_name_single_endpoints() -> None:
    """The judge in batches, the model alone: what is not told is left as it is."""
    options = EvalOptions(models=("lab/solver-a",), judge="lab/judge")
    with pytest.raises(ConfigError, match="batch: true"):
        in_batches(evaluation_settings(options))


def test_waiting_is_told_with_figures() -> None:
    view = BatchView(batches=2, requests=400, done=120, queued=0, seconds=2100.0)
    assert waiting_text(view) == "waiting for 2 batches for 35.0 min: 120 of 400 requests done"
    held = BatchView(batches=1, requests=1, queued=3, seconds=5.0, trouble="out of order")
    assert waiting_text(held).endswith("0 of 1 requests done, 3 requests to be submitted, out of order")
    assert waiting_text(BatchView()) == ""
