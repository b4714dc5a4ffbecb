"""Shares, means and paired comparisons, as items and dialogues have them alike; per cent, unrounded."""

from __future__ import annotations

from salitrap.records.base import Record

Bounds = tuple[float, float]
"""Low and high, in the unit of the figure."""


class Share(Record):
    """``hits`` of ``n`` in per cent, with the 95 % Wilson interval and the one clustered by seed.

    ``unscored`` are left out of ``n``; above 1 % of them ``bounds`` says how low or high the rate could be.
    """

    hits: int
    n: int
    unscored: int
    rate: float | None
    ci: Bounds | None
    cluster_ci: Bounds | None
    bounds: Bounds | None
    why: str = ""


class Mean(Record):
    """A mean over ``n`` plays with its 95 % interval clustered by seed (None below two seeds)."""

    n: int
    value: float | None
    cluster_ci: Bounds | None
    why: str = ""


class Paired(Record):
    """Two outcomes of the same units: dialogues, or items.

    ``difference`` is the first rate minus the second, in points.
    ``p`` is McNemar's exact test over ``tested`` units that lean to one side, two-sided; with one repeat
    that is ``first_only`` + ``second_only``. ``p_holm`` is p after Holm's correction within its family.
    ``unpaired`` outcomes have no counterpart, ``unscored`` pairs lack an outcome.
    """

    n: int
    both: int
    first_only: int
    second_only: int
    neither: int
    unpaired: int
    unscored: int
    first_rate: float | None
    second_rate: float | None
    difference: float | None
    ci: Bounds | None
    cluster_ci: Bounds | None
    bounds: Bounds | None
    tested: int
    p: float | None
    p_holm: float | None = None
    why: str = ""
