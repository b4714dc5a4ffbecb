"""Calibration: put gold answers to a judge, keep the result, and say which judge is calibrated."""

from exports.calibration.estimate import plan_calibration
from exports.calibration.given import chosen_candidates, chosen_gold
from exports.calibration.identity import identity_of, identity_of_run
from exports.calibration.lab_gold import with_lab_gold
from exports.calibration.measure import judge_gold, made_calibration
from exports.calibration.measure_checkers import (
    check_gold,
    checkers_identity,
    made_checker_calibration,
    plan_checking,
)
from exports.calibration.sidecar import JudgeRecord, read_sidecar, write_sidecar
from exports.calibration.standing import Standing, standing_of, standing_of_run
from exports.calibration.store import add_calibration, read_calibrations

__all__ = [
    "JudgeRecord",
    "Standing",
    "add_calibration",
    "check_gold",
    "checkers_identity",
    "chosen_candidates",
    "chosen_gold",
    "identity_of",
    "identity_of_run",
    "judge_gold",
    "made_calibration",
    "made_checker_calibration",
    "plan_calibration",
    "plan_checking",
    "read_calibrations",
    "read_sidecar",
    "standing_of",
    "standing_of_run",
    "with_lab_gold",
    "write_sidecar",
]
