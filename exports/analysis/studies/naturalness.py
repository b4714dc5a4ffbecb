"""Whether items that read more naturally are harder."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from exports.analysis.common_records import Bounds
from exports.analysis.scale_records import Scale
from exports.analysis.studies.influence import FEWEST, halves_of
from exports.analysis.studies.item_facts import Facts
from exports.analysis.studies.newton import Array
from exports.analysis.study_records import Correlation
from salitrap.wilson import Z_95

NO_DATASET = "naturalness stands in the dataset; give it with --dataset"


def naturalness_of(scale: Scale, seeds: Mapping[str, str], facts: Facts | None) -> Correlation:
    """Return the correlation of difficulty and naturalness over the items that have both."""
    if facts is None:
        return _none(0, 0, NO_DATASET)
    if scale.why:
        return _none(0, 0, f"no difficulties: {scale.why}")
    known = [one for one in scale.difficulties if one.item_id in facts]
    missing = len(scale.difficulties) - len(known)
    natural = np.array([facts[one.item_id].naturalness for one in known])
    hard = np.array([one.difficulty for one in known])
    if len(known) < FEWEST:
        return _none(len(known), missing, f"{len(known)} items with both; a correlation takes {FEWEST}")
    if min(np.ptp(natural), np.ptp(hard)) < 1e-9:
        return _none(len(known), missing, "all items are equally natural, or equally difficult")
    return _correlation(natural, hard, [seeds[one.item_id] for one in known], missing)


def _correlation(natural: Array, hard: Array, seeds: list[str], missing: int) -> Correlation:
    """Pearson's r; intervals by Fisher's z, the clustered one with the influence of each item on r."""
    one, other = (values - values.mean() for values in (natural, hard))
    one, other = one / math.sqrt(float((one**2).mean())), other / math.sqrt(float((other**2).mean()))
    n, r = len(one), max(-1.0, min(1.0, float((one * other).mean())))
    if 1 - r * r < 1e-9:
        why = "the items lie on a line, so there is no interval"
        return Correlation(n=n, missing=missing, r=r, ci=None, cluster_ci=None, why=why)
    halves = halves_of((one * other - r * (one**2 + other**2) / 2) / (1 - r * r), seeds)
    return Correlation(
        n=n,
        missing=missing,
        r=r,
        ci=_fisher(r, Z_95 / math.sqrt(n - 3)),
        cluster_ci=None if halves.clustered is None else _fisher(r, halves.clustered),
        why=halves.why,
    )


def _fisher(r: float, half: float) -> Bounds:
    return (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))


def _none(n: int, missing: int, why: str) -> Correlation:
    return Correlation(n=n, missing=missing, r=None, ci=None, cluster_ci=None, why=why)
