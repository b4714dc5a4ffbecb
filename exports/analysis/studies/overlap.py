"""How far two models fail on the same answers, and how far they would by chance."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from exports.analysis.records import LabelChoice
from exports.analysis.studies.answers import Answers, failed
from exports.analysis.studies.influence import around, halves_of
from exports.analysis.studies.newton import Array
from exports.analysis.study_records import Overlap


class Common(NamedTuple):
    """Failures of two models on the answers that both have scored, 1 or 0, with the seeds."""

    first: Array
    second: Array
    seeds: tuple[str, ...]


def overlap_of(names: tuple[str, str], first: Answers, second: Answers, labels: LabelChoice) -> Overlap:
    """Return the overlap of the failures of two models."""
    keys = sorted(first.keys() & second.keys())
    pairs = [(failed(first[key], labels), failed(second[key], labels), first[key].seed_id) for key in keys]
    scored = [pair for pair in pairs if pair[0] is not None and pair[1] is not None]
    common = Common(
        np.array([float(bool(pair[0])) for pair in scored]),
        np.array([float(bool(pair[1])) for pair in scored]),
        tuple(pair[2] for pair in scored),
    )
    return Overlap(
        first=names[0],
        second=names[1],
        n=len(scored),
        unscored=len(pairs) - len(scored),
        unpaired=len(first) + len(second) - 2 * len(keys),
        first_fails=int(common.first.sum()),
        second_fails=int(common.second.sum()),
        both_fail=int((common.first * common.second).sum()),
        **_figures(common),
    )


def _figures(common: Common) -> dict[str, Any]:
    """Rates, and why there are none."""
    if not common.seeds:
        return {**dict.fromkeys(_RATES + _JACCARDS), "why": "no answer that both have scored"}
    rates, why = _rates(common)
    jaccards, why_not = _jaccards(common)
    return {**rates, **jaccards, "why": "; ".join(dict.fromkeys(said for said in (why, why_not) if said))}


_RATES = ("rate", "expected_rate", "excess", "excess_ci", "excess_cluster_ci")
_JACCARDS = (
    "jaccard",
    "expected_jaccard",
    "excess_jaccard",
    "excess_jaccard_ci",
    "excess_jaccard_cluster_ci",
)


def _rates(common: Common) -> tuple[dict[str, Any], str]:
    """Both fail, against the product of the two failure rates."""
    one, other = float(common.first.mean()), float(common.second.mean())
    both = float((common.first * common.second).mean())
    excess = both - one * other
    halves = halves_of(100 * ((common.first - one) * (common.second - other) - excess), common.seeds)
    values = (
        100 * both,
        100 * one * other,
        100 * excess,
        around(100 * excess, halves.plain, 100),
        around(100 * excess, halves.clustered, 100),
    )
    return dict(zip(_RATES, values, strict=True)), halves.why


def _jaccards(common: Common) -> tuple[dict[str, Any], str]:
    """Both fail among those where one fails, against the same of independent models; delta method."""
    one, other = float(common.first.mean()), float(common.second.mean())
    together = common.first * common.second
    both, any_fails = float(together.mean()), one + other - float(together.mean())
    by_chance = one + other - one * other
    if any_fails <= 0:
        return dict.fromkeys(_JACCARDS), "neither fails, so there is no Jaccard index"
    jaccard, expected = both / any_fails, one * other / by_chance
    slope_both = (any_fails + both) / any_fails**2
    slope_one = -both / any_fails**2 - (other / by_chance) ** 2
    slope_other = -both / any_fails**2 - (one / by_chance) ** 2
    moved = slope_both * (together - both)
    moved = moved + slope_one * (common.first - one) + slope_other * (common.second - other)
    halves = halves_of(100 * moved, common.seeds)
    excess = 100 * (jaccard - expected)
    spans = (around(excess, halves.plain, 100), around(excess, halves.clustered, 100))
    return dict(zip(_JACCARDS, (100 * jaccard, 100 * expected, excess, *spans), strict=True)), halves.why
