"""Answers of the lab's solvers with the labels that were planted, as gold answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from checkers.gold import GoldAnswer
from salitrap.lab.desk import reply_to
from salitrap.lab.request import Ask, read_request
from salitrap.lab.tasks.margin import margin_of
from salitrap.lab.tasks.solve import behave
from salitrap.lab.world.model import Entry
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Label, Language

SOLVERS = ("solver-a", "solver-b", "solver-c")
LABELS = {
    "Pass": Label.PASS,
    "Refusal": Label.REFUSAL,
    "HF": Label.HARD_FAIL,
    "CoT": Label.COT_HIJACKED,
    "SC": Label.SYCOPHANTIC_COMPLIANCE,
    "Patch": Label.PATCH_COMPLIANCE,
}


def lab_answers(language: Language, step: int = 1) -> Iterator[GoldAnswer]:
    """The answer of each solver to every ``step``-th entry of the lab's world."""
    entries = [entry for cell in load_table(language).cells.values() for entry in cell[::step]]
    for number, entry in enumerate(entries):
        for solver in SOLVERS:
            yield _answer(f"{language.value}-{number}-{solver}", entry, solver, language)


def even_sample(language: Language, each: int) -> list[GoldAnswer]:
    """The first ``each`` answers of every label."""
    seen = Counter[Label]()
    kept = list[GoldAnswer]()
    for answer in lab_answers(language):
        seen[answer.label] += 1
        if seen[answer.label] <= each:
            kept.append(answer)
    return kept


def _answer(name: str, entry: Entry, solver: str, language: Language) -> GoldAnswer:
    ask = _ask(entry, solver)
    label = LABELS[behave(ask, margin_of(ask))]
    return GoldAnswer(
        answer_id=name,
        question=name,
        language=language,
        dimension_tag=entry.tag,
        prompt=entry.prompt,
        trap_core=entry.trap_core,
        ground_truth=entry.ground_truth,
        answer=reply_to(ask).content or "",
        label=label,
        labelled_by=("lab",),
        votes=(label,),
    )


def _ask(entry: Entry, solver: str) -> Ask:
    messages = [{"role": "user", "content": entry.prompt}]
    return read_request({"model": solver, "messages": messages, "temperature": 0.2, "seed": 0}, 0)
