"""What closing lines say of a judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports.calibration import add_calibration, identity_of
from exports.calibration.store import FILE
from salitrap.cli.judge_standing import print_standing, standing_under
from salitrap.records import Role
from salitrap.settings import load_settings
from tests.cli.helpers import config
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
