"""Reading label rows: what is taken, what is refused, and that refusals name place, field and remedy."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from exports.analysis import read_rows
from exports.analysis.allowed import ALLOWED
from salitrap.errors import ExitCode, InputError
from salitrap.records import Label, LabelRow, LabelStatus
from tests.exports.analysis.samples import raw, write


def refusal(path: Path, line: str | bytes) -> str:
    """The message for a file whose second line is bad."""
    data = line if isinstance(line, bytes) else line.encode("utf-8")
    path.write_bytes(json.dumps(raw(item_id="good")).encode() + b"\n" + data + b"\n")
    with pytest.raises(InputError) as caught:
        read_rows([path])
    assert caught.value.exit_code is ExitCode.USAGE
    message = str(caught.value)
    assert message.startswith(f"{path}:2: ")
    assert "\n" not in message
    assert message.isprintable()
    return message


def test_a_minimal_row_takes_the_defaults(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [raw()])
    read = read_rows([path])
    assert read.rows == (LabelRow.model_validate(raw()),)
    assert read.notices == ()
    assert read.files[0].model_dump() == {
        "path": str(path),
        "rows": 1,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def test_null_counts_as_absent(tmp_path: Path) -> None:
    nulls = dict.fromkeys(name for name in LabelRow.model_fields if name not in raw())
    assert read_rows([write(tmp_path / "a.jsonl", [raw(**nulls)])]).rows[0].arm == "control"


def test_byte_order_mark_blank_lines_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [json.dumps(raw(model="模型 甲", item_id=f"i{k}"), ensure_ascii=False) for k in range(2)]
    path.write_bytes(b"\xef\xbb\xbf" + f"\r\n{lines[0]}\r\n\r\n  \r\n{lines[1]}".encode())
    read = read_rows([path])
    assert [one.item_id for one in read.rows] == ["i0", "i1"]
    assert {one.model for one in read.rows} == {"模型 甲"}


def test_line_separators_inside_a_text_do_not_end_the_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [raw(reason="a\u2028b\x85c\x0bd")])
    assert len(read_rows([path]).rows) == 1


def test_unknown_fields_of_other_tools_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(raw(logprobs=[[[1]]], text="\ud800")), encoding="utf-8")
    read = read_rows([path])
    assert (len(read.rows), read.notices) == (1, ())


def test_a_misspelled_field_is_pointed_out(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [raw(arms="p1")])
    assert read_rows([path]).notices == ("'arms' is not a field and was passed over (rows: 1); arm is one",)


def test_long_texts_are_not_kept(tmp_path: Path) -> None:
    read = read_rows([write(tmp_path / "a.jsonl", [raw(answer="long", reasoning="longer", quote="kept")])])
    assert (read.rows[0].answer, read.rows[0].reasoning, read.rows[0].quote) == ("", "", "kept")


@pytest.mark.parametrize(
    ("changes", "field", "received"),
    [
        ({"model": ""}, "model", "''"),
        ({"model": 5}, "model", "5"),
        ({"model": None}, "model", "null"),
        ({"model": "a\u0000b"}, "model", r"'a\x00b'"),
        ({"model": "a\u001b[31mb"}, "model", r"'a\x1b[31mb'"),
        ({"model": "a\u202eb"}, "model", r"'a\u202eb'"),
        ({"model": "gpt "}, "model", "'gpt '"),
        ({"item_id": ["i"]}, "item_id", "a list"),
        ({"status": "fine"}, "status", "'fine'"),
        ({"label": "Wrong"}, "label", "'Wrong'"),
        ({"label": None}, "label", "null"),
        ({"label": None, "label_full": "Pass"}, "label", "null"),
        ({"label": "Pass", "status": "timeout"}, "label", "'Pass'"),
        ({"label": None, "label_full": "Pass", "status": "timeout"}, "label_full", "'Pass'"),
        ({"label": True}, "label", "true"),
        ({"late_notice": 1}, "late_notice", "1"),
        ({"repeat": "1"}, "repeat", "'1'"),
        ({"repeat": -1}, "repeat", "-1"),
        ({"repeat": 1.5}, "repeat", "1.5"),
        ({"repeat": True}, "repeat", "true"),
        ({"repeat": 10**30}, "repeat", "1" + "0" * 30),
        ({"repeat": 10**299}, "repeat", "1000"),
        ({"number_count": 10**18}, "number_count", "1" + "0" * 18),
        ({"quote_position": 1.5}, "quote_position", "1.5"),
        ({"language": "fr"}, "language", "'fr'"),
        ({"arm": ""}, "arm", "''"),
        ({"simulated": "no"}, "simulated", "'no'"),
        ({"reason": "\ud83d"}, "reason", r"half a surrogate pair, '\ud83d'"),
    ],
)
def test_a_wrong_value_names_field_value_and_what_is_allowed(
    tmp_path: Path, changes: dict[str, Any], field: str, received: str
) -> None:
    message = refusal(tmp_path / "a.jsonl", json.dumps(raw(**changes)))
    assert f":2: {field}: received {received}" in message
    assert f"allowed: {ALLOWED[field]}" in message


@pytest.mark.parametrize("field", ["model", "item_id", "seed_id", "dimension_tag", "status", "label"])
def test_a_missing_field_is_named(tmp_path: Path, field: str) -> None:
    given = {name: value for name, value in raw().items() if name != field}
    assert f":2: {field}: received nothing" in refusal(tmp_path / "a.jsonl", json.dumps(given))


def test_a_field_in_another_case_is_pointed_out(tmp_path: Path) -> None:
    given = {"Label" if name == "label" else name: value for name, value in raw().items()}
    message = refusal(tmp_path / "a.jsonl", json.dumps(given))
    assert "'Label' is not a field, did you mean label?" in message


@pytest.mark.parametrize(
    ("field", "word", "meant"),
    [
        ("label", "pass", "Pass"),
        ("label", "Pass ", "Pass"),
        ("label", "HardFail", "Hard Fail"),
        ("label", "hard_fail", "Hard Fail"),
        ("label", "CoT hijacked", "CoT Hijacked"),
        ("label", "Sycophantic Complience", "Sycophantic Compliance"),
        ("label_full", "PATCH COMPLIANCE", "Patch Compliance"),
        ("status", "OK", "ok"),
        ("status", "judge-error", "judge_error"),
        ("language", "EN", "en"),
        ("arm", "Control", "control"),
    ],
)
def test_a_near_miss_is_refused_with_a_hint_and_never_guessed(
    tmp_path: Path, field: str, word: str, meant: str
) -> None:
    message = refusal(tmp_path / "a.jsonl", json.dumps(raw(**{field: word})))
    assert message.endswith(f'did you mean "{meant}"?')
    assert f"{field}: received {word!r}" in message


def test_arms_that_merely_resemble_control_are_arms(tmp_path: Path) -> None:
    assert read_rows([write(tmp_path / "a.jsonl", [raw(arm="control2")])]).rows[0].arm == "control2"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"model": "a"', "not JSON"),
        ("[1, 2]", "received a list"),
        ("null", "received null"),
        ("NaN", "received NaN"),
        ('{"quote_position": NaN}', "quote_position: received not a number"),
        ('{"quote_position": 1e999}', "quote_position: received a number too large"),
        ('{"repeat": ' + "9" * 5000 + "}", "repeat: received a number too large"),
        ('{"extra": -Infinity}', "'extra': received a number too large"),
        ('{"label": "Pass", "label": "Hard Fail"}', "label: stands twice"),
        ('{"model": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"model": ' + "[" * 300 + "]" * 300 + "}", "model: received a list"),
        ('{"model": "a\x00b"}', "not JSON"),
        (b'{"model": "\xff"}', "not UTF-8 (byte 12 of the line)"),
        (b"\x00\x00", "not JSON"),
    ],
    ids=range(14),
)
def test_a_line_that_is_no_row_is_refused(tmp_path: Path, line: str | bytes, said: str) -> None:
    assert said in refusal(tmp_path / "a.jsonl", line)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x1f\x8b\x08", "gzip"),
        (json.dumps(raw()).encode("utf-16"), "UTF-16"),
        (b"PAR1", "parquet"),
    ],
)
def test_another_format_is_one_fault(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(InputError, match=said):
        read_rows([tmp_path / "a"])


def test_faults_of_all_files_are_counted_and_ten_are_shown(tmp_path: Path) -> None:
    first = write(tmp_path / "a.jsonl", [raw(label="x")] * 8)
    second = write(tmp_path / "b.jsonl", [raw(label="y")] * 7)
    with pytest.raises(InputError) as caught:
        read_rows([first, tmp_path / "missing.jsonl", second])
    lines = str(caught.value).splitlines()
    assert lines[0] == "16 faults in the files given:"
    assert lines[-1] == "  and 6 more"
    assert f"{first}:8: label" in lines[8]
    assert "missing.jsonl: cannot be read" in lines[9]
    assert f"{second}:1: label" in lines[10]
    assert len(lines) == 12


def test_an_empty_file_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [])
    assert read_rows([path]).notices == (f"{path}: no rows",)


def test_every_field_says_what_is_allowed() -> None:
    assert ALLOWED.keys() == LabelRow.model_fields.keys()
    assert all(label in ALLOWED["label"] and label in ALLOWED["label_full"] for label in Label)
    assert all(status in ALLOWED["status"] for status in LabelStatus)
