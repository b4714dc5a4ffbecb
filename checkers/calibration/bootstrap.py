"""Percentile bootstrap over whole clusters (Efron and Tibshirani 1993, chapters 8 and 13)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from checkers.calibration.confusion import Counts

RESAMPLES = 2000
SEED = 20_260_728
PERCENT = (2.5, 97.5)
Statistic = Callable[[NDArray[np.generic]], NDArray[np.float64]]


def cluster_interval(
    by_cluster: Counts, statistic: Statistic, *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[float, float] | None:
    """95 % interval of ``statistic``, which maps tables (..., k, m) to values (...).

    ``by_cluster`` has one table a cluster. Clusters are drawn with replacement, since answers to one
    question resemble each other. Resamples in which the statistic is undefined are passed over. None
    below two clusters, or where it is undefined throughout.
    """
    clusters = by_cluster.shape[0]
    if clusters < 2:
        return None
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(clusters, np.full(clusters, 1.0 / clusters), size=resamples)
    values = statistic(np.tensordot(weights, by_cluster, axes=1))
    values = values[~np.isnan(values)]
    if not values.size:
        return None
    low, high = np.percentile(values, PERCENT)
    return float(low), float(high)
