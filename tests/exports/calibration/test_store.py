"""Calibrations on disk, and which one counts for a judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checkers.calibration import Calibration, CheckerCalibration
from exports.calibration import (
    JudgeRecord,
    add_calibration,
    read_calibrations,
    read_sidecar,
    standing_of,
    write_sidecar,
)
from exports.calibration.store import newest_of
from salitrap.errors import InputError
from tests.exports.calibration.samples import always_refusal, calibration, identity

MEND = "salitrap calibrate --run RUN"


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    assert read_calibrations(path) == ()
    made = calibration()
    add_calibration(path, made)
    assert read_calibrations(path) == (made,)
    assert not list(tmp_path.glob("*.part"))


def test_the_same_judge_on_the_same_gold_replaces_others_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    other = calibration(judge=identity(temperature=0.7))
    for made in (calibration(), other, calibration(sha256="ff"), calibration(always_refusal)):
        add_calibration(path, made)
    kept = read_calibrations(path)
    assert [(one.judge.temperature, one.gold.sha256[:2], one.gate.passed) for one in kept] == [
        (0.7, other.gold.sha256[:2], True),
        (0.1, "ff", True),
        (0.1, other.gold.sha256[:2], False),
    ]


def test_the_newest_counts_and_of_one_second_the_later_in_the_list() -> None:
    old, new = (calibration(date=f"2026-0{month}-01T00:00:00+00:00") for month in (2, 3))
    assert newest_of([new, old], [identity()]) is new
    twin = new.model_copy(update={"version": "other"})
    assert newest_of([old, new, twin], [identity()]) is twin


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"temperature": 0.2}, "at temperature 0.1, not 0.2"),
        ({"mode": "direct"}, "of mode evidence, not direct"),
        ({"panel": "all"}, "of panel first, not all"),
        ({"models": ({"name": "openai/judge", "endpoint_id": "01234567"},)}, "of another address"),
        ({"prompts": {"judge@1/en": "aa", "judge@2/zh": "cc"}}, "the instructions judge@2/zh"),
        ({"prompts": {"judge@1/en": "zz"}}, "the instructions judge@1/en"),
    ],
)
def test_a_calibration_counts_for_the_very_judge_only(change: dict[str, Any], why: str) -> None:
    found = standing_of([identity(**change)], [calibration()], MEND)
    assert not found.calibrated
    assert why in found.told
    assert found.told.endswith(f"to calibrate it: {MEND}")


def test_a_file_of_another_judge_is_not_passed_over_silently() -> None:
    other = identity(
        name="openai/elsewhere", models=({"name": "openai/elsewhere", "endpoint_id": "01234567"},)
    )
    found = standing_of([other], [calibration()], MEND, "calibration.json")
    assert not found.calibrated
    assert f"calibration.json is of another judge ({identity().name})" in found.told
    assert "another judge" not in standing_of([other], [], MEND, "calibration.json").told


def test_fewer_languages_than_were_calibrated_are_covered() -> None:
    assert standing_of([identity(prompts={"judge@1/en": "aa"})], [calibration()], MEND).calibrated


def test_a_standing_says_what_it_rests_on() -> None:
    found = standing_of([identity()], [calibration()], MEND)
    assert found.calibrated
    assert found.told == (
        f"judge calibrated: kappa 1.00 [1.00, 1.00] on {found.answers} answers, gold shipped, "
        "labelled by author, 2026-01-01"
    )
    assert (found.kappa, found.kappa_low, found.labelled_by) == (1.0, 1.0, ("author",))


def test_a_judge_that_the_gate_refused_is_uncalibrated_with_its_figures() -> None:
    found = standing_of([identity()], [calibration(always_refusal)], MEND)
    assert not found.calibrated
    assert "the gate refused it" in found.told and "choose another judge" in found.told
    assert found.kappa == pytest.approx(0.0)


def test_nothing_known_says_how_to_mend_it() -> None:
    assert standing_of([identity()], [], MEND).told == f"judge uncalibrated; to calibrate it: {MEND}"


@pytest.mark.parametrize("content", ["{}", "[1]", "not json", '[{"role": "judge"}]'])
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="give a file that salitrap calibrate wrote"):
        add_calibration(path, calibration())
    assert path.read_text(encoding="utf-8") == content
    with pytest.raises(InputError, match="cannot be read"):
        read_calibrations(tmp_path / "none.json", needed=True)


def test_the_record_beside_label_rows(tmp_path: Path) -> None:
    rows = tmp_path / "labels.jsonl"
    assert read_sidecar(rows) is None
    record = JudgeRecord(judge=identity(), calibration=calibration())
    write_sidecar(rows, record)
    assert read_sidecar(rows) == record
    (tmp_path / "labels.jsonl.judge.json").write_text(json.dumps({"a": 1}), encoding="utf-8")
    with pytest.raises(InputError, match="not what salitrap eval or judge wrote"):
        read_sidecar(rows)


def checkers_only() -> CheckerCalibration:
    made = calibration()
    shared = made.model_dump(include=set(CheckerCalibration.model_fields) - {"role"})
    return CheckerCalibration.model_validate({**shared, "checkers": {}})


def test_a_file_that_does_not_fit_is_named_with_the_reason() -> None:
    """Guards against silence: the name of a judge in direct mode is another one than in evidence mode."""
    direct = identity(name="openai/judge (direct)", mode="direct")
    told = standing_of([direct], [calibration()], MEND, "c.json").told
    assert "c.json's calibration is of mode evidence, not direct" in told
    told = standing_of([identity()], [checkers_only()], MEND, "c.json").told
    assert "c.json holds no calibration of a judge" in told


def test_a_language_that_was_not_measured_is_told_as_such() -> None:
    english = calibration(judge=identity(prompts={"judge@1/en": "aa"}))
    told = standing_of([identity()], [english], MEND, "c.json").told
    assert "c.json's calibration was measured in en only, not in zh" in told
    assert "instructions" not in told


def trial(date: str, *more: str) -> Calibration:
    """A calibration that is refused for its size, and for ``more``."""
    made = calibration(date=date, sha256=date)
    overall = made.figures.overall.model_copy(update={"n": 20})
    gate = made.gate.model_copy(update={"passed": False, "reasons": ("20 were read", *more)})
    figures = made.figures.model_copy(update={"overall": overall})
    return made.model_copy(update={"gate": gate, "figures": figures})


def test_a_trial_refused_for_its_size_alone_displaces_nothing_that_passed() -> None:
    """Guards a good calibration against a later --limit 20; a real refusal still counts."""
    good, small = calibration(), trial("2026-02-01")
    assert newest_of([good, small], [identity()]) is good
    assert newest_of([small], [identity()]) is small
    worse = trial("2026-02-02", "kappa in zh is 0.10, the floor is 0.6")
    assert newest_of([good, worse], [identity()]) is worse
    refused = calibration(always_refusal, date="2026-01-15")
    assert newest_of([good, refused, small], [identity()]) is small
