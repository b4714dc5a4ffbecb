"""Models and items on one scale, in logits (natural logarithm of the odds), unrounded; intervals are 95 %."""

from __future__ import annotations

from exports.analysis.common_records import Bounds
from salitrap.records.base import Record


class Ability(Record):
    """Log odds of a model to pass an item of mean difficulty. ``n`` answers, of which ``passes`` are Pass.

    ``cluster_ci`` is clustered by seed. ``infit`` and ``outfit`` are mean squares, 1 when the model fits.
    """

    model: str
    n: int
    passes: int
    unscored: int
    ability: float
    se: float
    ci: Bounds
    cluster_ci: Bounds | None
    infit: float
    outfit: float
    why: str = ""


class Difficulty(Record):
    """Difficulty of an item, on the scale of the abilities; the models' abilities are taken for known."""

    item_id: str
    n: int
    passes: int
    difficulty: float
    se: float
    ci: Bounds
    infit: float
    outfit: float


class PairResidual(Record):
    """Items that both models pass, observed and as the scale expects it, in per cent of ``n`` items.

    ``z`` is the difference over its standard error (None when it has none); ``p_holm`` is corrected over all
    pairs of models.
    """

    first: str
    second: str
    n: int
    observed: float | None
    expected: float | None
    z: float | None
    p_holm: float | None
    why: str = ""


class Scale(Record):
    """One scale for models and items: P(Pass) = 1 / (1 + exp(difficulty - ability)).

    ``spread`` is the standard deviation of the difficulties, estimated with the abilities. ``infit`` and
    ``outfit`` are over all answers, ``residuals`` over all pairs of models: the check of the whole.
    """

    answers: int
    abilities: tuple[Ability, ...]
    difficulties: tuple[Difficulty, ...]
    spread: float | None
    spread_ci: Bounds | None
    infit: float | None
    outfit: float | None
    residuals: tuple[PairResidual, ...]
    why: str = ""
