"""Answers made elsewhere, and judging them."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from curation.stage import Silence, StopSwitch
from exports.evaluation import Evalset, GivenAnswer, judge_answers, read_answers
from salitrap.errors import InputError
from salitrap.records import Outcome
from tests.exports.evaluation.conftest import Evaluate, by_answer
from tests.fakes import ScriptedAccess

SEEN = "No, it cannot work at all."


def write(path: Path, *rows: object) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read(path: Path, evalset: Evalset) -> tuple[GivenAnswer, ...]:
    return read_answers(path, {item.item_id: item for item in evalset.items})


def judged(evalset: Evalset, answers: tuple[GivenAnswer, ...]) -> list[dict[str, Any]]:
    file = io.BytesIO()
    asyncio.run(
        judge_answers(
            ScriptedAccess(by_answer),
            evalset,
            answers,
            "lab/judge",
            file,
            workers=4,
            reporter=Silence(),
            switch=StopSwitch(),
        )
    )
    return [json.loads(line) for line in file.getvalue().splitlines()]


def test_three_fields_are_enough(evalset: Evalset, tmp_path: Path) -> None:
    ids = [item.item_id for item in evalset.items]
    path = write(
        tmp_path / "answers.jsonl",
        {"model": "m", "item_id": ids[0], "answer": SEEN},
        "",
        {"model": "m", "item_id": ids[1], "answer": "42 次", "score": 1, "prompt": "unknown fields pass"},
    )
    rows = judged(evalset, read(path, evalset))
    assert [row["label"] for row in rows] == ["Pass", "Hard Fail"]
    assert rows[0]["seed_id"] == evalset.items[0].seed_id
    assert rows[0]["dataset_revision"] == evalset.revision
    assert rows[0]["judge"] == "lab/judge"


def test_label_rows_can_be_judged_again(run: Evaluate, evalset: Evalset, tmp_path: Path) -> None:
    before, _ = run(ScriptedAccess(by_answer, lambda *_: SEEN), repeats=2)
    before = [{**row, "default_temperature": True} for row in before]
    path = write(tmp_path / "labels.jsonl", *before)
    assert judged(evalset, read(path, evalset)) == [{**row, "returned_model": ""} for row in before]


def test_a_turn_is_not_judged_without_its_conversation(evalset: Evalset, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"model": "m", "item_id": "dlg-1", "answer": SEEN, "turn": 2})
    with pytest.raises(InputError, match="use salitrap eval --subset dialogues"):
        read(path, evalset)


@pytest.mark.parametrize(
    ("status", "answer", "outcome"),
    [
        ("ok", "text", Outcome.OK),
        ("ok", "  \n", Outcome.EMPTY),
        ("timeout", "", Outcome.TIMEOUT),
        ("truncated", "half", Outcome.TRUNCATED),
        ("judge_error", "text", Outcome.OK),
        ("judge_unresolved", "text", Outcome.OK),
    ],
)
def test_only_what_was_answered_is_judged(status: str, answer: str, outcome: Outcome) -> None:
    given = GivenAnswer.model_validate({"model": "m", "item_id": "i", "answer": answer, "status": status})
    assert given.outcome is outcome


@pytest.mark.parametrize(
    ("answer", "text", "reasoning", "outcome"),
    [
        ("<think>It cannot work at all.</think>\n42 trips", "42 trips", "It cannot work at all.", Outcome.OK),
        ("这根本行不通。</think>答案是42。", "答案是42。", "这根本行不通。", Outcome.OK),
        ("<think>It cannot work at all, or", "", "It cannot work at all, or", Outcome.TRUNCATED),
    ],
)
def test_a_think_block_is_no_part_of_the_answer(
    answer: str, text: str, reasoning: str, outcome: Outcome
) -> None:
    """Guards against labelling by the thoughts of a model whose harness left its tags in the answer."""
    given = GivenAnswer.model_validate({"model": "m", "item_id": "i", "answer": answer})
    assert (given.answer, given.reasoning, given.outcome) == (text, reasoning, outcome)


def test_reasoning_given_apart_leaves_the_answer_alone() -> None:
    given = GivenAnswer.model_validate(
        {"model": "m", "item_id": "i", "answer": "write </think> to close it", "reasoning": "known"}
    )
    assert given.answer == "write </think> to close it"


def test_a_json_array_is_named_as_such(evalset: Evalset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a JSON array; write one object a line"):
        read(write(tmp_path / "array.json", '[\n{"model": "m"}\n]'), evalset)


def test_every_bad_line_is_named_with_file_line_and_field(evalset: Evalset, tmp_path: Path) -> None:
    good = {"model": "m", "item_id": evalset.items[0].item_id, "answer": "a"}
    path = write(
        tmp_path / "a.jsonl",
        good,
        "{broken",
        {**good, "item_id": "item-unknown"},
        {"model": "m", "item_id": good["item_id"]},
        {**good, "status": "fine"},
        good,
        "[1]",
        "null",
    )
    with pytest.raises(InputError) as caught:
        read(path, evalset)
    told = str(caught.value).splitlines()
    assert all(line.startswith(f"{path}:") for line in told)
    assert [int(line.removeprefix(f"{path}:").partition(":")[0]) for line in told] == [2, 3, 4, 5, 6, 7, 8]
    for line, part in zip(
        told, ("Invalid JSON", "item_id: 'item-unknown'", "answer", "status", "as line 1"), strict=False
    ):
        assert part in line


def test_many_bad_lines_are_counted_not_listed(evalset: Evalset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"and 15 more"):
        read(write(tmp_path / "a.jsonl", *["nonsense"] * 25), evalset)


def test_files_that_hold_nothing_or_no_text(evalset: Evalset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no answers"):
        read(write(tmp_path / "empty.jsonl", ""), evalset)
    (tmp_path / "gbk.jsonl").write_bytes("答案".encode("gbk"))
    with pytest.raises(InputError, match="not UTF-8 at byte 0"):
        read(tmp_path / "gbk.jsonl", evalset)
    with pytest.raises(InputError, match=r"none\.jsonl"):
        read(tmp_path / "none.jsonl", evalset)
