"""Writing label rows loses none that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports.evaluation import (
    EvalOptions,
    Evalset,
    Target,
    evaluation_settings,
    open_target,
    promised_by,
)
from exports.evaluation.ordered import OrderedWriter, row_line
from salitrap.errors import InputError, RunDirectoryError
from salitrap.records import LabelRow

ROW = {
    "model": "lab/one",
    "temperature": 0.2,
    "max_tokens": 8192,
    "seed_id": "s",
    "dimension_tag": "D1",
    "status": "timeout",
    "judge": "lab/judge",
}


def promised(
    evalset: Evalset, *models: str, judge: str = "lab/judge", repeats: int = 1, **options: object
) -> set[object]:
    chosen = EvalOptions.model_validate({"models": models, "judge": judge, **options})
    return set(promised_by(evalset, evaluation_settings(chosen), repeats))


def rows(evalset: Evalset, out: Path) -> Path:
    made = [
        LabelRow.model_validate({**ROW, "item_id": item.item_id, "dataset_revision": evalset.revision})
        for item in evalset.items
    ]
    out.write_bytes(b"".join(map(row_line, made)))
    Target(out).journal.touch()
    return out


def test_the_same_or_a_wider_evaluation_may_write_again(evalset: Evalset, tmp_path: Path) -> None:
    out = rows(evalset, tmp_path / "labels.jsonl")
    open_target(out, promised(evalset, "lab/one"))  # type: ignore[arg-type]
    open_target(out, promised(evalset, "lab/one", "lab/two", repeats=3))  # type: ignore[arg-type]


def test_rows_at_the_models_own_temperature_may_be_written_again(evalset: Evalset, tmp_path: Path) -> None:
    """What an endpoint made of the temperature is no other way of asking; rows of before do not say it."""
    out = rows(evalset, tmp_path / "labels.jsonl")
    assert b'"default_temperature":false' in out.read_bytes()
    out.write_bytes(
        out.read_bytes().replace(b'"default_temperature":false', b'"default_temperature":true', 1)
    )
    open_target(out, promised(evalset, "lab/one"))  # type: ignore[arg-type]
    out.write_bytes(out.read_bytes().replace(b'"default_temperature":false,', b""))
    open_target(out, promised(evalset, "lab/one"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [{"models": ("lab/two",)}, {"judge": "lab/other"}, {"limit": 3}],
    ids=["model", "judge", "limit"],
)
def test_rows_that_would_be_lost_are_counted(
    evalset: Evalset, tmp_path: Path, changes: dict[str, object]
) -> None:
    out = rows(evalset, tmp_path / "labels.jsonl")
    before = out.read_bytes()
    limit = changes.get("limit", 10)
    smaller = evalset.model_copy(update={"items": evalset.items[:limit]})  # type: ignore[misc]
    models, judge = changes.get("models", ("lab/one",)), str(changes.get("judge", "lab/judge"))
    sampling = {name: value for name, value in changes.items() if name in ("temperature", "max_tokens")}
    with pytest.raises(InputError, match=r"holds (10|7) rows that this command would not write again"):
        open_target(out, promised(smaller, *models, judge=judge, **sampling))  # type: ignore[misc, arg-type]
    assert out.read_bytes() == before


def test_foreign_files_and_folders_are_refused(evalset: Evalset, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"notes\.txt:1: exists and is no label row"):
        open_target(notes, promised(evalset, "lab/one"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is a folder"):
        open_target(tmp_path, set())


def test_a_failure_while_writing_leaves_the_file_before_it(evalset: Evalset, tmp_path: Path) -> None:
    target = open_target(rows(evalset, tmp_path / "labels.jsonl"), promised(evalset, "lab/one"))  # type: ignore[arg-type]
    before = target.out.read_bytes()
    with pytest.raises(RuntimeError), target.writing() as file:
        file.write(b"half")
        raise RuntimeError
    assert target.out.read_bytes() == before
    assert target.partial.read_bytes() == b"half"


def test_a_second_process_is_refused(evalset: Evalset, tmp_path: Path) -> None:
    target = open_target(tmp_path / "labels.jsonl", set())
    with target.locked(), pytest.raises(RunDirectoryError, match="in use"), target.locked():
        pass


def test_rows_are_written_in_order_and_only_when_their_turn_has_come(tmp_path: Path) -> None:
    made = [LabelRow.model_validate({**ROW, "item_id": f"item-{index}"}) for index in range(3)]
    with (tmp_path / "out").open("w+b") as file:
        writer = OrderedWriter(file)
        writer.put(2, made[2])
        assert file.tell() == 0
        writer.put(0, made[0])
        writer.put(1, made[1])
        file.seek(0)
        assert file.read() == b"".join(map(row_line, made))


def test_a_file_without_its_journal_is_not_paid_for_again(evalset: Evalset, tmp_path: Path) -> None:
    out = rows(evalset, tmp_path / "labels.jsonl")
    Target(out).journal.unlink()
    with pytest.raises(InputError, match=r"its journal labels\.jsonl\.journal\.sqlite does not"):
        open_target(out, promised(evalset, "lab/one"))  # type: ignore[arg-type]


def test_another_server_under_the_same_name_is_another_model(evalset: Evalset, tmp_path: Path) -> None:
    """Guards against replacing one server's rows by another's without a word."""
    first, second = (
        promised(evalset, f"openai/m@http://127.0.0.1:{port}/v1", judge="lab/judge") for port in (8001, 8002)
    )
    assert not first & second
    assert "127.0.0.1" not in str(first)
