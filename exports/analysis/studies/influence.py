"""Intervals of a statistic from how much each answer moves it, alone or with the others of its seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from exports.analysis.common_records import Bounds
from exports.analysis.intervals import t_quantile
from exports.analysis.studies.newton import Array
from salitrap.wilson import Z_95

FEWEST = 10
"""Answers below which no interval is given: it would be a guess."""

ROUNDING = 1e-12


class Halves(NamedTuple):
    """Half the width of the 95 % interval, plain and clustered by seed; None where there is none."""

    plain: float | None
    clustered: float | None
    why: str


def halves_of(influences: Array, seeds: Sequence[str]) -> Halves:
    """Return the half widths of the mean of ``influences``, one an answer."""
    n = len(influences)
    if n < FEWEST:
        return Halves(None, None, f"{n} answers; an interval takes {FEWEST}")
    if np.abs(influences).max() < ROUNDING:
        return Halves(None, None, "one outcome is always the same, so nothing says how far it is by chance")
    plain = Z_95 * math.sqrt(float((influences**2).sum())) / n
    names, place = np.unique(np.asarray(seeds), return_inverse=True)
    clusters = len(names)
    if clusters < 2:
        return Halves(plain, None, "one seed, so no interval clustered by seed")
    sums = np.bincount(place.reshape(-1), weights=influences)
    spread = math.sqrt(float((sums**2).sum()) * clusters / (clusters - 1)) / n
    return Halves(plain, t_quantile(clusters - 1) * spread, "")


def around(middle: float, half: float | None, largest: float) -> Bounds | None:
    """Return the interval, cut off at ``largest`` on either side."""
    if half is None:
        return None
    return (max(-largest, middle - half), min(largest, middle + half))
