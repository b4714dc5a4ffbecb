"""What closing lines say of a judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports.calibration import add_calibration, identity_of, read_sidecar
from exports.calibration.store import FILE
from exports.evaluation import Target
from salitrap.cli.judge_standing import known_calibrations, print_standing, record_judge, standing_under
from salitrap.records import Label, Language, Role
from salitrap.settings import load_settings
from tests.cli.helpers import config
from tests.cli.in_process import Inside
from tests.exports.analysis.samples import labelled
from tests.exports.calibration.samples import calibration


def test_a_run_without_a_calibration_says_how_to_get_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = load_settings(config(tmp_path / "c.yaml"))
    print_standing(standing_under(settings, tmp_path / "my run"))
    told = capsys.readouterr().out
    assert told == f"Judge uncalibrated; to calibrate it: salitrap calibrate --run '{tmp_path}/my run'.\n"


def test_a_calibration_counts_until_a_setting_of_the_judge_changes(tmp_path: Path) -> None:
    settings = load_settings(config(tmp_path / "c.yaml"))
    judge = identity_of(settings, settings.languages)
    add_calibration(tmp_path / FILE, calibration(judge=judge))
    found = standing_under(settings, tmp_path)
    assert found is not None and found.calibrated
    pool = settings.roles[Role.JUDGE].model_copy(update={"temperature": 1.5})
    warmer = settings.model_copy(update={"roles": {**settings.roles, Role.JUDGE: pool}})
    changed = standing_under(warmer, tmp_path)
    assert changed is not None and not changed.calibrated
    assert "not 1.5" in changed.told


def test_gold_answers_of_the_lab_lie_beside_the_settings_file(tmp_path: Path) -> None:
    settings = load_settings(config(tmp_path / "c.yaml", lab="{gold: mine}"))
    assert settings.lab.gold == str(tmp_path / "mine")


def test_a_run_without_a_judge_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = load_settings(config(tmp_path / "c.yaml"))
    print_standing(standing_under(settings.model_copy(update={"roles": {}}), tmp_path))
    assert capsys.readouterr().out == ""


def test_the_reason_is_kept_beside_the_rows_and_analyze_prints_it(inside: Inside, tmp_path: Path) -> None:
    """Guards against analyze forgetting why the calibration that eval was given did not count."""
    settings = load_settings(config(tmp_path / "c.yaml"))
    judge, rows, file = identity_of(settings, {Language.EN}), tmp_path / "labels.jsonl", tmp_path / "c.json"
    add_calibration(file, calibration(judge=judge.model_copy(update={"temperature": 1.5})))
    standing = record_judge(settings, {Language.EN}, Target(rows), known_calibrations(file))
    record = read_sidecar(rows)
    assert record is not None and record.why_none in standing.told
    assert record.why_none.startswith("c.json's calibration is at temperature 1.5, not ")
    given = labelled(Label.PASS, judge=judge.name)
    rows.write_text("".join(f"{row.model_dump_json()}\n" for row in given), encoding="utf-8")
    done = inside("analyze", rows)
    assert f"When these rows were labelled: {record.why_none}." in done.out
