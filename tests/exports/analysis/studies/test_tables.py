"""The tables of the studies hold their figures, every line as wide as its header."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from exports.analysis import Analysis, LabelRows, analyze, write_analysis
from exports.analysis.study_csv import COLUMNS, study_lines
from tests.exports.analysis.samples import row
from tests.exports.analysis.studies.simulated import studied


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    rows = studied(1, models=3, items=40).rows
    primed = [one.model_copy(update={"arm": "p1"}) for one in rows if one.model == "model-01"]
    return analyze(LabelRows(rows=(*rows, *primed, row(arm="p2", label="Refusal"))))


def test_every_line_is_as_wide_as_its_header(analysis: Analysis) -> None:
    widths = {name: {len(line) for line in lines} for name, lines in study_lines(analysis.studies).items()}
    assert widths == {name: {len(columns)} for name, columns in COLUMNS.items()}


def test_the_tables_hold_the_figures_of_the_record(analysis: Analysis, tmp_path: Path) -> None:
    write_analysis(analysis, tmp_path)
    tables = {
        name: list(csv.DictReader((tmp_path / name).read_text(encoding="utf-8-sig").splitlines()))
        for name in COLUMNS
    }
    control = analysis.studies.by_arm["control"]
    ability = control.scale.abilities[0]
    assert float(tables["abilities.csv"][0]["ability"]) == ability.ability
    assert float(tables["abilities.csv"][0]["high"]) == ability.ci[1]
    assert [line["item_id"] for line in tables["difficulties.csv"]] == [f"i{at:04}" for at in range(40)]
    assert float(tables["cofailure.csv"][0]["excess_jaccard"]) == control.cofailure.pairs[0].excess_jaccard
    gains = {(line["arm"], line["second"]): line["gain"] for line in tables["comparisons.csv"]}
    assert gains["", "p1"] == "0.0"
    assert float(gains["control", "model-01"]) == control.comparisons.rows[0].gain
    adjusted = [line for line in tables["slopes.csv"] if line["adjusted"] == "True"]
    assert float(adjusted[0]["odds_ratio"]) == control.density["model-00"].adjusted_tar.odds_ratio
    assert {line["dimension"] for line in tables["density.csv"]} == {"", "D1", "D2", "D3", "D4"}
