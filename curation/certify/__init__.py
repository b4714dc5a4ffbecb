"""Stability certification: certified candidates that fail solvers again and again (appendix E.4)."""

from curation.certify.loop import CertifyStage, CertifyState
from curation.certify.stability import stability_of_repeats
from curation.certify.stage import run_certify

__all__ = ["CertifyStage", "CertifyState", "run_certify", "stability_of_repeats"]
