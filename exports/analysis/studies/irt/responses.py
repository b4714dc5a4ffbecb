"""Answers of several models to items as two tables of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exports.analysis.records import LabelChoice
from exports.analysis.studies.newton import Array
from salitrap.records import Label, LabelRow, LabelStatus
from salitrap.text import natural_key


@dataclass(frozen=True, slots=True)
class Responses:
    """``passes`` and ``answers`` count scored rows, items down and models across.

    ``seeds`` has the seed of each item, ``unscored`` the rows without a label of each model. Models and items
    without a scored answer are not there.
    """

    models: tuple[str, ...]
    items: tuple[str, ...]
    seeds: tuple[str, ...]
    passes: Array
    answers: Array
    unscored: tuple[int, ...]


def responses_of(rows: Sequence[LabelRow], labels: LabelChoice) -> Responses:
    """Count the rows; their order does not matter."""
    scored = [row for row in rows if row.status is LabelStatus.OK]
    models = sorted({row.model for row in scored}, key=natural_key)
    items = sorted({row.item_id for row in scored})
    across, down = _places(models), _places(items)
    answers = np.zeros((len(items), len(models)))
    passes = np.zeros_like(answers)
    for row in scored:
        at = down[row.item_id], across[row.model]
        answers[at] += 1
        passes[at] += labels.of(row) is Label.PASS
    failed = Counter(row.model for row in rows if row.status is not LabelStatus.OK)
    seeds = _seeds(scored)
    return Responses(
        models=tuple(models),
        items=tuple(items),
        seeds=tuple(seeds[item] for item in items),
        passes=passes,
        answers=answers,
        unscored=tuple(failed[model] for model in models),
    )


def _places(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def _seeds(rows: Sequence[LabelRow]) -> dict[str, str]:
    """The seed of each item; of several that contradict each other the first by name."""
    seeds: dict[str, str] = {}
    for row in rows:
        seeds[row.item_id] = min(row.seed_id, seeds.get(row.item_id, row.seed_id))
    return seeds
