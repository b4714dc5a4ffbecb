"""Kaplan and Meier's estimate in whole turns, with Greenwood's variance and its form for clusters.

The logarithm of survival is a sum over steps of log(1 - d / n), with d events among n at risk. What a cluster
adds to its error is the sum of -(d_c - n_c d / n) / (n - d). The squares of these contributions add up to
Greenwood's variance when every play is a cluster of its own, and to the cluster-robust one otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exports.analysis.common_records import Bounds
from exports.analysis.dialogue_records import RiskStep, Survival, Turns
from exports.analysis.intervals import t_quantile
from salitrap.wilson import Z_95, wilson_of_share

Floats = NDArray[np.float64]
NOT_HALF = "fewer than half had it within the turns sent"


class Spell(NamedTuple):
    """A play under observation up to and with step ``last``; ``event``: it happened there."""

    cluster: str
    last: int
    event: bool


class _Curve(NamedTuple):
    """``error[c, t]``: what cluster c adds to the error of log survival; nan once nobody is left."""

    at_risk: Floats
    events: Floats
    survival: Floats
    error: Floats


class _Errors(NamedTuple):
    """Variance of log survival a step, of the restricted mean, the quantile, and the weight of one sample."""

    log_survival: Floats
    mean: float
    quantile: float
    most: float


def survival_of(spells: Sequence[Spell], start: int, unscored: int, none: str) -> Survival:
    """Return the estimate over steps ``start``, ``start`` + 1, ..; ``none`` is said without any spell."""
    if not spells:
        why = f"all {unscored} are unscored" if unscored else none
        return _nothing(unscored, why)
    curve = _curve(spells, start)
    plain = _errors(curve, clustered=False)
    clusters = curve.error.shape[0]
    robust = _errors(curve, clustered=True) if clusters > 1 else None
    spans = _spans(curve, plain)
    robust_spans = _spans(curve, robust) if robust else None
    median = _first(curve.survival, start)
    mean = float(start + curve.survival.sum())
    horizon = start + len(curve.survival)
    events = int(curve.events.sum())
    return Survival(
        plays=len(spells),
        events=events,
        censored=len(spells) - events,
        unscored=unscored,
        steps=_steps(curve, start, spans, robust_spans),
        median=median,
        median_ci=_median_span(spans, start),
        median_cluster_ci=_median_span(robust_spans, start) if robust_spans else None,
        restricted_mean=mean,
        restricted_mean_ci=_mean_span(mean, plain, start, horizon),
        restricted_mean_cluster_ci=_mean_span(mean, robust, start, horizon) if robust else None,
        horizon=horizon,
        why="" if median is not None else NOT_HALF,
    )


def _curve(spells: Sequence[Spell], start: int) -> _Curve:
    names = {name: place for place, name in enumerate(sorted({spell.cluster for spell in spells}))}
    steps = max(spell.last for spell in spells) - start + 1
    ended, left = np.zeros((len(names), steps)), np.zeros((len(names), steps))
    for spell in spells:
        (ended if spell.event else left)[names[spell.cluster], spell.last - start] += 1
    gone = ended + left
    present = gone[:, ::-1].cumsum(axis=1)[:, ::-1]
    at_risk, events = present.sum(axis=0), ended.sum(axis=0)
    survival = np.cumprod(1 - events / at_risk)
    staying = np.where(at_risk > events, at_risk - events, np.nan)
    error = -np.cumsum((ended - present * events / at_risk) / staying, axis=1)
    return _Curve(at_risk, events, survival, error)


def _errors(curve: _Curve, *, clustered: bool) -> _Errors:
    """Of single plays by Greenwood's formula; of clusters from their contributions, and never less."""
    staying = np.where(curve.at_risk > curve.events, curve.at_risk - curve.events, np.nan)
    terms = curve.events / (curve.at_risk * staying)
    ahead = curve.survival[::-1].cumsum()[::-1]
    plain = _Errors(np.cumsum(terms), float(np.nansum(ahead**2 * terms)), Z_95, math.inf)
    if not clustered:
        return plain
    clusters = curve.error.shape[0]
    factor = clusters / (clusters - 1)
    of_mean = factor * float((np.nansum(curve.error * curve.survival, axis=1) ** 2).sum())
    variance = np.maximum(factor * (curve.error**2).sum(axis=0), plain.log_survival)
    return _Errors(variance, max(of_mean, plain.mean), t_quantile(clusters - 1), float(clusters))


def _spans(curve: _Curve, errors: _Errors) -> list[Bounds]:
    """Intervals of survival as shares, on the log-log scale; where that has none, from Wilson's."""
    spans: list[Bounds] = []
    for place, share in enumerate(curve.survival):
        before = spans[-1][1] if spans else 1.0
        there = min(float(curve.at_risk[place]), errors.most)
        spans.append(_span(float(share), float(errors.log_survival[place]), before, there, errors.quantile))
    return spans


def _span(share: float, variance: float, before: float, there: float, quantile: float) -> Bounds:
    """``before`` is the upper end one step earlier, ``there`` how many were at risk."""
    if share <= 0:
        return (0.0, before * wilson_of_share(0.0, there, quantile).high)
    if share >= 1:
        return (wilson_of_share(1.0, there, quantile).low, 1.0)
    reach = quantile * math.sqrt(variance) / abs(math.log(share))
    return (share ** math.exp(reach), share ** math.exp(-reach))


def _steps(
    curve: _Curve, start: int, spans: list[Bounds], robust: list[Bounds] | None
) -> tuple[RiskStep, ...]:
    following = np.append(curve.at_risk[1:], 0)
    return tuple(
        RiskStep(
            after=start + place,
            at_risk=int(curve.at_risk[place]),
            events=int(curve.events[place]),
            censored=int(curve.at_risk[place] - curve.events[place] - following[place]),
            survival=100 * float(curve.survival[place]),
            survival_ci=_percent(spans[place]),
            survival_cluster_ci=_percent(robust[place]) if robust else None,
        )
        for place in range(len(spans))
    )


def _median_span(spans: list[Bounds], start: int) -> Turns:
    """Brookmeyer and Crowley: the steps whose survival could be one half."""
    low = _first(np.array([span[0] for span in spans]), start)
    high = _first(np.array([span[1] for span in spans]), start)
    return (low, high)


def _mean_span(mean: float, errors: _Errors, start: int, horizon: int) -> Bounds:
    half = errors.quantile * math.sqrt(errors.mean)
    return (max(float(start), mean - half), min(float(horizon), mean + half))


def _first(shares: Floats, start: int) -> int | None:
    """The first step at which the share is one half or less, rounding errors apart."""
    reached = np.flatnonzero(shares <= 0.5 + 1e-12)
    return start + int(reached[0]) if reached.size else None


def _percent(span: Bounds) -> Bounds:
    return (100 * span[0], 100 * span[1])


def _nothing(unscored: int, why: str) -> Survival:
    return Survival(
        plays=0,
        events=0,
        censored=0,
        unscored=unscored,
        steps=(),
        median=None,
        median_ci=None,
        median_cluster_ci=None,
        restricted_mean=None,
        restricted_mean_ci=None,
        restricted_mean_cluster_ci=None,
        horizon=None,
        why=why,
    )
