"""Front matter, signatures and Predicts must tell the same story."""

from __future__ import annotations

from typing import Any

import pytest

from checkers import (
    AlignChecker,
    ComplianceChecker,
    Judge,
    NatChecker,
    TruthChecker,
    ViabilityChecker,
)
from checkers.dialogues import DIALOGUE_CHECKERS
from checkers.judge import DirectJudge
from checkers.screen import ScreenChecker
from generator.dialogues import WRITERS, CorrectionWriter, TwinWriter
from generator.improving import Improver
from generator.mutation import Mutator
from generator.refinement import Camouflager, Naturaliser, Repairer
from generator.scaling import SeedScaler
from prompts import Program, load_prompt, prompt_ids
from salitrap.records import Language

PROGRAMS: tuple[type[Program], ...] = (
    SeedScaler, Mutator, Naturaliser, Camouflager, Repairer,
    TruthChecker, AlignChecker, NatChecker, ComplianceChecker, Judge, DirectJudge,
    ViabilityChecker, Improver, TwinWriter, CorrectionWriter, *WRITERS.values(),
    *DIALOGUE_CHECKERS, ScreenChecker,
)  # fmt: skip
EVERY = [(program, language) for program in PROGRAMS for language in Language]


def test_every_prompt_belongs_to_one_program() -> None:
    assert sorted(program.prompt_id for program in PROGRAMS) == list(prompt_ids())


@pytest.mark.parametrize(("program", "language"), EVERY)
def test_front_matter_names_the_fields_of_the_signature(program: Any, language: Language) -> None:
    prompt = load_prompt(program.prompt_id, language)
    assert prompt.inputs == tuple(program.signature.input_fields)
    assert prompt.outputs == tuple(program.signature.output_fields)
    assert prompt.role is program.role


@pytest.mark.parametrize(("program", "language"), EVERY)
def test_the_predict_carries_the_instructions_and_typed_fields(program: Any, language: Language) -> None:
    predict = program().predicts[language.value]
    assert predict.signature.instructions == load_prompt(program.prompt_id, language).text
    annotations = [field.annotation for field in predict.signature.output_fields.values()]
    assert annotations == [field.annotation for field in program.signature.output_fields.values()]
