"""Abilities and difficulties on one scale, with errors, fit, and a reason where there are none."""

from __future__ import annotations

import numpy as np

from exports.analysis.common_records import Bounds
from exports.analysis.intervals import t_quantile
from exports.analysis.scale_records import Ability, Difficulty, Scale
from exports.analysis.studies.irt.fit import mean_squares, residuals_of
from exports.analysis.studies.irt.items import Items, items_of
from exports.analysis.studies.irt.marginal import Squares, posterior_of
from exports.analysis.studies.irt.responses import Responses
from exports.analysis.studies.newton import Array, climb
from salitrap.wilson import Z_95

FEWEST_ITEMS = 10


def scale_of(responses: Responses) -> Scale:
    """Return the scale; no result depends on the order of models and items."""
    why = _too_little(responses)
    if why:
        return _none(responses, why)
    posterior = posterior_of(responses)
    summit = climb(posterior.height_at, posterior.start)
    if summit is None:
        return _none(responses, "the search for the most likely abilities came to no end")
    covariance: Array = np.asarray(np.linalg.inv(summit.height.information), dtype=np.float64)
    clustered = _clustered(covariance, posterior.item_scores(summit.place), responses.seeds)
    spread = float(np.exp(summit.place[-1]))
    items = items_of(responses, summit.place[:-1], spread)
    squares = posterior.squares(summit.place)
    whole = mean_squares(squares, responses.answers, None)
    return Scale(
        answers=int(responses.answers.sum()),
        abilities=_abilities(responses, summit.place, squares, covariance, clustered),
        difficulties=_difficulties(responses, items, squares),
        spread=spread,
        spread_ci=_spread_interval(float(summit.place[-1]), float(covariance[-1, -1])),
        infit=float(whole.infit),
        outfit=float(whole.outfit),
        residuals=residuals_of(responses, summit.place),
    )


def _too_little(responses: Responses) -> str:
    if len(responses.models) < 2:
        return f"{len(responses.models)} models with a scored answer; a scale takes two"
    if len(responses.items) < FEWEST_ITEMS:
        return f"{len(responses.items)} items with a scored answer; a scale takes {FEWEST_ITEMS}"
    passes = responses.passes.sum()
    if passes in (0, responses.answers.sum()):
        return f"{'every' if passes else 'no'} answer is a Pass, so nothing tells models or items apart"
    return ""


def _none(responses: Responses, why: str) -> Scale:
    return Scale(
        answers=int(responses.answers.sum()),
        abilities=(),
        difficulties=(),
        spread=None,
        spread_ci=None,
        infit=None,
        outfit=None,
        residuals=(),
        why=why,
    )


def _abilities(
    responses: Responses, place: Array, fit: Squares, covariance: Array, clustered: Array | None
) -> tuple[Ability, ...]:
    squares = mean_squares(fit, responses.answers, 0)
    errors = np.sqrt(np.diag(covariance))
    wide = None if clustered is None else np.sqrt(np.diag(clustered)) * _quantile(responses)
    return tuple(
        Ability(
            model=model,
            n=int(responses.answers[:, at].sum()),
            passes=int(responses.passes[:, at].sum()),
            unscored=responses.unscored[at],
            ability=float(place[at]),
            se=float(errors[at]),
            ci=_around(place[at], Z_95 * errors[at]),
            cluster_ci=None if wide is None else _around(place[at], wide[at]),
            infit=float(squares.infit[at]),
            outfit=float(squares.outfit[at]),
            why="too few seeds for an interval clustered by them" if wide is None else "",
        )
        for at, model in enumerate(responses.models)
    )


def _difficulties(responses: Responses, items: Items, fit: Squares) -> tuple[Difficulty, ...]:
    squares = mean_squares(fit, responses.answers, 1)
    return tuple(
        Difficulty(
            item_id=item,
            n=int(responses.answers[at].sum()),
            passes=int(responses.passes[at].sum()),
            difficulty=float(items.difficulties[at]),
            se=float(items.errors[at]),
            ci=_around(items.difficulties[at], Z_95 * items.errors[at]),
            infit=float(squares.infit[at]),
            outfit=float(squares.outfit[at]),
        )
        for at, item in enumerate(responses.items)
    )


def _clustered(covariance: Array, scores: Array, seeds: tuple[str, ...]) -> Array | None:
    """The cluster-robust covariance; None unless there are more seeds than parameters."""
    names, place = np.unique(np.asarray(seeds), return_inverse=True)
    clusters = len(names)
    if clusters <= len(covariance) + 1:
        return None
    sums = np.zeros((clusters, len(covariance)))
    np.add.at(sums, place.reshape(-1), scores)
    return np.asarray(covariance @ (sums.T @ sums) @ covariance * clusters / (clusters - 1))


def _quantile(responses: Responses) -> float:
    return t_quantile(len(set(responses.seeds)) - 1)


def _around(middle: float, half: float) -> Bounds:
    return (float(middle - half), float(middle + half))


def _spread_interval(log_spread: float, variance: float) -> Bounds:
    half = Z_95 * float(np.sqrt(variance))
    return (float(np.exp(log_spread - half)), float(np.exp(log_spread + half)))
