"""Studies with planted abilities, difficulties and loads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exports.analysis.records import LabelChoice
from exports.analysis.studies.irt import Responses, responses_of
from salitrap.records import Label, LabelRow, LabelStatus


class Planted(NamedTuple):
    abilities: np.ndarray
    difficulties: np.ndarray
    rows: list[LabelRow]


def studied(
    seed: int,
    models: int = 12,
    items: int = 300,
    spread: float = 1.1,
    load: float = 0.0,
    repeats: int = 1,
    per_seed: int = 3,
) -> Planted:
    """Answers of the one-parameter model; ``load`` is taken from the logit for each number above seven."""
    random = np.random.default_rng(seed)
    abilities = np.linspace(-2.2, 0.6, models)
    difficulties = random.normal(0, spread, items)
    numbers = random.integers(3, 12, items)
    logits = abilities[:, None] - difficulties - load * (numbers - 7)
    failures = (Label.HARD_FAIL, Label.COT_HIJACKED, Label.SYCOPHANTIC_COMPLIANCE)
    rows = [
        LabelRow(
            model=f"model-{model:02}",
            item_id=f"i{item:04}",
            seed_id=f"s{item // per_seed:04}",
            dimension_tag=f"D{item % 4 + 1}",
            status=LabelStatus.OK,
            label=Label.PASS if passes else failures[int(random.integers(3))],
            number_count=int(numbers[item]),
            repeat=repeat,
        )
        for repeat in range(repeats)
        for (model, item), passes in np.ndenumerate(random.random(logits.shape) < 1 / (1 + np.exp(-logits)))
    ]
    return Planted(abilities, difficulties, rows)


def counted(rows: list[LabelRow]) -> Responses:
    return responses_of(rows, LabelChoice.VISIBLE)
