"""Calibration: how far a judge or a checker agrees with labels that people gave, and the gate.

Nothing here asks a model; ``exports.calibration`` does, and hands over what was said.
"""

from checkers.calibration.agreement import agreement, share
from checkers.calibration.checkers import Checked, checker_figures
from checkers.calibration.confusion import confusion_of, kappa
from checkers.calibration.correction import Corrected, NotCorrectable, corrected_rate, corrected_shares
from checkers.calibration.figures import GoldReading, figures_of
from checkers.calibration.gate import checker_gate, judge_gate
from checkers.calibration.records import (
    Agreement,
    Calibration,
    CheckerCalibration,
    CheckerFigures,
    Confusion,
    Figures,
    GateOutcome,
    GoldUsed,
    JudgeIdentity,
    Kappa,
    ModelName,
    Share,
)

__all__ = [
    "Agreement",
    "Calibration",
    "Checked",
    "CheckerCalibration",
    "CheckerFigures",
    "Confusion",
    "Corrected",
    "Figures",
    "GateOutcome",
    "GoldReading",
    "GoldUsed",
    "JudgeIdentity",
    "Kappa",
    "ModelName",
    "NotCorrectable",
    "Share",
    "agreement",
    "checker_figures",
    "checker_gate",
    "confusion_of",
    "corrected_rate",
    "corrected_shares",
    "figures_of",
    "judge_gate",
    "kappa",
    "share",
]
