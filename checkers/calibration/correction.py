"""Rates corrected for the errors that a judge made on gold answers.

Both corrections take the error rates among answers that got a label, since published rates have only
such answers in their denominator. They assume that the judge errs on other answers as often as on these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from salitrap.records.base import Record
from salitrap.wilson import Z_95

LEAST_SINGULAR = 0.1
"""A confusion matrix with a smaller singular value would multiply any error more than tenfold."""


class NotCorrectable(ValueError):
    """The judge's errors on the gold set leave nothing to correct by; the text says why."""


class Corrected(Record):
    """A corrected rate with its 95 % interval, fractions; ``clipped`` when it lay outside 0 to 1."""

    value: float
    low: float
    high: float
    clipped: bool


def corrected_rate(
    observed: float, observed_se: float, sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> Corrected:
    """Rogan and Gladen's estimate (1978) of a true rate from an ``observed`` one.

    ``observed_se`` is the standard error of the observed rate. ``sensitivity`` and ``specificity`` are
    (hits, trials) on gold answers. The interval is by the delta method; so that a judge without an error
    on the gold set is not taken for one that cannot err, its variance uses (hits + 1) / (trials + 2).

    Raises:
        NotCorrectable: no gold answers of one kind, or the judge is not shown to be better than chance.
    """
    if not sensitivity[1] or not specificity[1]:
        raise NotCorrectable("the gold answers lack one of the two kinds")
    se, sp = (hits / trials for hits, trials in (sensitivity, specificity))
    youden, error = se + sp - 1.0, math.sqrt(_variance(sensitivity) + _variance(specificity))
    if youden - Z_95 * error <= 0.0:
        raise NotCorrectable("on the gold set the judge is not shown to be better than chance")
    value = (observed + sp - 1.0) / youden
    kept = min(1.0, max(0.0, value))
    spread = observed_se**2 + kept**2 * _variance(sensitivity) + (1.0 - kept) ** 2 * _variance(specificity)
    half = Z_95 * math.sqrt(spread) / youden
    return Corrected(value=kept, low=max(0.0, kept - half), high=min(1.0, kept + half), clipped=kept != value)


def corrected_shares(
    observed: Sequence[int], confusion: Sequence[Sequence[int]]
) -> tuple[tuple[float, ...], bool]:
    """True shares of k classes from ``observed`` counts, by the inverted confusion matrix.

    ``confusion`` has k rows of gold classes and k columns of what was said ("no label" taken out).
    Returns the shares and whether negative ones had to be set to 0 (the others then add up to 1).

    Raises:
        NotCorrectable: no observed counts, a class without gold answers, or a matrix that is (nearly)
            singular: two classes that the judge does not tell apart.
    """
    table, counts = np.asarray(confusion, dtype=np.float64), np.asarray(observed, dtype=np.float64)
    if counts.sum() == 0.0:
        raise NotCorrectable("nothing was observed")
    if (table.sum(axis=1) == 0.0).any():
        raise NotCorrectable("a class has no gold answers with a label")
    rates = table / table.sum(axis=1, keepdims=True)
    if np.linalg.svd(rates, compute_uv=False).min() < LEAST_SINGULAR:
        raise NotCorrectable(
            "the confusion matrix is nearly singular: the judge does not tell some classes apart"
        )
    shares = np.linalg.solve(rates.T, counts / counts.sum())
    kept = np.clip(shares, 0.0, None)
    return tuple(float(value) for value in kept / kept.sum()), bool((shares < 0.0).any())


def _variance(rate: tuple[int, int]) -> float:
    hits, trials = rate
    smooth = (hits + 1.0) / (trials + 2.0)
    return smooth * (1.0 - smooth) / trials
