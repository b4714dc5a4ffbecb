"""From files to results and back to files: order, splitting, JSON, CSV, and what must not be overwritten."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports.analysis import FILES, Analysis, LabelRows, analyze, read_rows, write_analysis
from salitrap.errors import InputError
from salitrap.records import Label, LabelRow, LabelStatus
from tests.exports.analysis.samples import ROWS, labelled, raw, row, write


def results(analysis: Analysis) -> dict[str, Any]:
    return analysis.model_dump(mode="json", exclude={"files"})


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))


@settings(max_examples=50)
@given(ROWS, st.lists(st.integers(0, 2), min_size=40, max_size=40), st.randoms(use_true_random=False))
def test_neither_order_nor_splitting_matters(rows: list[LabelRow], part: list[int], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    with TemporaryDirectory() as folder:
        whole = write(Path(folder) / "whole", rows)
        chosen = [[one for one, at in zip(shuffled, part, strict=False) if at == k] for k in range(3)]
        parts = [write(Path(folder) / f"part{k}", some) for k, some in enumerate(chosen) if some]
        one, several = analyze(read_rows([whole])), analyze(read_rows(parts))
    assert several.models == one.models
    assert several.arms == one.arms
    assert [said for said in one.notices if "no rows" not in said] == list(several.notices)


@given(ROWS)
def test_json_has_no_nan_and_gives_the_record_back(rows: list[LabelRow]) -> None:
    analysis = analyze(LabelRows(rows=tuple(rows)))
    text = json.dumps(analysis.model_dump(mode="json"), allow_nan=False)
    assert Analysis.model_validate_json(text) == analysis


def test_the_keys_of_the_contract_are_there() -> None:
    rows = tuple([*labelled(Label.PASS, LabelStatus.TIMEOUT), row(arm="p1", item_id="i0")])
    told = results(analyze(LabelRows(rows=rows)))
    overall = told["models"]["model-a"]["overall"]
    wanted = {"n", "unscored", "tar", "hard_fail_rate", "strong_failure_rate", "scr", "si", "tar_ci"}
    assert wanted <= overall.keys()
    assert len(overall["tar_ci"]) == 2
    assert told["models"]["model-a"]["dimensions"]["D1"] == overall
    assert told["arms"].keys() == {"p1"}
    assert told["method"]["cluster"] == "seed_id"
    assert (told["method"]["labels"], told["method"]["paper_hfr"]) == ("visible", "strong_failure_rate")
    assert told["version"]


@pytest.fixture
def analysis(tmp_path: Path) -> Analysis:
    rows = [raw(), raw(item_id="i2", label="Hard Fail", dimension_tag="D2"), raw(arm="p1", model='a,"b')]
    return analyze(read_rows([write(tmp_path / "a.jsonl", rows)]))


def test_the_files_hold_the_numbers_of_the_analysis(analysis: Analysis, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    assert write_analysis(analysis, out) == tuple(out / name for name in FILES)
    assert sorted(path.name for path in out.iterdir()) == sorted(FILES)
    assert Analysis.model_validate_json((out / "metrics.json").read_bytes()) == analysis
    overall = table(out / "overall.csv")
    assert [(line["arm"], line["model"]) for line in overall] == [("control", "model-a"), ("p1", 'a,"b')]
    assert (overall[0]["n"], overall[0]["tar"], overall[0]["si"]) == ("2", "50.0", "")
    low = analysis.models["model-a"].overall.tar_ci
    assert low is not None
    assert math.isclose(float(overall[0]["tar_low"]), low[0])
    dimensions = table(out / "dimensions.csv")
    assert [(line["dimension"], line["tar"]) for line in dimensions[:2]] == [("D1", "100.0"), ("D2", "0.0")]


def test_rates_by_language_have_a_table_of_their_own(tmp_path: Path) -> None:
    rows = (row(language="zh"), row(item_id="i2", language="en", label="Hard Fail"), row(item_id="i3"))
    write_analysis(analyze(LabelRows(rows=rows)), tmp_path)
    languages = table(tmp_path / "languages.csv")
    assert [(line["language"], line["n"], line["tar"]) for line in languages] == [
        ("en", "1", "0.0"),
        ("zh", "1", "100.0"),
    ]


def test_tables_begin_with_a_byte_order_mark_and_replace_those_without(
    analysis: Analysis, tmp_path: Path
) -> None:
    """A Chinese spreadsheet took them for GBK."""
    write_analysis(analysis, tmp_path)
    for path in tmp_path.glob("*.csv"):
        content = path.read_bytes()
        assert content.startswith(b"\xef\xbb\xbfarm,")
        path.write_bytes(content.removeprefix(b"\xef\xbb\xbf"))
    write_analysis(analysis, tmp_path)
    assert (tmp_path / "overall.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_dimensions_come_in_the_order_in_which_people_count() -> None:
    """D10 stood before D2."""
    tags = ["D10", "D2", "D1", "own"]
    rows = tuple(row(item_id=tag, dimension_tag=tag) for tag in tags)
    (metrics,) = analyze(LabelRows(rows=rows)).models.values()
    assert list(metrics.dimensions) == ["D1", "D2", "D10", "own"]


def test_an_earlier_analysis_is_replaced_and_other_files_stay(analysis: Analysis, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_analysis(analyze(LabelRows(rows=(row(label="Refusal"),))), out)
    (out / "notes.txt").write_text("mine")
    write_analysis(analysis, out)
    assert Analysis.model_validate_json((out / "metrics.json").read_bytes()) == analysis
    assert (out / "notes.txt").read_text() == "mine"
    assert sorted(path.name for path in out.iterdir()) == sorted([*FILES, "notes.txt"])


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("content", ["", "model,score\na,1\n", '{"tool": "another"}', "[" * 100_000])
def test_a_foreign_file_is_not_overwritten(
    analysis: Analysis, tmp_path: Path, name: str, content: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text(content)
    with pytest.raises(InputError, match=f"{name}: was not made by salitrap analyze"):
        write_analysis(analysis, out)
    assert [path.name for path in out.iterdir()] == [name]
    assert (out / name).read_text() == content


@pytest.mark.parametrize("name", FILES)
def test_a_folder_or_a_link_in_the_place_is_refused(analysis: Analysis, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder" / name).mkdir(parents=True)
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / name).symlink_to(tmp_path / "nowhere")
    for out in ("folder", "links"):
        with pytest.raises(InputError, match="was not made"):
            write_analysis(analysis, tmp_path / out)


def test_a_file_in_the_place_of_the_folder_is_refused(analysis: Analysis, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_analysis(analysis, tmp_path / "a.jsonl")
