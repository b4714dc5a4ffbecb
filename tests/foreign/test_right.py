"""Against servers that do everything right, the shipped examples run to the end and give a dataset."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

from tests.cli.helpers import salitrap as salitrap_process
from tests.foreign.helpers import ANTHROPIC, OPENAI, SMALL, again, example, run, salitrap, tiny
from tests.foreign.minds import fields, is_original, right, wary
from tests.foreign.questions import Question
from tests.foreign.servers import KEY, Answer, Mind, serving

SHAKY = {"everyday": 3, "concision": 3, "concealment": 3, "numeric_context": 3}
CLUMSY = dict.fromkeys(SHAKY, 1)


def varied(question: Question) -> Answer:
    """Seen through, stilted or unreadable as first written, by the length of the request; then right."""
    prompt = question.inputs.get("prompt", question.text)
    kind = len(prompt) % 4 if is_original(prompt) else 0
    if question.task == "nat" and kind in (1, 2):
        return fields(**(SHAKY if kind == 1 else CLUMSY))(question)
    return wary(question) if kind == 3 else right(question)


def test_openai_example_with_a_short_search(tmp_path: Path) -> None:
    with serving(varied) as server:
        config = example(OPENAI, server.root, tmp_path, refine=SMALL["refine"], certify=SMALL["certify"])
        done = salitrap_process("run", "-c", config, "--run", tmp_path / "run", "--yes", SALITRAP_KEY=KEY)
        assert done.returncode == 0, done.stderr
        assert min(server.asked(task) for task in ("naturalise", "camouflage", "repair", "mutate")) > 0
        assert {question.model for question in server.questions if question.task == "solve"} == {
            "solver-one",
            "solver-two",
        }
    funnel = json.loads(salitrap("status", tmp_path / "run", "--json").out)["funnel"]
    assert funnel["seeds"]["accepted"] - funnel["seeds"]["set_aside"] == 16
    assert funnel["items"] >= 16, "every seed has a version that the solvers here fall for"
    assert "unsettled" not in funnel["candidates"]["by_status"]
    kept = [path for path in (tmp_path / "run").iterdir() if KEY.encode() in path.read_bytes()]
    assert kept == [], "the key is in a file"


def test_anthropic_example_as_shipped(tmp_path: Path) -> None:
    with serving(varied) as server:
        outcome = again(example(ANTHROPIC, server.root, tmp_path), tmp_path)
    assert outcome.done.code == 0, outcome.done.err
    funnel = outcome.report["funnel"]
    assert funnel["seeds"]["accepted"] - funnel["seeds"]["set_aside"] == 8
    assert funnel["items"] >= 8
    assert "unsettled" not in funnel["candidates"]["by_status"]


@pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
@pytest.mark.parametrize(
    ("mind", "rejects"), [(right, {}), (wary, {"no_attack": 5})], ids=["gullible", "wary"]
)
def test_exact_counts_of_a_small_run(tmp_path: Path, name: str, mind: Mind, rejects: dict[str, int]) -> None:
    with serving(mind) as server:
        outcome = run(server.root, tmp_path, name, targets={"en": 3, "zh": 2})
        assert server.asked("scale") == 2
        assert server.asked("solve") == server.asked("judge") == 10 + 10 * 3 + sum(rejects.values())
    assert outcome.done.code == 0, outcome.done.err
    funnel = outcome.report["funnel"]
    assert (funnel["seeds"]["experts"], funnel["seeds"]["drafts"], funnel["seeds"]["accepted"]) == (2, 3, 5)
    assert (funnel["items"], dict(outcome.faults)) == (10, rejects)
    assert not outcome.report["spend"]["simulated"]


def test_dataset_loads_back_in_both_languages(tmp_path: Path) -> None:
    with serving(right) as server:
        outcome = run(server.root, tmp_path, targets={"en": 3, "zh": 2})
    out = tmp_path / "dataset"
    version = ("--version", "0.1.0", "--license", "cc-by-4.0")
    built = salitrap("build", outcome.folder, "--out", out, *version)
    assert built.code == 0, built.err
    rows: list[dict[str, Any]] = [row for rows in loaded(out, tmp_path).values() for row in rows]
    assert {language: sum(row["language"] == language for row in rows) for language in ("en", "zh")} == {
        "en": 6,
        "zh": 4,
    }
    assert not any(row["simulated"] for row in rows)
    assert {row["attack_tier"] for row in rows} == {"strong"}
    assert {row["stability_rate"] for row in rows} == {1.0}
    assert all(number in row["prompt"] for row in rows for number in row["injected_numbers"])


def loaded(folder: Path, cache: Path) -> Any:
    os.environ.setdefault("HF_DATASETS_OFFLINE", "1")
    return load_dataset(str(folder), "items", cache_dir=str(cache / "cache"))


def test_second_run_on_the_same_directory_asks_nothing(tmp_path: Path) -> None:
    with serving(right) as server:
        outcome = run(server.root, tmp_path)
        asked = len(server.questions)
        config = example(OPENAI, server.root, tmp_path, **tiny(tmp_path, en=1))
        assert again(config, tmp_path).items == outcome.items == 2
        assert len(server.questions) == asked


def test_half_a_run_against_a_dead_server_is_finished_by_the_next(tmp_path: Path) -> None:
    def tired(question: Question) -> Answer:
        return right(question) if len(server.questions) < 12 else replace(right(question), content="")

    with serving(tired) as server:
        first = run(server.root, tmp_path, limits={"attempts": 1})
        assert (first.done.code, first.items) == (3, 0)
        server.mind = right
        second = again(tmp_path / OPENAI, tmp_path)
    assert (second.done.code, second.items) == (0, 2)
