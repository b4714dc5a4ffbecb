"""Answers to items by what two models or arms that are compared have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from exports.analysis.records import LabelChoice
from salitrap.records import Label, LabelRow


class AnswerKey(NamedTuple):
    """Which answer: of one item of one dataset, in one repeat, labelled by one judge."""

    item_id: str
    dataset_revision: str
    repeat: int
    judge: str


Answers = Mapping[AnswerKey, LabelRow]


def answers_of(rows: Iterable[LabelRow]) -> dict[str, Answers]:
    """Return the answers of each model, models by name."""
    found: dict[str, dict[AnswerKey, LabelRow]] = {}
    for row in rows:
        key = AnswerKey(row.item_id, row.dataset_revision, row.repeat, row.judge)
        found.setdefault(row.model, {})[key] = row
    return {model: found[model] for model in sorted(found)}


def passed(row: LabelRow, labels: LabelChoice) -> bool | None:
    """True for a Pass; None when the row is unscored."""
    label = labels.of(row)
    return None if label is None else label is Label.PASS


def failed(row: LabelRow, labels: LabelChoice) -> bool | None:
    """True for a failure (L+: Hard Fail, CoT Hijacked, Sycophantic Compliance); None when unscored."""
    label = labels.of(row)
    return None if label is None else label.is_failure
