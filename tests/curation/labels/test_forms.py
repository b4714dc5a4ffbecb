"""Every text survives a spreadsheet and Argilla, and no cell is a formula."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.labels import What, argilla_records, csv_lines, read_rows
from curation.labels.argilla import rows_of_record
from curation.labels.csv_form import FORMULA, guarded, unguarded
from curation.labels.rows import columns_of
from curation.labels.words import label_of, reason_of, verdict_of
from curation.opinions import RejectReason, Verdict
from salitrap.errors import InputError
from salitrap.records import Label

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)
ROW = {name: "" for name in columns_of(What.ANSWERS)}


def row(**cells: str) -> dict[str, str]:
    return {**ROW, "candidate_id": "cand-1", "answer_id": "ans-1", "repeat": "0", **cells}


@given(st.one_of(TEXTS, st.builds(str.__add__, st.sampled_from([*FORMULA, "'", "''"]), TEXTS)))
def test_a_guarded_cell_is_no_formula_and_gives_the_text_back(text: str) -> None:
    cell = guarded(text)
    assert cell[:1] not in FORMULA or not cell
    assert unguarded(cell) == text


@given(TEXTS, TEXTS)
def test_a_file_gives_back_what_went_in(answer: str, note: str) -> None:
    written = "".join(csv_lines([row(answer=answer, note=note)], What.ANSWERS))
    cells = list(csv.reader(io.StringIO(written.removeprefix("\ufeff"), newline="")))[1]
    named = dict(zip(columns_of(What.ANSWERS), map(unguarded, cells), strict=True))
    assert (named["answer"], named["note"]) == (answer, note)


@given(TEXTS.filter(str.strip), TEXTS)
def test_argilla_gives_back_what_went_in(answer: str, note: str) -> None:
    (record,) = argilla_records([row(answer=answer, machine_label="Pass")], What.ANSWERS)
    assert record["suggestions"]["label"]["value"] == "Pass"
    again = json.loads(json.dumps(record))
    again["responses"] = {
        "label": [{"value": "Hard Fail", "user_id": "u1"}, {"value": "Pass", "user_id": "u2"}],
        "note": [{"value": note, "user_id": "u1"}],
    }
    first, second = rows_of_record(again, What.ANSWERS)
    assert (first["answer"], first["label"], first["note"], first["reviewer"]) == (
        answer,
        "Hard Fail",
        note,
        "u1",
    )
    assert (second["label"], second["note"], second["reviewer"]) == ("Pass", "", "u2")
    assert first["candidate_id"] == "cand-1"


class TestWhatSpreadsheetsWrite:
    def lines(self, delimiter: str = ",") -> str:
        out = io.StringIO(newline="")
        given_ = row(answer="第一行\n第二行", label="Hard Fail", prompt='带引号"的')
        writer = csv.writer(out, delimiter=delimiter)
        writer.writerow(["Note", "REPEAT", "answer_id", "candidate id", "answer", "label", "prompt", "mine"])
        writer.writerow(
            ["", "0", "ans-1", "cand-1", given_["answer"], given_["label"], given_["prompt"], "my own column"]
        )
        writer.writerow([""] * 8)
        return out.getvalue()

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    def test_encodings_separators_order_case_and_columns(
        self, tmp_path: Path, encoding: str, delimiter: str
    ) -> None:
        path = tmp_path / "f.csv"
        path.write_bytes(self.lines(delimiter).encode(encoding))
        what, rows = read_rows(path)
        ((number, found),) = rows
        assert (what, number) == (What.ANSWERS, 2)
        assert found["answer"] == "第一行\n第二行" and found["prompt"] == '带引号"的'
        assert found["repeat"] == "0" and found["label"] == "Hard Fail"

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (b"", "is empty"),
            (b"a,b\n1,2\n", "the first row must name the columns"),
            (b'[{"x": 1}]', "the first row must name the columns"),
            (b"[{", "not JSON"),
            (b"\xff\xfe\x00", "not utf-16"),
            (b"\x80\xff", "not gb18030"),
        ],
    )
    def test_other_files_are_refused_in_a_line(self, tmp_path: Path, content: bytes, told: str) -> None:
        path = tmp_path / "f.csv"
        path.write_bytes(content)
        with pytest.raises(InputError, match=told) as error:
            read_rows(path)
        assert str(path) in str(error.value) and "\n" not in str(error.value)

    def test_a_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="cannot be read"):
            read_rows(tmp_path)


@pytest.mark.parametrize("label", Label)
def test_labels_are_known_in_any_case_and_spacing(label: Label) -> None:
    for spelt in (
        label.value,
        label.value.upper(),
        f"  {label.value.lower()} ",
        label.value.replace(" ", "_"),
    ):
        assert label_of(spelt) is label


def test_words_of_people() -> None:
    assert label_of("彻底失败") is Label.HARD_FAIL
    assert label_of("hf") is Label.HARD_FAIL and label_of("CoT") is Label.COT_HIJACKED
    assert label_of("maybe") is None
    assert verdict_of("Accept") is Verdict.ACCEPTED and verdict_of("拒绝") is Verdict.REJECTED
    assert reason_of("wrong truth") is RejectReason.WRONG_TRUTH and reason_of("") is None
