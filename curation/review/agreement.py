"""How far reviewers agree with each other and with the run's judge, on the answers that both labelled."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from checkers.calibration.agreement import agreement
from checkers.calibration.records import Agreement
from checkers.gold.reviewers import ReviewerAgreement, agreement_of
from curation.opinions import AnswerLabel
from curation.registry import Registry
from curation.registry.people import all_labels
from salitrap.records import Label
from salitrap.records.base import Record

JUDGE = ""
"""Stands for the run's judge among the names of people."""

CLASSES = tuple(label.value for label in Label)
Labels = Mapping[str, Label | None]


class Two(Record):
    """Two who labelled the same answers; ``second`` is "" for the judge. ``differ`` names candidates."""

    first: str
    second: str
    found: Agreement
    differ: tuple[str, ...]


class ReviewAgreement(Record):
    """All pairs, and everybody together; ``labels`` counts labels by reviewer."""

    labels: dict[str, int]
    answers: int
    people: tuple[Two, ...]
    judge: tuple[Two, ...]
    together: ReviewerAgreement | None


def agreement_in(registry: Registry) -> ReviewAgreement:
    """Compare what was said of the same answers."""
    said: dict[str, dict[str, Label | None]] = {}
    about: dict[str, AnswerLabel] = {}
    for one in all_labels(registry):
        said.setdefault(one.author, {})[one.answer_id] = one.label
        about[one.answer_id] = one
    judged = {answer_id: _judge(registry, one) for answer_id, one in about.items()}
    known = {answer_id: label for answer_id, label in judged.items() if label is not None}
    votes = [[labels[one] for labels in said.values() if one in labels] for one in about]
    return ReviewAgreement(
        labels={author: len(labels) for author, labels in sorted(said.items())},
        answers=len(about),
        people=_paired([(a, said[a], b, said[b]) for a, b in combinations(sorted(said), 2)], about),
        judge=_paired([(author, said[author], JUDGE, known) for author in sorted(said)], about),
        together=agreement_of([[label for label in unit if label] for unit in votes]),
    )


def _paired(
    sides: list[tuple[str, Labels, str, Labels]], about: Mapping[str, AnswerLabel]
) -> tuple[Two, ...]:
    found = (_two(*side, about) for side in sides)
    return tuple(one for one in found if one is not None)


def _two(
    first: str, mine: Labels, second: str, theirs: Labels, about: Mapping[str, AnswerLabel]
) -> Two | None:
    shared = sorted(set(mine) & set(theirs))
    if not shared:
        return None
    pairs = [(str(mine[one]), str(theirs[one])) for one in shared]
    unlike = [about[one].candidate_id for one in shared if mine[one] is not theirs[one]]
    found = agreement(pairs, [about[one].seed_id for one in shared], CLASSES)
    return Two(first=first, second=second, found=found, differ=tuple(dict.fromkeys(unlike)))


def _judge(registry: Registry, said: AnswerLabel) -> Label | None:
    """What the judge called the very answer that was labelled; None when the view has another one now."""
    query = (
        "SELECT json_extract(judgements.record, '$.label') FROM judgements"
        " JOIN answers USING (candidate_id, repeat)"
        " WHERE candidate_id = ? AND repeat = ? AND json_extract(answers.record, '$.text') = ?"
    )
    row = registry.connection.execute(query, (said.candidate_id, said.repeat, said.answer)).fetchone()
    return Label(row[0]) if row and row[0] else None
