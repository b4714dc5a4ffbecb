"""How well the scale fits: mean squares of items and models, and what pairs of models have in common."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from exports.analysis.paired import holm
from exports.analysis.scale_records import PairResidual
from exports.analysis.studies.irt.marginal import GRID, Squares
from exports.analysis.studies.irt.responses import Responses
from exports.analysis.studies.newton import Array

FEWEST = 10
"""Items that two models must have in common for the residual of their pair."""


class MeanSquares(NamedTuple):
    """Squared residuals over their expectation: weighted by it, and averaged over answers."""

    infit: Array
    outfit: Array


def mean_squares(squares: Squares, answers: Array, axis: int | None) -> MeanSquares:
    """Return the mean squares along ``axis`` (0: of models, 1: of items, None: of all).

    They are averaged over what the answers leave open of each difficulty, so that 1 is expected of them
    although the difficulties were fitted to the same answers.
    """
    cells = (answers > 0).sum(axis=axis)
    infit = squares.squared.sum(axis=axis) / squares.expected.sum(axis=axis)
    return MeanSquares(np.asarray(infit), np.asarray(squares.ratio.sum(axis=axis) / cells))


def residuals_of(responses: Responses, place: Array) -> tuple[PairResidual, ...]:
    """Return observed and expected joint passes of every pair of models, p corrected over all of them."""
    logits = place[:-1, None] - np.exp(place[-1]) * GRID
    weights = np.exp(-(GRID**2) / 2)
    chances = 1 / (1 + np.exp(-logits))
    joint = (chances * weights) @ chances.T / weights.sum()
    found = [
        _residual(responses, first, second, float(joint[first, second]))
        for first, second in combinations(range(len(responses.models)), 2)
    ]
    corrected = holm([None if one.z is None else _two_sided(one.z) for one in found])
    return tuple(one.model_copy(update={"p_holm": p}) for one, p in zip(found, corrected, strict=True))


def _residual(responses: Responses, first: int, second: int, expected: float) -> PairResidual:
    answers, passes = responses.answers, responses.passes
    common = (answers[:, first] > 0) & (answers[:, second] > 0)
    n = int(common.sum())
    observed = (
        passes[common, first] * passes[common, second] / (answers[common, first] * answers[common, second])
    )
    error = float(observed.std(ddof=1)) / math.sqrt(n) if n >= FEWEST else 0.0
    mean = float(observed.mean()) if n else None
    return PairResidual(
        first=responses.models[first],
        second=responses.models[second],
        n=n,
        observed=None if mean is None else 100 * mean,
        expected=100 * expected,
        z=None if mean is None or error == 0 else (mean - expected) / error,
        p_holm=None,
        why=_why(n, error),
    )


def _why(n: int, error: float) -> str:
    if n < FEWEST:
        return f"{n} items in common, fewer than {FEWEST}"
    return "" if error else "both pass all items in common, or one of them fails each"


def _two_sided(z: float) -> float:
    return 2 * NormalDist().cdf(-abs(z))
