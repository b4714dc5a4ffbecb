"""The Wilson score interval of a proportion."""

from __future__ import annotations

import math
from typing import NamedTuple

Z_95 = 1.959963984540054


class Interval(NamedTuple):
    """Bounds of a proportion, both in [0, 1]."""

    low: float
    high: float


def wilson(successes: int, trials: int, z: float = Z_95) -> Interval:
    """Return the two-sided Wilson interval, 95 % by default; no trials say nothing: (0, 1).

    Raises:
        ValueError: not 0 <= successes <= trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if trials == 0:
        return Interval(0.0, 1.0)
    return wilson_of_share(successes / trials, trials, z)


def wilson_of_share(share: float, trials: float, z: float = Z_95) -> Interval:
    """Return the interval of a share in [0, 1] that weighs as much as ``trials`` > 0 independent trials.

    ``trials`` need not be whole: answers to items of one seed resemble each other, so that 100 of them
    may tell as much as 37.5 independent ones.
    """
    weight = z * z / trials
    centre = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / trials + weight / (4 * trials)) / (1 + weight)
    low = 0.0 if share == 0.0 else max(0.0, centre - half)
    high = 1.0 if share == 1.0 else min(1.0, centre + half)
    return Interval(low, high)
