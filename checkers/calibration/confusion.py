"""Confusion tables and Cohen's kappa; all functions take tables stacked along leading axes too."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Pair = tuple[str, str | None]
"""Gold class, and what was said; None is "no label"."""


def confusion_of(pairs: Sequence[Pair], classes: Sequence[str]) -> Counts:
    """Counts of shape (k, k + 1): gold classes by said classes, "no label" last.

    Raises:
        ValueError: a class is not among ``classes``.
    """
    counts = np.zeros((len(classes), len(classes) + 1), dtype=np.int64)
    for gold, said in pairs:
        column = len(classes) if said is None else list(classes).index(said)
        counts[list(classes).index(gold), column] += 1
    return counts


def confusion_by_cluster(
    pairs: Sequence[Pair], clusters: Sequence[Hashable], classes: Sequence[str]
) -> Counts:
    """One table a cluster, shape (clusters, k, k + 1); clusters in the order of their first pair."""
    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters))}
    counts = np.zeros((len(places), len(classes), len(classes) + 1), dtype=np.int64)
    for pair, cluster in zip(pairs, clusters, strict=True):
        counts[places[cluster]] += confusion_of([pair], classes)
    return counts


def kappa(counts: NDArray[np.generic]) -> NDArray[np.float64]:
    """Cohen's kappa of tables of shape (..., k, k + 1), nan where chance explains all (Cohen 1960).

    "No label" never equals a gold class, so an answer that the judge left without a label counts as a
    disagreement: the value is that of a (k + 1)-class table whose last gold row is empty.
    """
    tables = np.asarray(counts, dtype=np.float64)
    total = tables.sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.trace(tables, axis1=-2, axis2=-1) / total
        chance = (tables.sum(axis=-1) * tables[..., :-1].sum(axis=-2)).sum(axis=-1) / total**2
        values: NDArray[np.float64] = np.where(chance < 1.0, (observed - chance) / (1.0 - chance), np.nan)
    return values
