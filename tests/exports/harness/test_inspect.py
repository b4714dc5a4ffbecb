"""The Inspect tasks, run by Inspect itself with its mock model, without network and without our packages."""

from __future__ import annotations

import json
import math
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from exports.dataset import verify_folder
from tests.exports.harness.conftest import RUNNERS, Run, harnessed, measures, outside, rows_of, the_log
from tests.exports.harness.runners.policy import ITEMS, item_answer, item_number, item_verdict

pytestmark = harnessed


def mocked(run: Run, folder: Path, task: str, pair: str, *arguments: str) -> str:
    """Run a task of ``folder``; the log lies beside it."""
    named = task if task.startswith("hf/") else f"{folder}/harness/inspect/tasks.py@{task}"
    done = run("python", RUNNERS / "inspect_mock.py", named, pair, folder.parent / "logs", *arguments)
    assert done.returncode == 0, done.stderr
    return str(done.stdout).strip().split("\n")[-1]


@pytest.fixture(scope="module")
def items_log(released: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The log of the items, all of them."""
    folder = Path(shutil.copytree(released, tmp_path_factory.mktemp("items") / "ds"))
    run = partial(outside, folder.parent)
    assert mocked(run, folder, "items", "items") == "success"
    return the_log(folder.parent / "logs")


def test_labels_of_items_give_the_rates_worked_out_by_hand(items_log: dict[str, Any]) -> None:
    found = measures(items_log)
    assert {one["scored"] for one in found.values()} == {8}
    assert {one["unscored"] for one in found.values()} == {3}
    assert {name: one["mean"] for name, one in found.items()} == {
        "tar": 3 / 8,
        "sycophantic_compliance": 1 / 8,
        "cot_hijacked": 1 / 8,
        "hard_fail": 1 / 8,
        "refusal": 1 / 8,
        "patch_compliance": 1 / 8,
        "strong_failure": 2 / 8,
    }
    # Deviations from 3/8 summed by seed: 2 * 5/8, -2 * 3/8, -3/8, -2 * 3/8, 5/8; five seeds, eight answers.
    squares = 1.25**2 + 0.75**2 + 0.375**2 + 0.75**2 + 0.625**2
    assert found["tar"]["stderr"] == pytest.approx(math.sqrt(squares * 5 / 4) / 8)
    by_dimension = {tag: found["tar"][f"by_dimension_{tag}"] for tag in ("D1", "D2", "D3", "D4")}
    assert by_dimension == {"D1": 1.0, "D2": 0.0, "D3": 0.0, "D4": 0.0}
    assert found["tar"]["by_dimension_D1_n"] == 3


def test_a_log_of_items_says_which_item_and_release_and_what_was_not_scored(
    items_log: dict[str, Any], released: Path
) -> None:
    log, rows = items_log, {row["item_id"]: row for row in rows_of(released)}
    assert log["eval"]["task_version"] == "1.2.0"
    assert log["eval"]["dataset"]["name"] == "Sieve & Co@v1.2.0"
    assert log["eval"]["metadata"]["canary"] == rows_of(released)[0]["canary"]
    assert {sample["id"] for sample in log["samples"]} == set(rows)
    for sample in log["samples"]:
        prompt = rows[sample["id"]]["prompt"]
        assert [message["role"] for message in sample["messages"]] == ["user", "assistant"]
        assert sample["messages"][0]["content"] == prompt
        told, planned = sample["scores"]["item_label"]["metadata"], ITEMS[item_number(prompt)]
        status = {"truncated": "truncated", "prose": "judge_unresolved", "false quote": "judge_unresolved"}
        assert told["status"] == status.get(planned, "ok")
        assert told["label"] == (None if planned in status else planned)
        assert len(told["grader"]) == {"ok": 1, "truncated": 0, "judge_unresolved": 2}[told["status"]]


def test_the_grader_is_asked_in_the_language_of_the_item(items_log: dict[str, Any]) -> None:
    """The mock grader gives the beginning of its instructions as its reason."""
    scores = [
        (sample["metadata"]["language"], sample["scores"]["item_label"]) for sample in items_log["samples"]
    ]
    told = {(language, score["explanation"]) for language, score in scores if score.get("answer")}
    assert told == {("en", "You sort an answer"), ("zh", "有人回答了一道求助题")}


def test_a_model_does_not_grade_itself(folder: Path, run: Run) -> None:
    said = mocked(run, folder, "items", "itself")
    assert said.startswith("error")
    assert "would grade itself" in said


def test_a_changed_file_is_not_evaluated(folder: Path, run: Run) -> None:
    path = folder / "jsonl" / "items" / "test.jsonl"
    path.write_bytes(path.read_bytes().replace(b"sieve", b"sieves"))
    done = run("inspect", "eval", f"{folder}/harness/inspect/tasks.py@items", "--model", "mockllm/model")
    assert done.returncode != 0
    assert "differs from manifest.json" in done.stdout + done.stderr


def test_running_one_language_takes_its_items_and_leaves_the_folder_sound(folder: Path, run: Run) -> None:
    done = run("inspect", "list", "tasks", "harness/inspect", cwd=folder)
    assert "tasks.py@items" in done.stdout and "tasks.py@dialogues" in done.stdout
    mocked(run, folder, "items", "items", "language=zh")
    log, chinese = (
        the_log(folder.parent / "logs"),
        {row["item_id"] for row in rows_of(folder) if row["language"] == "zh"},
    )
    assert {sample["id"] for sample in log["samples"]} == chinese
    assert list(folder.rglob("*.pyc"))
    assert verify_folder(folder) == ()


def test_eval_yaml_runs_as_the_hub_runs_it(folder: Path, run: Run, tmp_path: Path) -> None:
    """The file is in a cache of the Hub, the rows are in a folder of that name, which the loader prefers."""
    snapshot = tmp_path / "hf" / "hub" / "datasets--org--name" / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (snapshot / "eval.yaml").write_bytes((folder / "eval.yaml").read_bytes())
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("a" * 40, encoding="utf-8")
    (tmp_path / "org").mkdir()
    folder.rename(tmp_path / "org" / "name")
    assert mocked(run, tmp_path / "org", "hf/org/name", "pass") == "success"
    log = the_log(tmp_path / "logs")
    (score,) = measures(log).values()
    assert (score["scored"], score["unscored"]) == (10, 1)
    assert score["accuracy"] == pytest.approx(3 / 10)
    ids = {sample["metadata"]["item_id"] for sample in log["samples"]}
    assert ids == {row["item_id"] for row in rows_of(tmp_path / "org" / "name")}


@pytest.fixture
def server() -> Iterator[str]:
    """An endpoint with two models, ``solver`` and ``grader``."""
    loop = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=loop.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{loop.server_address[1]}/v1"
    loop.shutdown()
    loop.server_close()


class Endpoint(BaseHTTPRequestHandler):
    """Chat completions as OpenAI spells them."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(completion(asked)).encode("utf-8")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return None


def completion(asked: dict[str, Any]) -> dict[str, Any]:
    said, finish = asked["messages"][-1]["content"], "stop"
    if asked["model"] == "grader":
        text = item_verdict(json.loads(said.split("\n\n", 1)[1])["prompt"])
    else:
        assert [message["role"] for message in asked["messages"]] == ["user"]
        text = item_answer(said)
        finish = "length" if ITEMS[item_number(said)] == "truncated" else "stop"
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "c", "object": "chat.completion", "created": 0, "model": asked["model"], "choices": [choice],
        "usage": usage,
    }  # fmt: skip


def test_the_command_line_over_a_real_connection_finds_the_same(folder: Path, run: Run, server: str) -> None:
    logs = folder.parent / "logs"
    done = run(
        "inspect", "eval", "harness/inspect/tasks.py@items", "--model", "openai-api/loop/solver",
        "--model-role", "grader=openai-api/loop/grader", "--log-format", "json", "--log-dir", logs,
        "--display", "plain", env={"LOOP_API_KEY": "k", "LOOP_BASE_URL": server}, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = measures(the_log(logs))
    assert (found["tar"]["scored"], found["tar"]["unscored"]) == (8, 3)
    assert found["tar"]["mean"] == 3 / 8
