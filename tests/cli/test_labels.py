"""``salitrap labels``: out, filled in, back; bad rows are named and nothing is lost."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.in_process import Inside

Fill = Callable[[list[dict[str, str]]], None]


@pytest.fixture
def run(directory: Path) -> Path:
    """A run of one's own, since labels are written into it."""
    return directory


def filled(inside: Inside, run: Path, file: Path, fill: Fill, *more: str) -> None:
    """Export, let somebody fill the file in, and save it as a spreadsheet does."""
    told = inside("labels", "export", run, "--out", file, "--force", "--reviewer", "ana", *more)
    assert told.code == 0, told.err
    with file.open(encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        rows, names = list(reader), list(reader.fieldnames or ())
    fill(rows)
    with file.open("w", encoding="utf-8-sig", newline="") as handle:
        writer = csv.DictWriter(handle, names)
        writer.writeheader()
        writer.writerows(rows)


def imported(inside: Inside, run: Path, file: Path, *more: str) -> dict:
    told = inside("labels", "import", run, file, "--reviewer", "ana", "--json", *more)
    assert told.code in (0, 1), told.err
    return {"code": told.code, **json.loads(told.out)}


def test_labels_come_back_once_and_feed_the_gold_set(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0]["label"], rows[0]["note"] = "hard fail", "它算了一遍"
        rows[1]["label"], rows[1]["reviewer"] = "通过", "bo"

    filled(inside, run, file, fill)
    dry = imported(inside, run, file, "--dry-run")
    assert (dry["labels"], dry["written"]) == (2, False)
    first = imported(inside, run, file)
    assert (first["code"], first["labels"], first["written"], first["problems"]) == (0, 2, True, [])
    again = imported(inside, run, file)
    assert (again["labels"], again["unchanged"]) == (0, 2)
    gold = tmp_path / "gold.jsonl"
    assert inside("review", run, "--export-gold", gold).code == 0
    lines = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    assert {(line["labelled_by"], line["label"]) for line in lines} == {("ana", "Hard Fail"), ("bo", "Pass")}
    assert inside("verify", run).code == 0


def test_a_later_import_changes_ones_own_label(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    filled(inside, run, file, lambda rows: rows[0].update(label="Pass"))
    imported(inside, run, file)

    def change(rows: list[dict[str, str]]) -> None:
        assert rows[0]["label"] == "Pass"
        rows[0]["label"] = "Refusal"

    filled(inside, run, file, change)
    assert imported(inside, run, file)["labels"] == 1


def test_decisions_and_texts(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "decisions.csv"

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0]["decision"] = "accept"
        rows[1]["decision"], rows[1]["reason"] = "reject", "unnatural"
        rows[2]["new_prompt"] = rows[2]["prompt"].replace(".", ", please.", 1).replace("。", "，麻烦了。", 1)

    filled(inside, run, file, fill, "--what", "candidates")
    found = imported(inside, run, file)
    assert (found["decisions"], found["texts"], found["problems"]) == (2, 1, [])
    again = imported(inside, run, file)
    assert (again["decisions"], again["texts"]) == (0, 0)


def test_a_decision_of_somebody_else_meanwhile_stands(inside: Inside, run: Path, tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine.csv", tmp_path / "theirs.csv"
    for file, decision in ((mine, "accept"), (theirs, "reject")):
        said = {"decision": decision, "reason": "escape"}
        filled(inside, run, file, lambda rows, said=said: rows[0].update(said), "--what", "candidates")
    assert inside("labels", "import", run, theirs, "--reviewer", "bo").code == 0
    found = imported(inside, run, mine)
    assert (found["code"], found["written"]) == (1, False)
    assert "meanwhile rejected by bo" in found["problems"][0]["message"]
    assert imported(inside, run, mine, "--overwrite")["decisions"] == 1


BAD = {
    "label": ({"label": "perhaps"}, "'perhaps' is no label"),
    "quote": ({"label": "Pass", "quote": "never said"}, "does not occur in the answer"),
    "answer": ({"label": "Pass", "answer": "changed by mistake"}, "not the text of the run"),
    "candidate_id": ({"label": "Pass", "candidate_id": "cand-of-another-run"}, "no candidate of this run"),
    "repeat": ({"label": "Pass", "repeat": "first"}, "is no number"),
    "note": ({"label": "Pass", "note": "x" * 2001}, "2,000 are the most"),
    "reviewer": ({"label": "Pass", "reviewer": "x" * 99}, "1 to 60 printable characters"),
}


@pytest.mark.parametrize("column", BAD)
def test_a_bad_row_is_named_and_nothing_is_written(
    inside: Inside, run: Path, tmp_path: Path, column: str
) -> None:
    file, (cells, told) = tmp_path / "labels.csv", BAD[column]

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0]["label"] = "Pass"
        rows[3].update(cells)

    filled(inside, run, file, fill)
    found = imported(inside, run, file)
    assert (found["code"], found["written"]) == (1, False)
    (problem,) = found["problems"]
    assert (problem["row"], problem["column"]) == (5, column) and told in problem["message"]
    assert imported(inside, run, file, "--skip-bad")["written"] is True
    assert imported(inside, run, file, "--skip-bad")["unchanged"] == 1


def test_argilla_out_and_back(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    assert inside("labels", "export", run, "--out", file, "--format", "argilla").code == 0
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    records[0]["responses"] = {"label": [{"value": "Pass", "user_id": "u1"}]}
    (tmp_path / "back.json").write_text(json.dumps(records), encoding="utf-8")
    assert imported(inside, run, tmp_path / "back.json")["labels"] == 1


def test_an_existing_file_and_an_unknown_status_are_refused(
    inside: Inside, run: Path, tmp_path: Path
) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("mine", encoding="utf-8")
    told = inside("labels", "export", run, "--out", file)
    assert told.code == 2 and "is there already" in told.err and file.read_text() == "mine"
    told = inside("labels", "export", run, "--out", tmp_path / "x", "--status", "nice")
    assert told.code == 2 and "use one of" in told.err


def only_problem(found: dict) -> dict:
    assert (found["code"], found["written"]) == (1, False)
    (problem,) = found["problems"]
    return problem


def test_labels_stay_those_of_who_gave_them(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    filled(inside, run, file, lambda rows: rows[0].update(label="Pass"))
    imported(inside, run, file)
    filled(inside, run, file, lambda rows: None)
    told = inside("labels", "import", run, file, "--reviewer", "bo", "--json")
    assert (json.loads(told.out)["labels"], json.loads(told.out)["unchanged"]) == (0, 1)


def test_two_rows_that_differ_about_one_answer_are_refused(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0]["label"] = "Pass"
        rows.append({**rows[0], "label": "Refusal"})

    filled(inside, run, file, fill)
    found = imported(inside, run, file)
    assert (found["code"], found["written"], len(found["problems"])) == (1, False, 2)
    last = found["problems"][1]["row"]
    assert all(f"rows 2 and {last} say different" in one["message"] for one in found["problems"])
    skipped = imported(inside, run, file, "--skip-bad")
    assert skipped["labels"] == 0, "nobody can tell which of the two is meant"

    def twice(rows: list[dict[str, str]]) -> None:
        rows[0]["label"] = "Pass"
        rows.append(dict(rows[0]))

    filled(inside, run, file, twice)
    assert imported(inside, run, file)["labels"] == 1


def test_line_ends_in_a_note_are_no_change(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    filled(inside, run, file, lambda rows: rows[0].update(label="Pass", note=" one\r\ntwo "))
    assert imported(inside, run, file)["labels"] == 1
    assert imported(inside, run, file)["labels"] == 0


@pytest.mark.parametrize("repeat", ["0.7", "inf", "-1", "1e400", ""])
def test_a_repeat_that_is_no_count_is_refused(inside: Inside, run: Path, tmp_path: Path, repeat: str) -> None:
    file = tmp_path / "labels.csv"
    filled(inside, run, file, lambda rows: rows[0].update(label="Pass", repeat=repeat))
    assert only_problem(imported(inside, run, file))["column"] == "repeat"


def test_a_new_text_that_is_there_already_or_too_long_is_refused(
    inside: Inside, run: Path, tmp_path: Path
) -> None:
    file = tmp_path / "decisions.csv"
    for text, told in ((None, "is there already"), ("x" * 8001, "8,000 are the most")):

        def fill(rows: list[dict[str, str]], text: str | None = text) -> None:
            rows[0]["new_prompt"] = text or rows[0]["prompt"]

        filled(inside, run, file, fill, "--what", "candidates")
        problem = only_problem(imported(inside, run, file))
        assert problem["column"] == "new_prompt" and told in problem["message"]


def test_drafts_of_argilla_are_passed_over_and_odd_line_ends_are_text(
    inside: Inside, run: Path, tmp_path: Path
) -> None:
    file = tmp_path / "records.jsonl"
    assert inside("labels", "export", run, "--out", file, "--format", "argilla").code == 0
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]
    given = [("draft", "Refusal", "u1"), ("submitted", "Pass", "u2"), ("discarded", "Refusal", "u3")]
    records[0]["responses"] = {
        "label": [{"value": value, "user_id": user, "status": status} for status, value, user in given],
        "note": [{"value": "one\u2028two\u0085three", "user_id": "u2"}],
    }
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    file.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    found = imported(inside, run, file)
    assert (found["labels"], found["passed_over"]) == (1, 2)


def test_a_folder_that_is_not_there_is_made(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "new" / "labels.csv"
    assert inside("labels", "export", run, "--out", file).code == 0 and file.exists()
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    assert inside("labels", "export", run, "--out", blocked / "labels.csv").code == 2


def test_a_row_that_says_it_is_a_draft_is_passed_over(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    filled(inside, run, file, lambda rows: rows[0].update(label="Pass"))
    lines = file.read_text(encoding="utf-8-sig").split("\n")
    file.write_text("\n".join([f"status,{lines[0]}", f"Draft,{lines[1]}", *lines[2:]]), encoding="utf-8")
    before = imported(inside, run, file, "--skip-bad", "--dry-run")
    assert (before["labels"], before["passed_over"]) == (0, 1)


def test_one_new_text_of_two_people_is_one_text(inside: Inside, run: Path, tmp_path: Path) -> None:
    file = tmp_path / "decisions.csv"

    def fill(rows: list[dict[str, str]]) -> None:
        prompt = rows[0]["prompt"]
        text = prompt.replace(".", ", please.", 1).replace("。", "，麻烦了。", 1)
        rows[0].update(new_prompt=text, note="clearer")
        rows.append({**rows[0], "reviewer": "bo", "note": "", "decision": "accept"})

    filled(inside, run, file, fill, "--what", "candidates")
    dry = imported(inside, run, file, "--dry-run")
    assert (dry["texts"], dry["decisions"], dry["problems"]) == (1, 1, [])
    assert (imported(inside, run, file)["texts"], imported(inside, run, file)["texts"]) == (1, 0)
