"""The lm-eval task, run by lm-eval itself with its dummy model, without network and without our packages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exports.evaluation import load_evalset, read_answers
from tests.exports.harness.conftest import Run, harnessed, rows_of

pytestmark = harnessed


def samples(run: Run, folder: Path, *options: str) -> list[dict[str, Any]]:
    """Log the answers of the dummy model beside ``folder``."""
    done = run(
        "lm_eval", "run", "--model", "dummy", "--include_path", folder / "harness" / "lm_eval", "--tasks",
        "sieve_co_items", "--log_samples", "--output_path", folder.parent / "out", *options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (path,) = (folder.parent / "out").rglob("samples_*.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_every_item_is_asked_once_exactly_as_it_stands_and_its_id_is_logged(folder: Path, run: Run) -> None:
    found = samples(run, folder)
    prompts = {row["item_id"]: row["prompt"] for row in rows_of(folder)}
    assert {one["doc"]["item_id"]: one["arguments"]["gen_args_0"]["arg_0"] for one in found} == prompts
    assert len(found) == len(prompts) == 11
    assert {one["arguments"]["gen_args_0"]["arg_1"]["max_gen_toks"] for one in found} == {8192}
    assert all(one["arguments"]["gen_args_0"]["arg_1"]["until"] == [] for one in found)
    (path,) = (folder.parent / "out").rglob("results_*.json")
    result = json.loads(path.read_text(encoding="utf-8"))
    assert result["results"]["sieve_co_items"]["answered,none"] == 1.0
    assert result["versions"]["sieve_co_items"] == "1.2.0"
    assert result["n-samples"]["sieve_co_items"] == {"original": 11, "effective": 11}


def test_metadata_on_the_command_line_chooses_a_folder_and_a_language(folder: Path, run: Run) -> None:
    alone = folder.parent / "alone" / "harness"
    alone.parent.mkdir()
    (folder / "harness").rename(alone)
    chosen = json.dumps({"dataset": str(folder), "language": "zh"})
    found = samples(run, alone.parent, "--metadata", chosen)
    wanted = {row["item_id"] for row in rows_of(folder) if row["language"] == "zh"}
    assert {one["doc"]["item_id"] for one in found} == wanted


def test_logged_answers_can_be_judged(folder: Path, run: Run) -> None:
    samples(run, folder)
    logs = list((folder.parent / "out").rglob("samples_*.jsonl"))
    done = run("python", "-I", folder / "harness" / "lm_eval" / "answers.py", "--model", "dummy", *logs)
    path = folder.parent / "answers.jsonl"
    path.write_text(done.stdout, encoding="utf-8")
    items = {item.item_id: item for item in load_evalset(folder, split="all").items}
    answers = read_answers(path, items)
    assert {answer.item_id for answer in answers} == set(items)
    assert {(answer.model, answer.answer, answer.repeat) for answer in answers} == {("dummy", "lol", 0)}
