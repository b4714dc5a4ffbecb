"""Checkers: guards, viability, truth, alignment, naturalness, compliance, judge. One checker a file."""

from checkers.alignment import AlignChecker
from checkers.base import CandidateView, Checker
from checkers.compliance import ComplianceChecker
from checkers.guards import guard_faults
from checkers.judge import Judge
from checkers.label_rule import is_late_notice, label_of
from checkers.naturalness import NatChecker
from checkers.registry import CHECKERS
from checkers.truth import TruthChecker
from checkers.viability import ViabilityChecker

TRI_CHECKERS: tuple[type[TruthChecker] | type[AlignChecker] | type[NatChecker], ...] = (
    TruthChecker,
    AlignChecker,
    NatChecker,
)

__all__ = [
    "CHECKERS",
    "TRI_CHECKERS",
    "AlignChecker",
    "CandidateView",
    "Checker",
    "ComplianceChecker",
    "Judge",
    "NatChecker",
    "TruthChecker",
    "ViabilityChecker",
    "guard_faults",
    "is_late_notice",
    "label_of",
]
