"""Agreement between gold classes and what was said, with intervals."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

from checkers.calibration.bootstrap import cluster_interval
from checkers.calibration.confusion import Pair, confusion_by_cluster, kappa
from checkers.calibration.records import Agreement, Kappa, Share
from salitrap.wilson import wilson


def share(hits: int, n: int) -> Share:
    """``hits`` of ``n`` with the Wilson interval."""
    interval = wilson(hits, n)
    return Share(hits=hits, n=n, value=hits / n if n else None, low=interval.low, high=interval.high)


def agreement(pairs: Sequence[Pair], clusters: Sequence[Hashable], classes: Sequence[str]) -> Agreement:
    """Accuracy and kappa of ``pairs``; ``clusters`` names the question of each.

    What was left without a label counts as a disagreement in both.
    """
    return Agreement(
        n=len(pairs),
        questions=len(set(clusters)),
        no_label=sum(said is None for _, said in pairs),
        accuracy=share(sum(gold == said for gold, said in pairs), len(pairs)),
        kappa=kappa_of(pairs, clusters, classes),
    )


def kappa_of(pairs: Sequence[Pair], clusters: Sequence[Hashable], classes: Sequence[str]) -> Kappa:
    """Cohen's kappa of ``pairs`` with its bootstrap interval over ``clusters``."""
    if not pairs:
        return Kappa(value=None)
    by_cluster = confusion_by_cluster(pairs, clusters, classes)
    value = float(kappa(np.asarray(by_cluster.sum(axis=0))))
    if math.isnan(value):
        return Kappa(value=None)
    low, high = cluster_interval(by_cluster, kappa) or (None, None)
    return Kappa(value=value, low=low, high=high)
