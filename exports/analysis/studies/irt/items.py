"""Difficulty of each item when the abilities and the spread are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from exports.analysis.studies.irt.responses import Responses
from exports.analysis.studies.newton import Array

STEPS = 200
LONGEST = 2.0
"""Logits of one step, so that none leads beyond where the curve is flat."""


class Items(NamedTuple):
    """Most likely difficulty and standard error of each item."""

    difficulties: Array
    errors: Array


def items_of(responses: Responses, abilities: Array, spread: float) -> Items:
    """Return the modes of the posterior and the errors from its curvature."""
    places = np.zeros(len(responses.items))
    for _ in range(STEPS):
        chances, information = _at(places, responses, abilities, spread)
        gradient = (responses.answers * chances - responses.passes).sum(axis=1) - places / spread**2
        step = np.clip(gradient / information, -LONGEST, LONGEST)
        places = places + step
        if np.abs(step).max() < 1e-11:
            break
    _, information = _at(places, responses, abilities, spread)
    return Items(places, 1 / np.sqrt(information))


def _at(places: Array, responses: Responses, abilities: Array, spread: float) -> tuple[Array, Array]:
    chances = 1 / (1 + np.exp(places[:, None] - abilities))
    information = (responses.answers * chances * (1 - chances)).sum(axis=1) + spread**-2
    return chances, information
