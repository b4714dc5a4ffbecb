"""Posterior of the abilities and of the spread of the difficulties, the difficulties integrated out.

P(Pass) = 1 / (1 + exp(b - a)) for a model of ability a and an item of difficulty b. The difficulties are
normal with mean 0, which fixes the scale, and standard deviation s. Priors: a is normal with mean 0 and
standard deviation 3; log s is normal with mean 0 and standard deviation 1. The integral is a sum over an
even grid, which is exact to rounding as long as a step is not wider than what the answers leave open.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from exports.analysis.studies.irt.responses import Responses
from exports.analysis.studies.newton import Array, Height

ABILITY_SD = 3.0
LOG_SPREAD_SD = 1.0

GRID = np.linspace(-6, 6, 121)
"""Difficulties, in units of their spread."""


def _log_weights() -> Array:
    density = -(GRID**2) / 2
    return np.asarray(density - np.log(np.exp(density).sum()))


def _logits(place: Array) -> Array:
    """Logit of a pass (models, grid)."""
    return np.asarray(place[:-1, None] - np.exp(place[-1]) * GRID)


def _variance(logits: Array) -> Array:
    """P (1 - P), above 0 where 1 - P itself would be rounded away."""
    return np.asarray(np.exp(-np.logaddexp(0, logits) - np.logaddexp(0, -logits)))


def _averaged(shares: Array, values: Array) -> Array:
    """Mean over the grid: (patterns, grid) and (patterns, grid, k) give (patterns, k)."""
    return np.asarray(np.matmul(shares[:, None, :], values)[:, 0, :])


class Squares(NamedTuple):
    """Of each item and model: squared residual, what is expected of it, and the mean of their ratios."""

    squared: Array
    expected: Array
    ratio: Array


@dataclass(frozen=True)
class Posterior:
    """The posterior given the answers; items answered alike are reckoned once, ``weight`` times.

    The parameters are the abilities and, last, the logarithm of the spread.
    """

    passes: Array
    answers: Array
    weight: Array
    pattern_of: np.ndarray

    @cached_property
    def start(self) -> Array:
        """Log odds of each model, with half an answer more on either side; a spread of 1."""
        passes, answers = self.weight @ self.passes, self.weight @ self.answers
        return np.append(np.log((passes + 0.5) / (answers - passes + 0.5)), 0.0)

    def height_at(self, place: Array) -> Height:
        """Log posterior, gradient and observed information."""
        chances, shares, log_of_each = self._shares(place)
        scores = self._scores(place, chances)
        mean_scores = _averaged(shares, scores)
        gradient = self.weight @ mean_scores
        information = self._expected_information(place, chances, shares, gradient[-1])
        information -= self._spread_of_scores(shares, scores, mean_scores)
        precision = self._precision
        value = self.weight @ log_of_each - (precision * place**2).sum() / 2
        return Height(float(value), gradient - precision * place, information + np.diag(precision))

    def item_scores(self, place: Array) -> Array:
        """Gradient of the log likelihood of each item, without the priors."""
        chances, shares, _ = self._shares(place)
        return np.asarray(_averaged(shares, self._scores(place, chances))[self.pattern_of])

    def squares(self, place: Array) -> Squares:
        """Squared residuals over the posterior of each item's difficulty (items, models)."""
        chances, shares, _ = self._shares(place)
        squared = self._scores(place, chances)[:, :, :-1] ** 2
        variance = _variance(_logits(place)).T
        expected = self.answers * (shares @ variance)
        each = np.maximum(self.answers, 1)
        ratio = _averaged(shares, squared / variance) / each
        found = (_averaged(shares, squared), expected, ratio)
        return Squares(*(table[self.pattern_of] for table in found))

    @property
    def _precision(self) -> Array:
        return np.append(np.full(self.passes.shape[1], ABILITY_SD**-2), LOG_SPREAD_SD**-2)

    def _shares(self, place: Array) -> tuple[Array, Array, Array]:
        """Chance of a pass (models, grid); posterior of the grid and log likelihood of each pattern."""
        logits = _logits(place)
        log_pass, log_fail = -np.logaddexp(0, -logits), -np.logaddexp(0, logits)
        joint = self.passes @ log_pass + (self.answers - self.passes) @ log_fail + _log_weights()
        largest = joint.max(axis=1, keepdims=True)
        total = largest + np.log(np.exp(joint - largest).sum(axis=1, keepdims=True))
        return np.exp(log_pass), np.exp(joint - total), total[:, 0]

    def _scores(self, place: Array, chances: Array) -> Array:
        """Gradient at each point of the grid: patterns, grid, parameters."""
        abilities = self.passes[:, None, :] - self.answers[:, None, :] * chances.T[None]
        spread = -np.exp(place[-1]) * GRID * abilities.sum(axis=2)
        return np.concatenate([abilities, spread[:, :, None]], axis=2)

    def _expected_information(self, place: Array, chances: Array, shares: Array, spread: float) -> Array:
        """Minus the second derivatives, averaged over the grid; ``spread`` is the gradient there."""
        counts = self.answers.T @ (self.weight[:, None] * shares)
        variance, slope = counts * chances * (1 - chances), -np.exp(place[-1]) * GRID
        information = np.diag(np.append(variance.sum(axis=1), (variance * slope**2).sum() - spread))
        information[-1, :-1] = information[:-1, -1] = (variance * slope).sum(axis=1)
        return information

    def _spread_of_scores(self, shares: Array, scores: Array, mean_scores: Array) -> Array:
        """What is not known of the difficulties takes from the information."""
        patterns, points, parameters = scores.shape
        flat = scores.reshape(patterns * points, parameters)
        weights = (self.weight[:, None] * shares).reshape(-1, 1)
        return np.asarray(flat.T @ (weights * flat) - mean_scores.T @ (self.weight[:, None] * mean_scores))


def posterior_of(responses: Responses) -> Posterior:
    """Put items with equal answers together."""
    both = np.hstack([responses.passes, responses.answers])
    patterns, inverse, weight = np.unique(both, axis=0, return_inverse=True, return_counts=True)
    models = len(responses.models)
    return Posterior(patterns[:, :models], patterns[:, models:], weight.astype(float), inverse.reshape(-1))
