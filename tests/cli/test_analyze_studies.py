"""The studies of items in ``salitrap analyze``, in this process."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from exports.analysis.scale_records import Ability, Difficulty, PairResidual, Scale
from exports.analysis.study_records import (
    ArmStudies,
    CoFailure,
    Comparison,
    Correlation,
    Density,
    FamilySensitivity,
    Overlap,
    Slope,
    Studies,
)
from tests.cli.in_process import Inside
from tests.exports.analysis.samples import raw, write
from tests.exports.analysis.studies.simulated import studied

PAGE = (Path(__file__).parents[2] / "docs" / "analyses.md").read_text(encoding="utf-8")
TITLES = ("Ability", "Co-failure", "Models compared", "Odds ratio for one number more")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = studied(1, models=3, items=80).rows
    primed = [one.model_copy(update={"arm": "p1"}) for one in rows if one.model == "model-01"]
    return write(tmp_path_factory.mktemp("study") / "labels.jsonl", [*rows, *primed])


def test_every_study_has_a_table(inside: Inside, study: Path) -> None:
    told = inside("analyze", study)
    assert told.code == 0
    places = [told.out.index(f"\n{title}\n") for title in (*TITLES, "Arms against control")]
    assert places == sorted(places)
    assert "80 items, their difficulties spread" in told.out
    assert "docs/analyses.md" in told.out
    assert all(len(line) <= 80 for line in told.out.splitlines())


def test_neighbours_are_compared_the_better_one_first(inside: Inside, study: Path) -> None:
    lines = inside("analyze", study).out.split("\nModels compared\n")[1].splitlines()
    compared = [line.split()[:2] for line in lines if line.startswith(" model-")][:2]
    assert all("model-01" in pair for pair in compared)
    assert ["model-00", "model-02"] not in compared


def test_one_model_without_counts_prints_no_table_and_says_why_in_json(
    inside: Inside, tmp_path: Path
) -> None:
    path = write(tmp_path / "a.jsonl", [raw(), raw(item_id="i2", label="Hard Fail")])
    told = inside("analyze", path).out
    assert not any(title in told for title in (*TITLES, "docs/analyses.md"))
    found = json.loads(inside("analyze", path, "--json").out)["studies"]
    control = found["by_arm"]["control"]
    assert "1 models" in control["scale"]["why"]
    assert "1 models" in control["cofailure"]["why"]
    assert "1 models" in control["comparisons"]["why"]
    assert control["density"]["model-a"]["why"] == "no row has number_count"
    assert found["arms"]["why"] == "there is no arm but control"


def test_a_folder_that_is_no_dataset_is_named(inside: Inside, study: Path, tmp_path: Path) -> None:
    told = inside("analyze", study, "--dataset", tmp_path / "none")
    assert told.code == 2
    assert "none: no such folder" in told.err


def test_the_files_have_the_studies(inside: Inside, study: Path, tmp_path: Path) -> None:
    assert inside("analyze", study, "--out", tmp_path / "out").code == 0
    told = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert len(told["studies"]["by_arm"]["control"]["scale"]["difficulties"]) == 80


def test_the_documentation_has_every_figure() -> None:
    kinds = (Studies, ArmStudies, Scale, Ability, Difficulty, PairResidual, Correlation, CoFailure, Overlap)
    names = {
        name for kind in (*kinds, Comparison, Density, Slope, FamilySensitivity) for name in kind.model_fields
    }
    missing = [name for name in sorted(names) if f"`{name}`" not in PAGE]
    assert missing == []


def test_the_example_of_the_documentation_works() -> None:
    example = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    compile(example[1], "docs/analyses.md", "exec")
