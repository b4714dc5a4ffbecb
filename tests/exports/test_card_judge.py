"""Card and manifest say whether the judge behind a dataset is calibrated."""

from __future__ import annotations

from pathlib import Path

from exports.calibration import standing_of
from exports.dataset import build_dataset, read_manifest
from tests.exports.calibration.samples import calibration, identity
from tests.exports.samples import facts, many


def built(out: Path, **changes: object) -> tuple[str, object]:
    given = facts(**changes)
    build_dataset(many(), given, out=out, version="1.0.0", license="cc-by-4.0", name="N", dev_share=0.1)
    return (out / "README.md").read_text(encoding="utf-8"), read_manifest(out).judge


def test_a_calibrated_judge_comes_with_its_figures(tmp_path: Path) -> None:
    standing = standing_of([identity()], [calibration()], "salitrap calibrate")
    card, told = built(tmp_path / "ds", judge=standing)
    assert "Labels: Judge calibrated: kappa 1.00" in card
    assert told == standing


def test_an_uncalibrated_judge_is_named_so(tmp_path: Path) -> None:
    card, told = built(tmp_path / "ds", judge=standing_of([identity()], [], "salitrap calibrate --run RUN"))
    assert "Labels: Judge uncalibrated; to calibrate it: salitrap calibrate --run RUN." in card
    assert told is not None


def test_where_nothing_was_recorded_the_card_does_not_look_calibrated(tmp_path: Path) -> None:
    card, told = built(tmp_path / "ds")
    assert "Labels: Judge uncalibrated: nothing was recorded." in card
    assert told is None
