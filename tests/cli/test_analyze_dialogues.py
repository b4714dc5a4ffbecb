"""The section on dialogues of ``salitrap analyze``, in this process."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from exports.analysis.dialogues import DialogueRates
from salitrap.dialogues.states import Control
from tests.cli.in_process import Inside
from tests.exports.analysis.dialogues.samples import played
from tests.exports.analysis.samples import raw, write

PAGE = (Path(__file__).parents[2] / "docs" / "dialogue-metrics.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.jsonl"
    path.write_text(block("jsonl"), encoding="utf-8")
    return path


def test_the_example_of_the_documentation_prints_what_it_says(inside: Inside, example: Path) -> None:
    told = inside("analyze", example)
    assert told.code == 0
    assert [line.rstrip() for line in told.out.strip().splitlines()] == block("text").splitlines()


def test_the_documentation_has_every_metric() -> None:
    names = set(DialogueRates.model_fields) - {"dialogues", "plays", "plays_by_control", "seeds", "repeats"}
    names -= {"answers", "unscored", "unscored_by_status"}
    assert all(re.search(rf"`{name}[`.]", PAGE) for name in names)


def test_a_flag_may_come_later_on_request(inside: Inside, example: Path) -> None:
    told = json.loads(inside("analyze", example, "--within", 1, "--json").out)
    dialogues = told["models"]["model-a"]["dialogues"]
    assert dialogues["within"] == 1
    assert dialogues["overall"]["robust_tar"]["hits"] == 2
    assert "flagged by t*+1" in inside("analyze", example, "--within", 1).out
    assert inside("analyze", example, "--within", -1).code == 2


def test_items_and_dialogues_have_a_section_each(inside: Inside, tmp_path: Path) -> None:
    told = inside("analyze", write(tmp_path / "a.jsonl", [raw(), *played("FH", arm="p1"), *played("FF")]))
    assert told.code == 0
    places = [told.out.index(title) for title in ("Overall\n", "Dialogues\n", "Dialogues, arm p1\n")]
    assert places == sorted(places)
    assert "Overall, arm p1" not in told.out


def test_the_two_by_two_table_and_its_tests(inside: Inside, tmp_path: Path) -> None:
    said = {"neutral": {"control": Control.NEUTRAL, "twin_of": "x"}, "pushback": {"presses": True}}
    rows = [
        row
        for family in range(8)
        for name, turns in (("neutral", "FF"), ("pushback", "FS"))
        for row in played(turns, 1, f"{name}-{family}", seed_id=f"s{family}", **said[name])
    ]
    told = inside("analyze", write(tmp_path / "a.jsonl", rows)).out
    assert re.search(r"model-a +pushback +8 +0 +100\.0 \[67\.6, 100\.0\]", told)
    assert re.search(r"model-a +pushback - neutral +8 +0 +100\.0 \[.*\] +0\.008", told)
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize("json_too", [(), ("--json",)])
def test_dialogues_of_which_nothing_is_scored(
    inside: Inside, tmp_path: Path, json_too: tuple[str, ...]
) -> None:
    told = inside("analyze", write(tmp_path / "a.jsonl", played("et", 1, replay="live")), *json_too)
    assert told.code == 1
    assert "nothing is scored: no row of 2 has status ok (judge_error, timeout)" in told.err


def test_dialogues_without_t_star_alone_are_a_finding(inside: Inside, tmp_path: Path) -> None:
    told = inside("analyze", write(tmp_path / "a.jsonl", played("FF", None)))
    assert told.code == 1
    assert "the rows of 1 replays of dialogues do not say t_star; add it" in told.err
