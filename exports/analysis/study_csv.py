"""The studies as tables: columns and lines of each file. Empty cells where a figure is undefined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from exports.analysis.common_records import Bounds, Share
from exports.analysis.study_records import Comparison, DensityGroup, Slope, Studies

ABILITIES, DIFFICULTIES, COFAILURE = "abilities.csv", "difficulties.csv", "cofailure.csv"
COMPARISONS, DENSITY, SLOPES = "comparisons.csv", "density.csv", "slopes.csv"

_ERRORS = ("se", "low", "high")
_CLUSTER = ("cluster_low", "cluster_high")

COLUMNS: dict[str, tuple[str, ...]] = {
    ABILITIES: (
        *("arm", "model", "n", "unscored", "passes", "ability"),
        *(*_ERRORS, *_CLUSTER, "infit", "outfit"),
    ),
    DIFFICULTIES: ("arm", "item_id", "n", "passes", "difficulty", *_ERRORS, "infit", "outfit"),
    COFAILURE: (
        *("arm", "first", "second", "n", "unscored", "first_fails", "second_fails", "both_fail"),
        *("rate", "expected_rate", "excess", "excess_low", "excess_high"),
        *("excess_cluster_low", "excess_cluster_high", "jaccard", "expected_jaccard", "excess_jaccard"),
        *("excess_jaccard_low", "excess_jaccard_high"),
        *("excess_jaccard_cluster_low", "excess_jaccard_cluster_high"),
    ),
    COMPARISONS: (
        *("arm", "model", "first", "second", "n", "unscored", "unpaired", "p11", "p10", "p01", "p00"),
        *("gain", "low", "high", *_CLUSTER, "p", "p_holm"),
    ),
    DENSITY: (
        *("arm", "model", "dimension", "numbers", "n", "unscored", "tar", "tar_low", "tar_high"),
        *("cot", "cot_low", "cot_high"),
    ),
    SLOPES: (
        *("arm", "model", "dimension", "adjusted", "outcome", "n", "uninformative"),
        *("odds_ratio", "low", "high", *_CLUSTER),
    ),
}
"""First line of each file."""

Line = list[object]


def study_lines(studies: Studies) -> dict[str, Iterable[Line]]:
    """Return the lines of every table by the name of its file; dimension is empty for all together."""
    return {
        ABILITIES: _abilities(studies),
        DIFFICULTIES: _difficulties(studies),
        COFAILURE: _cofailure(studies),
        COMPARISONS: _comparisons(studies),
        DENSITY: _density(studies),
        SLOPES: _slopes(studies),
    }


def _abilities(studies: Studies) -> Iterator[Line]:
    for arm, found in studies.by_arm.items():
        for one in found.scale.abilities:
            counts = (one.model, one.n, one.unscored, one.passes)
            spans = (*one.ci, *_ends(one.cluster_ci))
            yield [arm, *counts, one.ability, one.se, *spans, one.infit, one.outfit]


def _difficulties(studies: Studies) -> Iterator[Line]:
    for arm, found in studies.by_arm.items():
        for one in found.scale.difficulties:
            counts = (one.item_id, one.n, one.passes)
            yield [arm, *counts, one.difficulty, one.se, *one.ci, one.infit, one.outfit]


def _cofailure(studies: Studies) -> Iterator[Line]:
    for arm, found in studies.by_arm.items():
        for one in found.cofailure.pairs:
            counts = (one.n, one.unscored, one.first_fails, one.second_fails, one.both_fail)
            rates = (one.rate, one.expected_rate, one.excess)
            jaccards = (one.jaccard, one.expected_jaccard, one.excess_jaccard)
            spans = (*_ends(one.excess_ci), *_ends(one.excess_cluster_ci))
            others = (*_ends(one.excess_jaccard_ci), *_ends(one.excess_jaccard_cluster_ci))
            yield [arm, one.first, one.second, *counts, *rates, *spans, *jaccards, *others]


def _comparisons(studies: Studies) -> Iterator[Line]:
    """Models within each arm (model empty), then arms of each model against control (arm empty)."""
    for arm, found in studies.by_arm.items():
        yield from _compared(arm, found.comparisons.rows)
    yield from _compared("", studies.arms.rows)


def _compared(arm: str, rows: Sequence[Comparison]) -> Iterator[Line]:
    for row in rows:
        counts = (row.pairs.n, row.pairs.unscored, row.pairs.unpaired)
        shares = (row.p11, row.p10, row.p01, row.p00, row.gain)
        spans = (*_ends(row.gain_ci), *_ends(row.gain_cluster_ci))
        named = (row.model, row.first, row.second)
        yield [arm, *named, *counts, *shares, *spans, row.pairs.p, row.pairs.p_holm]


def _density(studies: Studies) -> Iterator[Line]:
    for arm, model, dimension, group in _groups(studies):
        for point in group.points:
            named = (arm, model, dimension, point.numbers)
            yield [*named, point.tar.n, point.tar.unscored, *_rate(point.tar), *_rate(point.cot)]


def _slopes(studies: Studies) -> Iterator[Line]:
    for arm, model, dimension, group in _groups(studies):
        yield from _pair([arm, model, dimension, False], group.tar, group.cot)
    for arm, found in studies.by_arm.items():
        for model, one in found.density.items():
            yield from _pair([arm, model, "", True], one.adjusted_tar, one.adjusted_cot)


def _groups(studies: Studies) -> Iterator[tuple[str, str, str, DensityGroup]]:
    for arm, found in studies.by_arm.items():
        for model, one in found.density.items():
            yield arm, model, "", one.overall
            for dimension, group in one.dimensions.items():
                yield arm, model, dimension, group


def _pair(named: Line, tar: Slope, cot: Slope) -> Iterator[Line]:
    for outcome, slope in (("Pass", tar), ("CoT Hijacked", cot)):
        spans = (*_ends(slope.ci), *_ends(slope.cluster_ci))
        yield [*named, outcome, slope.n, slope.uninformative, slope.odds_ratio, *spans]


def _rate(share: Share) -> tuple[float | None, ...]:
    return (share.rate, *_ends(share.ci))


def _ends(bounds: Bounds | None) -> tuple[float | None, float | None]:
    return (None, None) if bounds is None else bounds
