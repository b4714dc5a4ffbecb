"""The lm-eval task, run by lm-eval itself with its dummy model, without network and without our packages."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from exports.evaluation import load_evalset, read_answers
from tests.exports.harness.conftest import Run, harnessed, outside, rows_of

pytestmark = harnessed


def logged(run: Run, folder: Path, *options: str) -> list[dict[str, Any]]:
    """Log the answers of the dummy model beside ``folder``."""
    done = run(
        "lm_eval", "run", "--model", "dummy", "--include_path", folder / "harness" / "lm_eval", "--tasks",
        "sieve_co_items", "--log_samples", "--output_path", folder.parent / "out", *options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (path,) = (folder.parent / "out").rglob("samples_*.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


@pytest.fixture(scope="module")
def ran(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of which all items were asked, the log beside it."""
    folder = Path(shutil.copytree(released, tmp_path_factory.mktemp("asked") / "ds"))
    logged(partial(outside, folder.parent), folder)
    return folder


def test_every_item_is_asked_once_exactly_as_it_stands_and_its_id_is_logged(ran: Path) -> None:
    (path,) = (ran.parent / "out").rglob("samples_*.jsonl")
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    prompts = {row["item_id"]: row["prompt"] for row in rows_of(ran)}
    assert {one["doc"]["item_id"]: one["arguments"]["gen_args_0"]["arg_0"] for one in found} == prompts
    assert len(found) == len(prompts) == 11
    assert {one["arguments"]["gen_args_0"]["arg_1"]["max_gen_toks"] for one in found} == {8192}
    assert all(one["arguments"]["gen_args_0"]["arg_1"]["until"] == [] for one in found)


def test_the_result_names_the_release_and_counts_answers_only(ran: Path) -> None:
    (path,) = (ran.parent / "out").rglob("results_*.json")
    result = json.loads(path.read_text(encoding="utf-8"))
    assert result["results"]["sieve_co_items"]["answered,none"] == 1.0
    assert result["versions"]["sieve_co_items"] == "1.2.0"
    assert result["n-samples"]["sieve_co_items"] == {"original": 11, "effective": 11}


def test_logged_answers_can_be_judged(ran: Path, run: Run, tmp_path: Path) -> None:
    logs = list((ran.parent / "out").rglob("samples_*.jsonl"))
    done = run("python", "-I", ran / "harness" / "lm_eval" / "answers.py", "--model", "dummy", *logs)
    (tmp_path / "answers.jsonl").write_text(done.stdout, encoding="utf-8")
    items = {item.item_id: item for item in load_evalset(ran, split="all").items}
    answers = read_answers(tmp_path / "answers.jsonl", items)
    assert {answer.item_id for answer in answers} == set(items)
    assert {(answer.model, answer.answer, answer.repeat) for answer in answers} == {("dummy", "lol", 0)}


def test_metadata_on_the_command_line_chooses_a_folder_and_a_language(folder: Path, run: Run) -> None:
    alone = folder.parent / "alone" / "harness"
    alone.parent.mkdir()
    (folder / "harness").rename(alone)
    found = logged(run, alone.parent, "--metadata", json.dumps({"dataset": str(folder), "language": "zh"}))
    wanted = {row["item_id"] for row in rows_of(folder) if row["language"] == "zh"}
    assert {one["doc"]["item_id"] for one in found} == wanted
