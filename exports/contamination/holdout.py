"""Scores on the public part beside scores on the private holdout.

Families never lie in both, so the two rates are independent. Each has the cluster-robust variance of a mean
over seed families, with the factor G / (G - 1); the difference is normal with the sum of both, and its p
value is corrected over the models by Holm. A gap can also come from families that happen to be easier: it is
a reason to look, not a proof.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from exports.analysis.paired import holm
from exports.analysis.records import LabelChoice
from salitrap.errors import InputError
from salitrap.records import Label, LabelRow, LabelStatus
from salitrap.records.base import Record
from salitrap.wilson import Z_95

FEWEST_FAMILIES = 2


class HoldoutGap(Record):
    """TAR in per cent on both parts, their difference (public minus holdout) with a 95 % interval, and p.

    None where a part has fewer than two families, or no family differs from another.
    """

    model: str
    public: float
    holdout: float
    gap: float
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    public_answers: int
    holdout_answers: int


def holdout_gaps(public: Sequence[LabelRow], holdout: Sequence[LabelRow]) -> tuple[HoldoutGap, ...]:
    """Compare every model that has answers with a label on both.

    Raises:
        InputError: a family is in both, or no model is.
    """
    shared = {row.seed_id for row in public} & {row.seed_id for row in holdout}
    if shared:
        raise InputError(
            f"{len(shared)} seed families are in both label files, the first {min(shared)}: a holdout has "
            "families of its own; check the files"
        )
    first, second = _scored(public), _scored(holdout)
    models = sorted(set(first) & set(second))
    if not models:
        raise InputError("no model has labelled answers in both files; evaluate the same models on both")
    gaps = [_gap(model, first[model], second[model]) for model in models]
    corrected = holm([gap.p for gap in gaps])
    return tuple(gap.model_copy(update={"p_holm": p}) for gap, p in zip(gaps, corrected, strict=True))


def _scored(rows: Sequence[LabelRow]) -> dict[str, list[LabelRow]]:
    found = defaultdict[str, list[LabelRow]](list)
    for row in rows:
        if row.status is LabelStatus.OK:
            found[row.model].append(row)
    return found


def _gap(model: str, public: list[LabelRow], holdout: list[LabelRow]) -> HoldoutGap:
    (one, one_variance), (other, other_variance) = _rate(public), _rate(holdout)
    gap, low, high, p = one - other, None, None, None
    if one_variance is not None and other_variance is not None and one_variance + other_variance > 0:
        error = math.sqrt(one_variance + other_variance)
        low, high = 100 * (gap - Z_95 * error), 100 * (gap + Z_95 * error)
        p = math.erfc(abs(gap) / error / math.sqrt(2))
    return HoldoutGap(
        model=model,
        public=100 * one,
        holdout=100 * other,
        gap=100 * gap,
        low=low,
        high=high,
        p=p,
        p_holm=None,
        public_answers=len(public),
        holdout_answers=len(holdout),
    )


def _rate(rows: list[LabelRow]) -> tuple[float, float | None]:
    """TAR and its variance over families; None with fewer than two."""
    families = defaultdict[str, list[bool]](list)
    for row in rows:
        families[row.seed_id].append(LabelChoice.VISIBLE.of(row) is Label.PASS)
    total = len(rows)
    share = sum(map(sum, families.values())) / total
    if len(families) < FEWEST_FAMILIES:
        return share, None
    spread = sum((sum(hits) - share * len(hits)) ** 2 for hits in families.values())
    return share, len(families) / (len(families) - 1) * spread / total**2
