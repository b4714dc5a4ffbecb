"""Programs that write: seed scaling, mutation, refinement."""

from generator.directives import Steering, next_niche, steer
from generator.drafts import SeedDraft, draft_faults, draft_to_seed
from generator.mutation import Mutator
from generator.refinement import Refiner
from generator.rewriting import Rewrite
from generator.scaling import MalformedDraft, ScaledBatch, SeedScaler, few_shot
from generator.strategies import STRATEGIES, Strategy, strategies_for

__all__ = [
    "STRATEGIES",
    "MalformedDraft",
    "Mutator",
    "Refiner",
    "Rewrite",
    "ScaledBatch",
    "SeedDraft",
    "SeedScaler",
    "Steering",
    "Strategy",
    "draft_faults",
    "draft_to_seed",
    "few_shot",
    "next_niche",
    "steer",
    "strategies_for",
]
