"""Stability certification: certified candidates that fail solvers again and again (appendix E.4)."""

from curation.certify.rule import assess
from curation.certify.stage import run_certify
from curation.certify.steps import CertifyStage, CertifyState

__all__ = ["CertifyStage", "CertifyState", "assess", "run_certify"]
