"""What ``salitrap calibrate`` says beside its figures."""

from __future__ import annotations

from pathlib import Path

from salitrap.cli.calibration_report import gold_line, no_label_line
from tests.cli.in_process import salitrap
from tests.exports.calibration.samples import calibration, identity


def test_a_small_trial_does_not_undo_a_calibration_and_says_so(tmp_path: Path) -> None:
    """Guards against --limit 20 taking the place of a measurement that passed."""
    out = tmp_path / "c.json"
    command = ("calibrate", "--judge", "lab/judge-noisy-0", "--out", out)
    assert salitrap(*command).returncode == 0
    trial = salitrap(*command, "--limit", 20)
    assert trial.returncode == 1
    assert "does not displace the calibration of" in trial.stderr
    assert "which passed on " in trial.stderr


def test_the_report_words_a_missing_label_by_mode_and_lists_ties() -> None:
    one = identity()
    assert "evidence fits no label" in no_label_line(one)
    assert "names no label" in no_label_line(one.model_copy(update={"mode": "direct"}))
    assert "majority" in no_label_line(one.model_copy(update={"mode": "direct", "panel": "all"}))
    used = calibration().gold.model_copy(update={"ties": tuple(f"a{number}" for number in range(12))})
    assert "Left out as ties: 12 (a0, a1," in gold_line(used)
    assert gold_line(used).endswith("a9 and 2 more).")
