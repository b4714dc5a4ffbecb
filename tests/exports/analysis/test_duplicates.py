"""An answer that stands in the files twice is counted once, or refused with both places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exports.analysis import read_rows
from salitrap.errors import InputError
from tests.exports.analysis.samples import raw, write


def test_an_identical_row_counts_once_and_is_said(tmp_path: Path) -> None:
    first, second = (write(tmp_path / name, [raw(answer="a")]) for name in ("a.jsonl", "b.jsonl"))
    read = read_rows([first, second])
    assert len(read.rows) == 1
    assert read.notices == (f"repeated rows that count once: 1; the first: {second}:1 repeats {first}:1",)
    assert [file.rows for file in read.files] == [1, 1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"label": "Hard Fail"}, "label 'Pass' instead of 'Hard Fail'"),
        ({"status": "timeout", "label": None}, "status 'ok' instead of 'timeout'"),
        ({"seed_id": "s9"}, "seed_id 's1' instead of 's9'"),
        ({"answer": "b"}, "another answer or reasoning"),
    ],
)
def test_conflicting_rows_name_both_places(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    first = write(tmp_path / "a.jsonl", [raw(item_id="x"), raw(answer="a")])
    second = write(tmp_path / "b.jsonl", [raw(**{"answer": "a", **changes})])
    with pytest.raises(InputError) as caught:
        read_rows([first, second])
    message = str(caught.value)
    assert message.startswith(f"{second}:1: the answer (model 'model-a', item_id 'i1', arm 'control'")
    assert f"stands at {first}:2 too, with {said}" in message


@pytest.mark.parametrize(
    "changes",
    [{"arm": "p1"}, {"repeat": 1}, {"turn": 1}, {"judge": "j"}, {"dataset_revision": "v2"}, {"model": "b"}],
)
def test_each_part_of_the_key_keeps_answers_apart(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = write(tmp_path / "a.jsonl", [raw(), raw(label="Refusal", **changes)])
    assert len(read_rows([path]).rows) == 2
