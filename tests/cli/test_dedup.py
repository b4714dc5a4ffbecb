"""``salitrap dedup`` on the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.helpers import command, environment, only_line
from tests.cli.in_process import Inside

WALK = "The car wash is 50 m away. Walk or drive?"


def rows(path: Path, *texts: str, field: str = "prompt") -> Path:
    path.write_text("".join(json.dumps({field: text}) + "\n" for text in texts), encoding="utf-8")
    return path


def test_rows_are_kept_dropped_and_listed(inside: Inside, tmp_path: Path) -> None:
    source = rows(tmp_path / "in.jsonl", WALK, WALK, WALK.replace("50", "70"), "Else.", field="question")
    told = inside("dedup", source, "--out", tmp_path / "out", "--field", "question", "--json")
    assert told.code == 0, told.err
    report = json.loads(told.out)
    counts = {name: report[name] for name in ("rows", "kept", "identical", "numbers_or_units_only", "bad")}
    assert counts == {"rows": 4, "kept": 3, "identical": 1, "numbers_or_units_only": 1, "bad": 0}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "in.jsonl",
        "rejects.jsonl",
        "review.jsonl",
    ]


def test_bad_rows_are_told_and_end_with_code_one(inside: Inside, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"prompt": "Walk?"}\n{"text": 3}\n', encoding="utf-8")
    told = inside("dedup", source, "--out", tmp_path / "kept.jsonl")
    assert told.code == 1 and f"{source}:2: no field 'prompt'; fields: text" in told.err
    assert (tmp_path / "kept.jsonl").read_text() == '{"prompt": "Walk?"}\n'


def test_a_field_that_no_row_has_is_one_line_and_nothing_is_written(inside: Inside, tmp_path: Path) -> None:
    source = rows(tmp_path / "in.jsonl", *map(str, range(50)), field="question")
    told = inside("dedup", source, "--out", tmp_path / "out", "--field", "prompts")
    assert told.code == 2 and "no field 'prompts'; fields: question" in only_line(told.err)
    assert not (tmp_path / "out").exists()


def test_empty_texts_are_kept_and_blank_lines_counted(inside: Inside, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"prompt": ""}\n\n{"prompt": "   "}\n  \n{"prompt": "走路吗？"}\n', encoding="utf-8")
    told = inside("dedup", source, "--out", tmp_path / "out", "--json")
    report = json.loads(told.out)
    assert (told.code, report["rows"], report["kept"]) == (0, 3, 3)
    assert (report["empty"], report["blank"]) == (2, 2)


def test_the_threshold_decides(inside: Inside, tmp_path: Path) -> None:
    other = WALK.replace("Walk or drive?", "Do I walk or drive?")
    source = rows(tmp_path / "in.jsonl", WALK, other)
    for threshold, kept in (("0.95", 2), ("0.5", 1)):
        told = inside("dedup", source, "--out", tmp_path / threshold, "--threshold", threshold, "--json")
        assert json.loads(told.out)["kept"] == kept


@pytest.mark.parametrize("name", ["missing.jsonl", "in.csv"])
def test_what_cannot_be_read_is_one_line(inside: Inside, tmp_path: Path, name: str) -> None:
    told = inside("dedup", tmp_path / name, "--out", tmp_path / "out")
    assert told.code == 2 and name in only_line(told.err)


def test_ctrl_c_leaves_nothing_and_says_so(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    with source.open("w", encoding="utf-8") as target:
        for number in range(200_000):
            target.write(
                json.dumps({"prompt": f"{number:b}".replace("0", "walk ").replace("1", "drive ")}) + "\n"
            )
    started = subprocess.Popen(
        command("dedup", source, "--out", tmp_path / "out"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not (tmp_path / "out").exists() and time.monotonic() < until:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, told = started.communicate(timeout=60)
    assert started.returncode == 3 and "nothing was written" in only_line(told)
    assert not (tmp_path / "out").exists()
