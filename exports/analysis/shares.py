"""Shares and means over outcomes that come in clusters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from exports.analysis.common_records import Bounds, Mean, Share
from exports.analysis.intervals import cluster_percent, rate, t_quantile, wilson_percent

TOLERATED_UNSCORED = 0.01
"""Share of unscored outcomes above which bounds are given, as for items."""

Outcome = tuple[str, bool | None]
"""The seed, and whether it happened; None: unscored."""


def share_of(outcomes: Iterable[Outcome], none: str) -> Share:
    """Return the share of True; ``none`` is said where there is nothing at all to count."""
    tallies: dict[str, list[int]] = {}
    unscored = 0
    for seed, outcome in outcomes:
        if outcome is None:
            unscored += 1
            continue
        tally = tallies.setdefault(seed, [0, 0])
        tally[0] += outcome
        tally[1] += 1
    pairs = [(hits, count) for hits, count in tallies.values()]
    hits, n = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    return Share(
        hits=hits,
        n=n,
        unscored=unscored,
        rate=rate(hits, n),
        ci=wilson_percent(hits, n),
        cluster_ci=cluster_percent(pairs),
        bounds=_bounds(hits, n, unscored),
        why="" if n else f"all {unscored} are unscored" if unscored else none,
    )


def mean_of(values: Sequence[tuple[str, float]], none: str) -> Mean:
    """Return the mean of (seed, value) with the cluster-robust interval; equal values give no width."""
    if not values:
        return Mean(n=0, value=None, cluster_ci=None, why=none)
    mean = sum(value for _, value in values) / len(values)
    residues: dict[str, float] = {}
    for seed, value in values:
        residues[seed] = residues.get(seed, 0.0) + value - mean
    return Mean(n=len(values), value=mean, cluster_ci=_mean_interval(mean, residues, len(values)))


def _mean_interval(mean: float, residues: dict[str, float], n: int) -> Bounds | None:
    clusters = len(residues)
    if clusters < 2:
        return None
    variance = clusters / (clusters - 1) * sum(residue**2 for residue in residues.values()) / n**2
    half = t_quantile(clusters - 1) * math.sqrt(variance)
    return (max(0.0, mean - half), mean + half)


def _bounds(hits: int, n: int, unscored: int) -> Bounds | None:
    if unscored <= TOLERATED_UNSCORED * (n + unscored):
        return None
    return (100 * hits / (n + unscored), 100 * (hits + unscored) / (n + unscored))
