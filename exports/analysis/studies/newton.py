"""Newton's method for concave functions of a few parameters, with halved steps; always the same result."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEPS = 100
HALVINGS = 40
LONGEST = 5.0
"""Largest change of a parameter in one step: logits, and logarithms of a spread, need no more."""

DONE = 1e-16
"""Expected gain of a step, relative to the value, at which it is the last."""


class Height(NamedTuple):
    """Value, gradient and observed information (the negative Hessian) at one place."""

    value: float
    gradient: Array
    information: Array


class Summit(NamedTuple):
    """Where the function is largest, and what it is like there."""

    place: Array
    height: Height


def climb(height_at: Callable[[Array], Height], start: Array) -> Summit | None:
    """Return the maximum; None when the steps do not come to an end."""
    place, height = start, height_at(start)
    for _ in range(STEPS):
        step = _uphill(height)
        if step @ height.gradient <= DONE * (1 + abs(height.value)):
            return Summit(place, height)
        found = _best_step(height_at, place, height, step)
        if found is None:
            return Summit(place, height)
        place, height = found
    return None


def _uphill(height: Height) -> Array:
    """Newton's step, parameters brought to one scale; with a ridge where the function is not concave."""
    diagonal = np.diag(height.information)
    unit = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = height.information / np.outer(unit, unit)
    ridge = 0.0
    while True:
        information = scaled + ridge * np.eye(len(unit))
        if np.linalg.eigvalsh(information)[0] > 0:
            return np.asarray(np.linalg.solve(information, height.gradient / unit) / unit)
        ridge = max(2 * ridge, 1e-3 * float(np.abs(scaled).max()))


def _best_step(
    height_at: Callable[[Array], Height], place: Array, height: Height, step: Array
) -> Summit | None:
    """The longest of the step and its halves that leads up; None: rounding is all that is left."""
    first = step * min(1.0, LONGEST / max(float(np.abs(step).max()), LONGEST))
    for halving in range(HALVINGS):
        there = place + first / 2**halving
        found = height_at(there)
        if found.value > height.value:
            return Summit(there, found)
    return None
