"""Labelled answers of the paper become rows that the analysis reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports.analysis import analyze, read_rows
from exports.importing import Source, import_file
from salitrap.errors import InputError
from salitrap.records import Label
from tests.exports.importing.test_items import RECORD, record

RESULT: dict[str, Any] = {
    "model": "GLM-5.1",
    "item_id": "cand_0007",
    "seed_id": "seed_01",
    "dimension_tag": "Missing Prerequisite",
    "label": "Sycophantic Compliance",
}


def result(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in {**RESULT, **changes}.items() if value is not ...}


def imported(tmp_path: Path, *results: object, **options: Any) -> tuple[Any, Path]:
    source, out = tmp_path / "results.json", tmp_path / "rows.jsonl"
    source.write_text(json.dumps(results), encoding="utf-8")
    return import_file(source, Source.RESULTS, out, force=True, **options), out


@pytest.fixture
def items(tmp_path: Path) -> Path:
    (tmp_path / "published.json").write_text(json.dumps([RECORD, record(item_id="other", seed_id="s2")]))
    import_file(tmp_path / "published.json", Source.ITEMS, tmp_path / "items.jsonl")
    return tmp_path / "items.jsonl"


def test_rates_of_the_analysis_are_those_of_the_results(tmp_path: Path) -> None:
    labels = ["Pass"] * 3 + ["Hard Fail"] * 4 + ["CoT Hijacked", "Hijacked", "Refusal"]
    rows = [result(item_id=f"i{n}", seed_id=f"s{n}", label=label) for n, label in enumerate(labels)]
    report, out = imported(tmp_path, *rows)
    rates = analyze(read_rows([out])).models["GLM-5.1"].overall
    assert (report.imported, rates.n, rates.tar, rates.hard_fail_rate) == (10, 10, 30.0, 40.0)
    assert rates.strong_failure_rate == 60.0 and rates.counts[Label.COT_HIJACKED] == 2
    assert list(analyze(read_rows([out])).models["GLM-5.1"].dimensions) == ["D1"]


def test_nothing_stands_in_a_row_that_was_not_given(tmp_path: Path) -> None:
    report, out = imported(tmp_path, RESULT)
    row = json.loads(out.read_text())
    assert set(row) == {*RESULT, "status", "label_full"}
    assert row["label"] == row["label_full"] == "Sycophantic Compliance"
    assert any("exposed reasoning" in note for note in report.notes)


@pytest.mark.parametrize(
    ("given", "arm"), [("Control", "control"), ("P2", "p2"), ("Cond-A", "cond-a"), ("cond_c", "cond-c")]
)
def test_conditions_are_arms(tmp_path: Path, given: str, arm: str) -> None:
    _, out = imported(tmp_path, result(condition=given))
    assert json.loads(out.read_text())["arm"] == arm


def test_items_say_what_results_do_not(tmp_path: Path, items: Path) -> None:
    short = result(seed_id=..., dimension_tag=...)
    _, out = imported(tmp_path, short, items=items)
    row = json.loads(out.read_text())
    assert (row["seed_id"], row["dimension_tag"], row["language"]) == ("seed_01", "D1", "zh")
    assert row["number_count"] == 2
    report, _ = imported(tmp_path, short)
    assert report.reasons == {"seed_id": 1} and "--items" in report.first_rejects[0]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"item_id": "unknown"}, "item_id"),
        ({"seed_id": "s2"}, "seed_id"),
        ({"dimension_tag": "D4"}, "dimension_tag"),
        ({"label": "Passed"}, "label"),
        ({"label": None}, "label"),
        ({"condition": "P4"}, "condition"),
        ({"model": ""}, "model"),
    ],
)
def test_contradictions_and_unknown_words_are_rejects(
    tmp_path: Path, items: Path, changes: dict[str, Any], field: str
) -> None:
    report, _ = imported(tmp_path, RESULT, result(**{"model": "b", **changes}), items=items)
    assert (report.imported, report.reasons) == (1, {field: 1})


def test_two_labels_of_one_answer_are_not_both_taken(tmp_path: Path) -> None:
    report, _ = imported(tmp_path, RESULT, result(label="Pass"), result(condition="P1"))
    assert (report.imported, report.first_rejects) == (
        2,
        ("record 2: item_id: stands at record 1 already; the paper has it once",),
    )


def test_item_fields_in_results_are_told_to_be_left_out(tmp_path: Path) -> None:
    report, out = imported(tmp_path, {**RECORD, **RESULT})
    assert "prompt" not in json.loads(out.read_text()) and json.loads(out.read_text())["number_count"] == 2
    assert "no place for it: prompt, trap_core, ground_truth, naturalness_score, attack_tier" in str(
        report.notes
    )


def test_a_file_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="does not name: verdict; needed and in no record: label; found model"
    ):
        imported(tmp_path, result(label=..., verdict="Pass"))
    report, _ = imported(tmp_path, result(label=..., verdict="Pass"), renamed={"label": "verdict"})
    assert report.imported == 1
