"""Logistic regression on the number of numbers, with an intercept for each dimension."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from exports.analysis.common_records import Bounds
from exports.analysis.intervals import t_quantile
from exports.analysis.studies.newton import Array, Height, Summit, climb
from exports.analysis.study_records import Slope
from salitrap.wilson import Z_95

ROUNDING = 1e-9
LARGEST_LOG = 700.0
"""Logarithm of an odds ratio beyond which a machine number ends."""


class Dose(NamedTuple):
    """One scored answer: how many numbers the item has, and whether the outcome came."""

    stratum: str
    seed: str
    numbers: int
    hit: bool


def slope_of(doses: Sequence[Dose]) -> Slope:
    """Return the odds ratio for one number more; the order of the answers does not matter.

    Strata where the outcome is always the same have no finite intercept and say nothing about the slope.
    """
    strata: dict[str, list[Dose]] = {}
    for dose in sorted(doses):
        strata.setdefault(dose.stratum, []).append(dose)
    told = {name: found for name, found in strata.items() if len({dose.hit for dose in found}) > 1}
    used = [dose for found in told.values() for dose in found]
    why = _why_none(list(told.values()), bool(doses))
    summit = None if why else climb(_Likelihood.of(used).height_at, np.zeros(len(told) + 1))
    if summit is None:
        why = why or "the search for the slope came to no end"
        return _slope(len(used), len(doses), None, None, None, why)
    return _with_intervals(used, len(doses), summit)


def _why_none(strata: Sequence[Sequence[Dose]], any_there: bool) -> str:
    if not any_there:
        return "no scored answer says how many numbers its item has"
    if not strata:
        return "the outcome is always the same"
    if all(len({dose.numbers for dose in found}) == 1 for found in strata):
        return "items do not differ in how many numbers they have"
    if _separated(strata, 1) or _separated(strata, -1):
        return "a number of numbers separates the outcomes without exception, so that the odds are infinite"
    return ""


def _separated(strata: Sequence[Sequence[Dose]], sign: int) -> bool:
    """True when in every stratum all hits have at least as many numbers as all others (or at most)."""
    return all(
        max(sign * dose.numbers for dose in found if not dose.hit)
        <= min(sign * dose.numbers for dose in found if dose.hit)
        for found in strata
    )


@dataclass(frozen=True)
class _Likelihood:
    """``design`` has a column for each stratum and, last, the numbers less their median."""

    design: Array
    hits: Array

    @classmethod
    def of(cls, doses: Sequence[Dose]) -> _Likelihood:
        strata = sorted({dose.stratum for dose in doses})
        place = {name: at for at, name in enumerate(strata)}
        design = np.zeros((len(doses), len(strata) + 1))
        design[np.arange(len(doses)), [place[dose.stratum] for dose in doses]] = 1
        numbers = np.array([float(dose.numbers) for dose in doses])
        design[:, -1] = numbers - np.median(numbers)
        return cls(design, np.array([float(dose.hit) for dose in doses]))

    def height_at(self, place: Array) -> Height:
        """Log likelihood, gradient and information."""
        logits = self.design @ place
        chances = np.exp(-np.logaddexp(0, -logits))
        value = float((self.hits * logits - np.logaddexp(0, logits)).sum())
        weights = (chances * (1 - chances))[:, None]
        return Height(value, self.design.T @ (self.hits - chances), self.design.T @ (weights * self.design))

    def scores(self, place: Array) -> Array:
        """Gradient of each answer."""
        chances = np.exp(-np.logaddexp(0, -(self.design @ place)))
        return (self.hits - chances)[:, None] * self.design


def _with_intervals(used: Sequence[Dose], total: int, summit: Summit) -> Slope:
    """Intervals on the scale of the logarithm: by the information, and by what seeds have in common."""
    covariance = np.linalg.inv(summit.height.information)
    log_odds = float(summit.place[-1])
    plain = _interval(log_odds, Z_95 * math.sqrt(float(covariance[-1, -1])))
    if plain is None:
        return _slope(len(used), total, None, None, None, "the slope is too uncertain to be stated")
    moved = _Likelihood.of(used).scores(summit.place) @ covariance[:, -1]
    half, why = _clustered_half([dose.seed for dose in used], moved, len(summit.place))
    clustered = None if half is None else _interval(log_odds, half)
    if half is not None and clustered is None:
        why = "the interval clustered by seed is too wide to be stated"
    return _slope(len(used), total, math.exp(log_odds), plain, clustered, why)


def _clustered_half(seeds: Sequence[str], moved: Array, parameters: int) -> tuple[float | None, str]:
    """Half the width on the logarithm; ``moved`` says how far each answer moves the slope."""
    names, place = np.unique(np.asarray(seeds), return_inverse=True)
    clusters = len(names)
    if clusters <= parameters + 1:
        return None, f"{clusters} seeds, too few for an interval clustered by them"
    sums = np.bincount(place.reshape(-1), weights=moved)
    if np.abs(sums).max() <= ROUNDING * np.abs(moved).max():
        return None, "every seed has the same outcomes, so nothing says how far seeds differ"
    spread = math.sqrt(float((sums**2).sum()) * clusters / (clusters - 1))
    return t_quantile(clusters - 1) * spread, ""


def _interval(log_odds: float, half: float) -> Bounds | None:
    if abs(log_odds) + half > LARGEST_LOG:
        return None
    return (math.exp(log_odds - half), math.exp(log_odds + half))


def _slope(
    used: int, total: int, odds: float | None, ci: Bounds | None, clustered: Bounds | None, why: str
) -> Slope:
    return Slope(n=used, uninformative=total - used, odds_ratio=odds, ci=ci, cluster_ci=clustered, why=why)
