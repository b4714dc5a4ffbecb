"""Gold answers as examples of an optimiser: one part to learn from, one to choose by, none of them held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import dspy

from checkers.gold import GoldAnswer, GoldSet, Half
from salitrap.errors import InputError
from salitrap.records.enums import Language
from salitrap.records.ids import sha256_text

INPUTS = ("prompt", "trap_core", "ground_truth", "answer")
EVERY = 3
"""Every third question of the train half is for choosing between candidates."""

LEAST_QUESTIONS = 2


@dataclass(frozen=True, slots=True)
class Parts:
    """Answers in one language; no question is in two parts."""

    language: Language
    learn: tuple[GoldAnswer, ...]
    choose: tuple[GoldAnswer, ...]
    held: GoldSet


def parts_of(gold: GoldSet, language: Language) -> Parts:
    """Split a gold set with halves.

    Raises:
        InputError: it has no halves, or too few questions in ``language``.
    """
    train = gold.part(half=Half.TRAIN, languages=(language,))
    held = gold.part(half=Half.HELD, languages=(language,))
    if train.questions < LEAST_QUESTIONS or not held.answers:
        raise InputError(
            f"gold {gold.name}: needs {LEAST_QUESTIONS} questions in a folder 'train' and others in 'held', "
            f"in {language.value}; it has {train.questions} and {held.questions}"
        )
    shared = {one.prompt for one in train.answers} & {one.prompt for one in held.answers}
    if shared:
        raise InputError(
            f"gold {gold.name}: {min(shared)[:60]!r} is in 'train' and in 'held'; keep it in one of them"
        )
    questions = sorted({answer.question for answer in train.answers}, key=sha256_text)
    chosen = set(questions[::EVERY])
    learn = tuple(answer for answer in train.answers if answer.question not in chosen)
    choose = tuple(answer for answer in train.answers if answer.question in chosen)
    return Parts(language, learn, choose, held)


def examples_of(answers: Sequence[GoldAnswer]) -> list[dspy.Example]:
    """What the judge is shown as inputs; label, evidence and rationale for the metric alone."""
    return [
        dspy.Example(
            prompt=answer.prompt,
            trap_core=answer.trap_core,
            ground_truth=answer.ground_truth,
            answer=answer.answer,
            label=answer.label.value,
            evidence=answer.evidence,
            rationale=answer.rationale,
        ).with_inputs(*INPUTS)
        for answer in answers
    ]
