"""How far the rules agree with people and with what is planted in the lab; the docs tell these figures.

The lists and weights were made with the training half. The held half was read once, when they were done.
"""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.rule_judge_lab import lab_answers
from checkers.calibration import confusion_of, kappa
from checkers.gold import GoldAnswer, load_gold, shipped_answers_folder
from salitrap.records import Label, Language
from tests.checkers.judge.rules.questions import label

CLASSES = [one.value for one in Label]


def gold(half: str) -> tuple[GoldAnswer, ...]:
    return load_gold([shipped_answers_folder() / half]).answers


def kappa_on(answers: tuple[GoldAnswer, ...]) -> float:
    pairs = [
        (one.label.value, said and said.value) for one in answers for said in [label(one.asked, one.answer)]
    ]
    return float(kappa(confusion_of(pairs, CLASSES)))


def test_agreement_on_the_training_half() -> None:
    assert kappa_on(gold("train")) >= 0.72


def test_agreement_on_the_held_half() -> None:
    assert kappa_on(gold("held")) >= 0.535


@pytest.mark.parametrize("language", list(Language))
def test_what_the_lab_wrote_is_labelled_as_planted(language: Language) -> None:
    seen, right = Counter[Label](), Counter[Label]()
    for one in lab_answers(language, step=5):
        seen[one.label] += 1
        right[one.label] += label(one.asked, one.answer) is one.label
    assert sum(right.values()) / sum(seen.values()) >= 0.93
    assert set(seen) == set(Label)
    assert all(right[each] / seen[each] >= 0.6 for each in Label), right
