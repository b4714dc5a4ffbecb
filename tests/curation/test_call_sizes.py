"""Tokens of a call come from the real instructions and seeds."""

from __future__ import annotations

import pytest

from checkers.dialogues import DIALOGUE_CHECKERS
from checkers.judge import DirectJudge
from checkers.screen import ScreenChecker
from curation.call_sizes import FORM_CHARACTERS, rough_tokens, sizes_of
from curation.programs import default_programs
from generator.dialogues import WRITERS, CorrectionWriter, TwinWriter
from generator.improving import Improver
from prompts.loader import load_prompt, prompt_ids
from salitrap.providers.parsing.adapter import Forms
from salitrap.records import Language, Role, Stage
from salitrap.settings import Settings
from seeds import load_domains
from tests.curation.world import settings

DOMAINS = load_domains(("builtin",))


def chosen(targets: dict[str, int], **more: object) -> Settings:
    return settings(1).model_copy(
        update={
            "targets": {"default": {Language(name): count for name, count in targets.items()}},
            "languages": (Language.EN, Language.ZH),
            **more,
        }
    )


def test_a_character_counts_by_its_script() -> None:
    assert rough_tokens("a" * 40) == 10.0
    assert rough_tokens("水" * 30) == 20.0
    assert rough_tokens("水，" * 15 + "a" * 40) == 30.0


def test_the_form_of_every_answer_is_as_long_as_assumed() -> None:
    """Guards the constants against a signature that grew."""
    programs, forms = default_programs(), Forms()
    every = [programs.scaler, programs.mutator, *programs.refiner.programs.values()]
    every += [programs.truth, programs.align, programs.nat, programs.compliance, programs.judge]
    every += [programs.viability, DirectJudge(), Improver(), TwinWriter(), CorrectionWriter()]
    every += [writer() for writer in WRITERS.values()]
    every += [checker() for checker in DIALOGUE_CHECKERS] + [ScreenChecker()]
    assert {program.prompt_id for program in every} == set(FORM_CHARACTERS) == set(prompt_ids())
    for program in every:
        signature = program.predicts["en"].signature
        added = len(forms.system(signature, Language.EN)) - len(
            load_prompt(program.prompt_id, Language.EN).text
        )
        assert FORM_CHARACTERS[program.prompt_id] == pytest.approx(added, rel=0.1), program.prompt_id


def test_sizes_are_weighted_by_the_seeds_wanted_in_each_language() -> None:
    key = (Stage.REFINE, Role.CHECKER)
    english = sizes_of(chosen({"en": 4, "zh": 0}), DOMAINS)[key]
    chinese = sizes_of(chosen({"en": 0, "zh": 4}), DOMAINS)[key]
    mixed = sizes_of(chosen({"en": 3, "zh": 1}), DOMAINS)[key]
    assert english.input_low != chinese.input_low
    assert mixed.input_high == pytest.approx(0.75 * english.input_high + 0.25 * chinese.input_high)


def test_more_examples_and_longer_answers_are_more_tokens() -> None:
    base = chosen({"en": 4, "zh": 0})
    few, many = (
        base.model_copy(update={"scale": base.scale.model_copy(update={"few_shot": count})})
        for count in (1, 9)
    )
    key = (Stage.SCALE, Role.GENERATOR)
    assert sizes_of(many, DOMAINS)[key].input_low > 1.5 * sizes_of(few, DOMAINS)[key].input_low
    solver = base.roles[Role.SOLVER].model_copy(update={"max_tokens": 50})
    short = base.model_copy(update={"roles": {**base.roles, Role.SOLVER: solver}})
    assert sizes_of(short, DOMAINS)[Stage.REFINE, Role.SOLVER].output_high == 50
    assert sizes_of(base, DOMAINS)[Stage.REFINE, Role.SOLVER].output_high > 50


def test_a_domain_without_experts_in_a_language_borrows_those_of_another() -> None:
    english_only = [domain.model_copy(update={"seeds": domain.seeds_in(Language.EN)}) for domain in DOMAINS]
    sizes = sizes_of(chosen({"en": 0, "zh": 4}), english_only)
    assert sizes[Stage.REFINE, Role.SOLVER].input_low > 0
    bare = [domain.model_copy(update={"seeds": ()}) for domain in DOMAINS]
    assert sizes_of(chosen({"en": 1, "zh": 1}), bare)[Stage.REFINE, Role.JUDGE].input_low > 0
