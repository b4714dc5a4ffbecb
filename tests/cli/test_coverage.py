"""The coverage of niches in ``status`` and after ``scale``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from curation.directory import Layout
from tests.cli.in_process import Inside

LAB = """
name: covered
languages: [en]
targets: {default: {en: 0}, D1: {en: 12}}
roles:
"""
ROLES = ("generator", "writer", "checker", "judge", "solver")


def lab_config(folder: Path) -> Path:
    spec = {"solver": "solver-a"}
    lines = [f"  {role}: {{endpoints: [{{spec: lab/{spec.get(role, role)}}}]}}" for role in ROLES]
    path = folder / "lab.yaml"
    path.write_text(LAB + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_status_shows_each_axis_the_least_used_values_and_what_was_set_aside(
    inside: Inside, directory: Path
) -> None:
    told = json.loads(inside("status", directory, "--json").out)
    (cell,) = told["coverage"]
    assert (cell["dimension_tag"], cell["language"], cell["waiting"]) == ("D1", "en", 0)
    assert [axis["axis"] for axis in cell["axes"]] == ["tool", "scene", "life_area"]
    for axis in cell["axes"]:
        assert axis["share"] == axis["used"] / axis["values"]
        assert axis["least"][0]["seeds"] <= axis["least"][-1]["seeds"]
    text = inside("status", directory).out
    assert "Coverage of niches" in text
    assert f"{cell['axes'][0]['used']}/{cell['axes'][0]['values']}" in text
    assert len(cell["set_aside"]) == text.count("Set aside in D1 en: ")


def test_a_domain_file_that_is_gone_leaves_the_rest_of_status_standing(
    inside: Inside, directory: Path
) -> None:
    run_file = Layout(directory).run_file
    revisions = yaml.safe_load(run_file.read_text(encoding="utf-8"))
    text = run_file.read_text(encoding="utf-8").replace("builtin", "/nowhere/mine.yaml")
    assert revisions
    run_file.write_text(text, encoding="utf-8")
    told = inside("status", directory)
    assert told.code == 0
    assert "Coverage of niches is unknown: " in told.out
    assert "Funnel" in told.out
    assert json.loads(inside("status", directory, "--json").out)["coverage"] == []


@pytest.mark.parametrize("as_json", [True, False])
def test_scale_ends_with_the_coverage_and_refine_says_nothing_of_it(
    inside: Inside, tmp_path: Path, as_json: bool
) -> None:
    config, run = lab_config(tmp_path), tmp_path / "run"
    more = ["--json"] if as_json else []
    told = inside("scale", "-c", config, "--run", run, "--yes", *more)
    assert told.code == 0, told.err
    if as_json:
        by_tag = {cell["dimension_tag"]: cell for cell in json.loads(told.out)["coverage"]}
        assert by_tag["D1"]["seeds"] == by_tag["D1"]["target"] == 12
        assert by_tag["D1"]["axes"][0]["used"] > 0
    else:
        assert "Coverage of niches" in told.out


def test_the_screen_can_be_switched_on_in_the_settings(inside: Inside, tmp_path: Path) -> None:
    """``off`` without quotes is a truth value to YAML."""
    config = lab_config(tmp_path)
    for value, code in (("off", 0), ("A-", 0), ("C", 2)):
        config.write_text(
            lab_config(tmp_path).read_text(encoding="utf-8") + f"scale: {{viability: {value}}}\n", "utf-8"
        )
        told = inside("plan", "-c", config, "--json")
        assert told.code == code, told.err
        if code == 0:
            roles = [(row["stage"], row["role"]) for row in json.loads(told.out)["roles"]]
            assert (("scale", "checker") in roles) == (value != "off")
        else:
            assert "scale.viability" in told.err
