"""The programs a run works with, as one parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from checkers.alignment import AlignChecker
from checkers.compliance import ComplianceChecker
from checkers.guards import guard_faults
from checkers.judge import Judge, labelling_judge
from checkers.naturalness import NatChecker
from checkers.truth import TruthChecker
from checkers.viability import ViabilityChecker
from curation.protocols import (
    Checks,
    ChecksChild,
    ChecksStructure,
    Guards,
    Judges,
    MakesSeed,
    Mutates,
    Refines,
    ScalesSeeds,
    ScreensSeeds,
    Steers,
    Strategies,
)
from generator.directives import steer
from generator.drafts import draft_to_seed
from generator.mutation import Mutator
from generator.refinement import Refiner
from generator.scaling import SeedScaler
from generator.strategies import strategies_for
from prompts.lock import current_hashes
from prompts.source import prompt_source
from salitrap.settings import Settings
from seeds.structure import structural_faults


@dataclass(frozen=True, slots=True)
class Programs:
    """Everything that writes, checks and judges; ``prompts`` maps ``id@version/language`` to SHA-256."""

    truth: Checks
    align: Checks
    nat: Checks
    compliance: ChecksChild
    guards: Guards
    judge: Judges
    scaler: ScalesSeeds
    make_seed: MakesSeed
    steer: Steers
    check_structure: ChecksStructure
    viability: ScreensSeeds
    mutator: Mutates
    refiner: Refines
    strategies: Strategies
    prompts: Mapping[str, str]


def default_programs(settings: Settings | None = None) -> Programs:
    """The programs of the toolkit, with the judge and the instructions that ``settings`` ask for.

    Raises:
        ConfigError: see ``labelling_judge`` and ``prompt_source``.
    """
    source = prompt_source(None if settings is None else settings.prompts)
    return Programs(
        truth=TruthChecker(source),
        align=AlignChecker(source),
        nat=NatChecker(source),
        compliance=ComplianceChecker(source),
        guards=guard_faults,
        judge=Judge() if settings is None else labelling_judge(settings),
        scaler=SeedScaler(source),
        make_seed=draft_to_seed,
        steer=steer,
        check_structure=structural_faults,
        viability=ViabilityChecker(source),
        mutator=Mutator(source),
        refiner=Refiner(source),
        strategies=strategies_for,
        prompts=current_hashes(source),
    )
