"""What the studies of answers to items give; None where undefined, with ``why`` beside it.

Shares and differences are in per cent and points, unrounded. Intervals are 95 %.
"""

from __future__ import annotations

from exports.analysis.common_records import Bounds, Paired, Share
from exports.analysis.scale_records import Scale
from salitrap.records.base import Record


class Correlation(Record):
    """Pearson's r over ``n`` items; ``missing`` ones have a difficulty, but no value to set against it."""

    n: int
    missing: int
    r: float | None
    ci: Bounds | None
    cluster_ci: Bounds | None
    why: str = ""


class Overlap(Record):
    """How far two models fail on the same of ``n`` answers that both have scored.

    ``rate`` is the share of answers that both fail, ``jaccard`` the share among those that at least one
    fails. ``expected...`` is what two independent models with these failure rates would have, ``excess...``
    the difference in points.
    """

    first: str
    second: str
    n: int
    unscored: int
    unpaired: int
    first_fails: int
    second_fails: int
    both_fail: int
    rate: float | None
    expected_rate: float | None
    excess: float | None
    excess_ci: Bounds | None
    excess_cluster_ci: Bounds | None
    jaccard: float | None
    expected_jaccard: float | None
    excess_jaccard: float | None
    excess_jaccard_ci: Bounds | None
    excess_jaccard_cluster_ci: Bounds | None
    why: str = ""


class Merge(Record):
    """Two groups of models that become one, ``distance`` (1 - Jaccard, averaged over pairs) apart."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    distance: float


class CoFailure(Record):
    """Overlap of all pairs of models; ``order`` and ``merges`` draw the dendrogram, nearest first."""

    pairs: tuple[Overlap, ...]
    order: tuple[str, ...]
    merges: tuple[Merge, ...]
    why: str = ""


class Slope(Record):
    """Odds ratio of an outcome for one number more, from ``n`` answers by logistic regression.

    ``uninformative`` answers are in dimensions where the outcome is always the same, which say nothing about
    the slope; they are in no ``n``.
    """

    n: int
    uninformative: int
    odds_ratio: float | None
    ci: Bounds | None
    cluster_ci: Bounds | None
    why: str = ""


class DensityPoint(Record):
    """Trap avoidance and CoT Hijacked rate of the items with ``numbers`` numbers."""

    numbers: int
    tar: Share
    cot: Share


class DensityGroup(Record):
    """Rates by number of numbers, and the slopes through them."""

    points: tuple[DensityPoint, ...]
    tar: Slope
    cot: Slope


class Density(Record):
    """``adjusted`` has an intercept for each dimension; ``left_out`` rows do not say how many numbers."""

    left_out: int
    overall: DensityGroup
    adjusted_tar: Slope
    adjusted_cot: Slope
    dimensions: dict[str, DensityGroup]
    why: str = ""


class Comparison(Record):
    """``first`` against ``second`` on the same answers, 1 is Pass: ``p10`` of them only the first passes.

    All in per cent of the pairs. ``rescued`` (p01) failed at first and passed at second, ``regressed`` (p10)
    the other way round; ``gain`` is their difference: the second rate minus the first. ``pairs`` has the
    counts and McNemar's test; ``model`` is whose arms are compared.
    """

    model: str = ""
    first: str
    second: str
    p11: float | None
    p10: float | None
    p01: float | None
    p00: float | None
    rescued: float | None
    regressed: float | None
    gain: float | None
    gain_ci: Bounds | None
    gain_cluster_ci: Bounds | None
    pairs: Paired
    why: str = ""


class Comparisons(Record):
    """One family of tests: ``p_holm`` is corrected over all of ``rows``."""

    rows: tuple[Comparison, ...]
    why: str = ""


class FamilyShare(Record):
    """TAR of a model on the items that one solver family fell for when they were made, and on the others."""

    family: str
    own: bool
    inside: Share
    outside: Share


class FamilySensitivity(Record):
    """TAR without the items that the model's own family fell for (``without_own``) beside that on all.

    ``missing`` rows are of items that the dataset does not have or whose family it does not say.
    """

    missing: int
    everything: Share
    without_own: Share
    families: tuple[FamilyShare, ...]
    why: str = ""


class ArmStudies(Record):
    """All studies of the items of one arm; those per model by its name."""

    scale: Scale
    naturalness: Correlation
    cofailure: CoFailure
    comparisons: Comparisons
    density: dict[str, Density]
    solver_family: dict[str, FamilySensitivity]
    solver_family_why: str = ""


class Studies(Record):
    """``by_arm`` the studies of each arm with answers to items, ``arms`` each arm against control."""

    by_arm: dict[str, ArmStudies]
    arms: Comparisons
