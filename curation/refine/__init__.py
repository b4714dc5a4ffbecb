"""Stages 2 and 3: validate every seed's candidates and refine them (paper, sections 3.3.2-3.3.3)."""

from curation.refine.loop import RefineStage
from curation.refine.stage import run_refine
from curation.refine.state import SearchState

__all__ = ["RefineStage", "SearchState", "run_refine"]
