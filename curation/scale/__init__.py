"""Stage 1: from expert seeds to as many seeds as each cell wants (paper, section 3.3.1)."""

from curation.scale.stage import ScaleStage, run_scale
from curation.scale.state import ScaleState

__all__ = ["ScaleStage", "ScaleState", "run_scale"]
