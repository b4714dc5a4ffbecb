"""The two ways to better instructions: examples that DSPy bootstraps, and texts that its GEPA proposes.

Both are deterministic but for the replies, so that a repeated command finds all of them in the journal and
goes on where it stopped. They see ``learn`` and ``choose`` and nothing else of a gold set.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import dspy

from checkers.gold import GoldAnswer
from exports.optimize.bridge import Bridge
from exports.optimize.examples import examples_of
from exports.optimize.metric import feedback, is_right
from exports.optimize.shown import case_text
from exports.optimize.student import Candidates, Student
from generator.improving import Improver
from prompts.loader import normalised
from salitrap.errors import CallFailed
from salitrap.providers.access import Access
from salitrap.text import in_language

Method = Literal["bootstrap", "gepa"]
MOST_EXAMPLES = 4
SETS = 6
"""Sets of examples that are tried by ``bootstrap``, beside none."""

MINIBATCH = 3
PROPOSALS = 12
"""Proposals of ``gepa`` that are tried on a minibatch, about; fewer where some go on to all of ``choose``."""

FULL_READINGS = 5
"""How often ``gepa`` may read all of ``choose``."""

SEED = 0
QUIET = {"disable_history": True, "warn_on_type_mismatch": False}


@dataclass(frozen=True, slots=True)
class Search:
    """What a method works with; ``threads`` answers are judged at a time."""

    candidates: Candidates
    improver: Improver
    access: Access
    bridge: Bridge
    learn: Sequence[GoldAnswer]
    choose: Sequence[GoldAnswer]
    threads: int


def best_text(search: Search, method: Method) -> str:
    """The instructions that did best on ``choose``; those of the parent where none did better."""
    signature = search.candidates.judge_by(search.candidates.parent.text).signature
    student = Student(search.candidates, signature)
    with dspy.context(**QUIET):
        found = _bootstrap(search, student) if method == "bootstrap" else _gepa(search, student)
    return normalised(str(found.judge.text())).strip()


def gepa_calls(choose: int) -> int:
    """Answers that GEPA may have judged, about; it ends with the iteration that reaches this."""
    return FULL_READINGS * choose + 2 * MINIBATCH * PROPOSALS


def _bootstrap(search: Search, student: Student) -> Student:
    """Several sets of examples that were judged rightly; none of them wins a tie against no examples."""
    best, most = student, _hits(search, student)
    for number in range(SETS):
        tried = _with_demos(search, student, number)
        hits = _hits(search, tried) if tried.judge.demos else most
        if hits > most:
            best, most = tried, hits
    return best


def _with_demos(search: Search, student: Student, number: int) -> Student:
    draw, examples = random.Random(number), examples_of(search.learn)
    draw.shuffle(examples)
    optimiser = dspy.BootstrapFewShot(
        metric=search.bridge.guarded(is_right),
        max_bootstrapped_demos=draw.randint(1, MOST_EXAMPLES),
        max_labeled_demos=0,
    )
    return optimiser.compile(student, trainset=examples)  # type: ignore[no-any-return]


def _hits(search: Search, student: Student) -> float:
    evaluate = dspy.Evaluate(
        devset=examples_of(search.choose),
        metric=search.bridge.guarded(is_right),
        num_threads=search.threads,
        display_progress=False,
    )
    return float(evaluate(student).score)


def _gepa(search: Search, student: Student) -> Student:
    def propose(
        candidate: Mapping[str, str],
        reflective_dataset: Mapping[str, Sequence[Mapping[str, Any]]],
        components_to_update: Sequence[str],
    ) -> dict[str, str]:
        return {
            name: _proposed(search, candidate[name], reflective_dataset[name])
            for name in components_to_update
            if name in reflective_dataset
        }

    optimiser = dspy.GEPA(
        metric=search.bridge.guarded(feedback),
        max_metric_calls=gepa_calls(len(search.choose)),
        reflection_minibatch_size=MINIBATCH,
        instruction_proposer=search.bridge.guarded(propose),
        use_merge=False,
        num_threads=search.threads,
        seed=SEED,
    )
    return optimiser.compile(  # type: ignore[no-any-return]
        student, trainset=examples_of(search.learn), valset=examples_of(search.choose)
    )


def _proposed(search: Search, text: str, cases: Sequence[Mapping[str, Any]]) -> str:
    """New instructions; those there are where the reply cannot be used."""
    shown, language = [case_text(case) for case in cases], search.candidates.language
    try:
        improved = search.bridge.call(
            ("improve", text, *shown),
            lambda: search.improver.improve(search.access, language, text, shown),
        )
    except CallFailed:
        return text
    return improved if _usable(improved, search) else text


def _usable(text: str, search: Search) -> bool:
    """True for a text in the right language that still explains every field, which a program reads."""
    parent = search.candidates.parent
    return in_language(text, parent.language) and all(f"`{name}`" in text for name in parent.outputs)
