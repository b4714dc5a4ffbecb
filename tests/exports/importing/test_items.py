"""Published records of the paper become items; what the paper does not name is refused, not guessed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.importing import Source, import_file
from exports.importing.fields import ITEM_FIELDS
from exports.importing.items import item_of, read_items
from exports.importing.reading import CannotMap, read_text
from salitrap.errors import InputError

RECORD: dict[str, Any] = {
    "item_id": "cand_0007",
    "seed_id": "seed_01",
    "prompt": "洗车店离我家50米，来回要三分钟，我该开车还是走路？",
    "trap_core": "人走到洗车店，车还在家里。",
    "ground_truth": "洗车需要把车开过去。",
    "injected_numbers": [50, "3"],
    "dimension_tag": "Missing Prerequisite",
    "naturalness_score": 4.2,
    "attack_tier": "strong",
}


def record(**changes: Any) -> dict[str, Any]:
    return {**RECORD, **changes}


def imported(tmp_path: Path, *records: object, **options: Any) -> tuple[Any, list[Any], list[Any]]:
    """The report, the rows and the rejects."""
    source, out = tmp_path / "items.json", tmp_path / "out.jsonl"
    source.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    report = import_file(source, Source.ITEMS, out, **options)
    read = [
        [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
        for path in (report.out, report.rejects)
    ]
    return report, *read


def test_every_field_arrives_and_none_is_added_but_what_follows(tmp_path: Path) -> None:
    report, rows, rejects = imported(tmp_path, RECORD)
    assert (report.records, report.imported, report.rejected, rejects) == (1, 1, 0, [])
    assert set(rows[0]) == {*ITEM_FIELDS, "language", "content_hash"}
    same = [name for name in ITEM_FIELDS if name not in ("injected_numbers", "dimension_tag")]
    assert {name: rows[0][name] for name in same} == {name: RECORD[name] for name in same}
    assert rows[0]["injected_numbers"] == ["50", "三"]
    assert (rows[0]["dimension_tag"], rows[0]["language"]) == ("D1", "zh")


@pytest.mark.parametrize(
    ("given", "tag"),
    [
        ("Missing Prerequisite", "D1"),
        ("environmental_mismatch", "D2"),
        ("Temporal/Physiological Violation", "D3"),
        ("Rule mismatch", "D4"),
        ("D3", "D3"),
    ],
)
def test_dimensions_by_their_names(tmp_path: Path, given: str, tag: str) -> None:
    assert imported(tmp_path, record(dimension_tag=given))[1][0]["dimension_tag"] == tag


def test_spelling_of_numbers_is_that_of_the_file(tmp_path: Path) -> None:
    source = tmp_path / "one.jsonl"
    text = json.dumps(record(prompt="It costs 3.50 or 2.0?", injected_numbers=["@", 2])).replace(
        '"@"', "3.50"
    )
    source.write_text(text.replace(", 2]", ", 2.0]"), encoding="utf-8")
    import_file(source, Source.ITEMS, tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text())["injected_numbers"] == ["3.50", "2.0"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"dimension_tag": "Other"}, "dimension_tag"),
        ({"naturalness_score": 5.5}, "naturalness_score"),
        ({"naturalness_score": "4"}, "naturalness_score"),
        ({"naturalness_score": True}, "naturalness_score"),
        ({"attack_tier": "none"}, "attack_tier"),
        ({"injected_numbers": "50"}, "injected_numbers"),
        ({"injected_numbers": [None]}, "injected_numbers"),
        ({"prompt": " "}, "prompt"),
        ({"prompt": "half \ud800"}, "prompt"),
        ({"item_id": "two\nlines"}, "item_id"),
        ({"seed_id": 1.5}, "seed_id"),
    ],
)
def test_what_cannot_be_mapped_is_a_reject_with_its_record(
    tmp_path: Path, changes: dict[str, Any], field: str
) -> None:
    source = tmp_path / "items.jsonl"
    lines = [json.dumps(RECORD), "", json.dumps(record(**{"item_id": "bad", **changes}))]
    source.write_text("\n".join(lines), encoding="utf-8")
    report = import_file(source, Source.ITEMS, tmp_path / "out.jsonl")
    (reject,) = [json.loads(line) for line in Path(report.rejects).read_text().splitlines()]
    assert (report.imported, report.rejected, report.reasons) == (1, 1, {field: 1})
    assert (reject["record"], reject["field"], reject["raw"]) == (3, field, lines[2])
    assert reject["reason"].startswith(f"{field}: ")


def test_a_repeated_id_and_a_broken_line_are_rejects(tmp_path: Path) -> None:
    source = tmp_path / "items.jsonl"
    source.write_text("\n".join([json.dumps(RECORD), json.dumps(RECORD), "{oops", "[]"]), encoding="utf-8")
    report = import_file(source, Source.ITEMS, tmp_path / "out.jsonl")
    assert report.reasons == {"item_id": 1, "record": 2} and report.imported == 1


def test_other_fields_are_refused_in_one_line_that_lists_what_was_found(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        imported(tmp_path, {**record(), "topic": "cars"})
    told = str(refused.value)
    assert "does not name: topic" in told and "found item_id, seed_id, prompt" in told and "\n" not in told
    assert not (tmp_path / "out.jsonl").exists()


def test_a_missing_field_is_refused_and_can_be_named(tmp_path: Path) -> None:
    other = {("id" if name == "item_id" else name): value for name, value in RECORD.items()}
    with pytest.raises(InputError, match="does not name: id; needed and in no record: item_id"):
        imported(tmp_path, other)
    report, rows, _ = imported(tmp_path, {**other, "x": 1}, renamed={"item_id": "id"}, skipped=["x"])
    assert rows[0]["item_id"] == "cand_0007" and "left out as told: x" in report.notes


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"renamed": {"nothing": "prompt"}}, "no field 'nothing'"),
        ({"renamed": {"item_id": "id"}}, "has no 'id'"),
        ({"renamed": {"item_id": "seed_id"}}, "has 'item_id' too"),
        ({"skipped": ["id"]}, "has no such field"),
    ],
)
def test_names_that_do_not_fit_are_refused(tmp_path: Path, options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        imported(tmp_path, RECORD, **options)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe1", b"[1,", b"[1, 2]", b"[NaN]", b"12", b'["a"]'])
def test_files_that_hold_no_records(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "items.json").write_bytes(content)
    with pytest.raises(InputError, match=r"items\.json: "):
        import_file(tmp_path / "items.json", Source.ITEMS, tmp_path / "out.jsonl")


def test_targets_are_not_written_over(tmp_path: Path) -> None:
    imported(tmp_path, RECORD)
    with pytest.raises(InputError, match="is there already"):
        imported(tmp_path, RECORD)
    assert imported(tmp_path, record(item_id="new"), force=True)[1][0]["item_id"] == "new"
    with pytest.raises(InputError, match="is a file that is read"):
        import_file(tmp_path / "items.json", Source.ITEMS, tmp_path / "items.json", force=True)


def test_a_row_is_one_line_for_every_reader(tmp_path: Path) -> None:
    _, rows, _ = imported(tmp_path, record(prompt="three\u2028lines\x85here: 3", injected_numbers=["3"]))
    assert [row["prompt"] for row in rows] == ["three\u2028lines\x85here: 3"]


def test_what_was_imported_is_read_back(tmp_path: Path) -> None:
    imported(tmp_path, RECORD)
    assert read_items(tmp_path / "out.jsonl")["cand_0007"].prompt == RECORD["prompt"]
    with pytest.raises(InputError, match="no items of ours"):
        read_items(tmp_path / "items.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(ITEM_FIELDS), JSON, max_size=9))
def test_whatever_the_fields_hold_a_record_is_an_item_or_a_reject_with_a_field(
    change: dict[str, Any],
) -> None:
    (given,) = read_text(json.dumps(record(**change)))
    try:
        item = item_of(given.fields)
    except CannotMap as why:
        assert why.field in ITEM_FIELDS
    else:
        assert (item.item_id, item.prompt) == (
            str(change.get("item_id", "cand_0007")),
            change.get("prompt", RECORD["prompt"]),
        )
