"""What ``salitrap analyze`` prints of the studies of items: short tables, the rest is in ``--json``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from salitrap.cli.rate_table import number, rate_span, rate_table

if TYPE_CHECKING:
    from exports.analysis.common_records import Bounds
    from exports.analysis.scale_records import Scale
    from exports.analysis.study_records import ArmStudies, Comparison, Overlap, Slope, Studies

MOST = 10
"""Pairs of models that a table shows."""

CAPTION = """\
Intervals of these studies are clustered by seed, unless there are few seeds.
Definitions and how to read them: docs/analyses.md; all figures: --json."""


def print_studies(console: Console, studies: Studies, width: int) -> None:
    """Print the tables of all studies that have something to show; nothing when none has."""
    tables = list(_tables(studies, width))
    if not tables:
        return
    console.print()
    for table, below in tables:
        console.print(table, width=width)
        if below:
            console.print(below, width=width)
            console.print()
    console.print(CAPTION, soft_wrap=True)


def _tables(studies: Studies, width: int) -> Iterator[tuple[Table, str]]:
    """Every table with the sentence below it."""
    from salitrap.records.label_row import CONTROL

    for arm, found in studies.by_arm.items():
        yield from _of_arm(found, "" if arm == CONTROL else f", arm {arm}", width)
    if any(row.pairs.n for row in studies.arms.rows):
        yield _arms(studies.arms.rows, width), ""


def _of_arm(found: ArmStudies, where: str, width: int) -> Iterator[tuple[Table, str]]:
    if not found.scale.why:
        yield _scale(found.scale, where, width), _about_scale(found)
    overlaps = [pair for pair in found.cofailure.pairs if pair.excess_ci]
    if overlaps:
        yield _overlaps(overlaps, where, width), _cut(len(overlaps), "the largest excess")
    compared = [row for row in found.comparisons.rows if row.pairs.n]
    if compared:
        yield _models(compared, where, width), _neighbours_told(len(compared))
    if any(density.overall.tar.n for density in found.density.values()):
        yield _density(found, where, width), ""
    if any(one.everything.n for one in found.solver_family.values()):
        yield _families(found, where, width), ""


def _scale(scale: Scale, where: str, width: int) -> Table:
    rows = [
        [
            one.model,
            str(one.n),
            str(one.unscored),
            _span(one.ability, one.cluster_ci or one.ci),
            f"{one.infit:.2f}",
            f"{one.outfit:.2f}",
        ]
        for one in sorted(scale.abilities, key=lambda one: (-one.ability, one.model))
    ]
    numbers = ["n", "unscored", "logits", "infit", "outfit"]
    return rate_table(f"Ability{where}", ["model"], numbers, rows, width)


def _about_scale(found: ArmStudies) -> str:
    """The items, the check of the whole, and naturalness where it is known."""
    scale, natural = found.scale, found.naturalness
    said = [
        f"{len(scale.difficulties)} items, their difficulties spread {_span(scale.spread, scale.spread_ci)}"
    ]
    tested = [pair for pair in scale.residuals if pair.z is not None and pair.p_holm is not None]
    if tested:
        worst = max(tested, key=lambda pair: abs(pair.z or 0))
        said.append(f"largest residual of a pair: {worst.first}, {worst.second}, p {_p(worst.p_holm)}")
    if natural.r is not None:
        span = _span(natural.r, natural.cluster_ci or natural.ci)
        said.append(f"naturalness against difficulty r = {span}, {natural.n} items")
    return "; ".join(said) + "."


def _overlaps(pairs: Sequence[Overlap], where: str, width: int) -> Table:
    ordered = sorted(pairs, key=lambda pair: (-(pair.excess or 0), pair.first, pair.second))
    rows = [
        [
            pair.first,
            pair.second,
            str(pair.n),
            number(pair.rate),
            number(pair.expected_rate),
            rate_span(pair.excess, pair.excess_cluster_ci or pair.excess_ci),
            number(pair.jaccard),
        ]
        for pair in ordered[:MOST]
    ]
    numbers = ["n", "both", "chance", "excess", "Jaccard"]
    return rate_table(f"Co-failure{where}", ["model", "and"], numbers, rows, width)


def _models(compared: Sequence[Comparison], where: str, width: int) -> Table:
    """Each model and the one that follows it in TAR."""
    shares = {row.first: row.pairs.first_rate or 0.0 for row in compared}
    shares.update({row.second: row.pairs.second_rate or 0.0 for row in compared})
    order = sorted(shares, key=lambda name: (-shares[name], name))
    following = {frozenset(pair) for pair in pairwise(order)}
    rows = [row for row in compared if frozenset((row.first, row.second)) in following]
    rows.sort(key=lambda row: min(order.index(row.first), order.index(row.second)))
    cells = [[row.second, row.first, *_pairs(row)] for row in rows]
    numbers = ["n", "unscored", "gain", "p"]
    return rate_table(f"Models compared{where}", ["model", "minus"], numbers, cells, width)


def _neighbours_told(pairs: int) -> str:
    return f"Neighbours in TAR of {pairs} pairs; p after Holm over all of them." if pairs > 1 else ""


def _arms(compared: Sequence[Comparison], width: int) -> Table:
    """Every arm of every model, with what it rescued and what went wrong only now."""
    rows = []
    for row in compared:
        n, unscored, gain, p = _pairs(row)
        rows.append([row.model, row.second, n, unscored, number(row.rescued), number(row.regressed), gain, p])
    numbers = ["n", "unscored", "rescued", "regressed", "gain", "p"]
    return rate_table("Arms against control", ["model", "arm"], numbers, rows, width)


def _pairs(row: Comparison) -> tuple[str, str, str, str]:
    """Pairs, unscored ones, gain in points, and p after Holm's correction."""
    gain = rate_span(row.gain, row.gain_cluster_ci or row.gain_ci)
    return str(row.pairs.n), str(row.pairs.unscored), gain, _p(row.pairs.p_holm)


def _density(found: ArmStudies, where: str, width: int) -> Table:
    rows = [
        [model, str(one.overall.tar.n), *map(_odds, (one.overall.tar, one.adjusted_tar, one.adjusted_cot))]
        for model, one in found.density.items()
    ]
    numbers = ["n", "Pass", "adjusted", "CoT, adjusted"]
    return rate_table(f"Odds ratio for one number more{where}", ["model"], numbers, rows, width)


def _families(found: ArmStudies, where: str, width: int) -> Table:
    rows = [
        [
            model,
            str(one.everything.n),
            rate_span(one.everything.rate, one.everything.cluster_ci or one.everything.ci),
            str(one.without_own.n),
            rate_span(one.without_own.rate, one.without_own.cluster_ci or one.without_own.ci),
        ]
        for model, one in found.solver_family.items()
    ]
    numbers = ["n", "TAR", "n", "without"]
    return rate_table(f"TAR without items of the own solver family{where}", ["model"], numbers, rows, width)


def _cut(there: int, kept: str) -> str:
    return f"{MOST} of {there} pairs, those with {kept}." if there > MOST else ""


def _odds(slope: Slope) -> str:
    return _span(slope.odds_ratio, slope.cluster_ci or slope.ci)


def _span(value: float | None, bounds: Bounds | None) -> str:
    """Two decimals, with the interval where there is one."""
    if value is None:
        return "-"
    return f"{value:.2f}" + ("" if bounds is None else f" [{bounds[0]:.2f}, {bounds[1]:.2f}]")


def _p(value: float | None) -> str:
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"
