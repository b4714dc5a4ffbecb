"""What ``salitrap analyze`` prints of the studies of items: short tables, the rest is in ``--json``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from salitrap.cli.rate_table import number, rate_span, rate_table
from salitrap.records.label_row import CONTROL

if TYPE_CHECKING:
    from exports.analysis.common_records import Bounds
    from exports.analysis.scale_records import Scale
    from exports.analysis.study_records import ArmStudies, Comparison, Overlap, Slope, Studies

MOST = 10
"""Pairs of models that a table shows."""

CAPTION = """\
Intervals in the tables above are clustered by seed where there is more than one.
Definitions and how to read them: docs/analyses.md; all figures: --json."""


def print_studies(console: Console, studies: Studies, width: int) -> None:
    """Print the tables of all studies that have something to show; nothing when none has."""
    any_there = False
    for arm, found in studies.by_arm.items():
        where = "" if arm == CONTROL else f", arm {arm}"
        for table, below in _of_arm(found, where, width):
            _print(console, table, below, width)
            any_there = True
    if any(row.pairs.n for row in studies.arms.rows):
        _print(console, _arms(studies.arms.rows, width), "", width)
        any_there = True
    if any_there:
        console.print(CAPTION, soft_wrap=True)


def _print(console: Console, table: Table, below: str, width: int) -> None:
    console.print()
    console.print(table, width=width)
    if below:
        console.print(below, width=width)


def _of_arm(found: ArmStudies, where: str, width: int) -> Iterator[tuple[Table, str]]:
    if not found.scale.why:
        yield _scale(found.scale, where, width), _about_scale(found)
    overlaps = [pair for pair in found.cofailure.pairs if pair.n]
    if overlaps:
        yield _overlaps(overlaps, where, width), _cut(len(overlaps), "the largest excess")
    compared = [row for row in found.comparisons.rows if row.pairs.n]
    if compared:
        yield _models(compared, where, width), _cut(len(compared), "the smallest p")
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
    ordered = sorted(compared, key=lambda row: (_rank(row), row.first, row.second))
    rows = [[row.second, row.first, *_pairs(row)] for row in ordered[:MOST]]
    return rate_table(f"Models compared{where}", ["model", "minus"], _PAIRED, rows, width)


def _arms(compared: Sequence[Comparison], width: int) -> Table:
    rows = [[row.model, row.second, *_pairs(row)] for row in compared if row.pairs.n]
    return rate_table("Arms against control", ["model", "arm"], _PAIRED, rows, width)


_PAIRED = ["n", "unscored", "p01", "p10", "gain", "p"]


def _pairs(row: Comparison) -> list[str]:
    gain = rate_span(row.gain, row.gain_cluster_ci or row.gain_ci)
    shares = (number(row.p01), number(row.p10))
    return [str(row.pairs.n), str(row.pairs.unscored), *shares, gain, _p(row.pairs.p_holm)]


def _rank(row: Comparison) -> float:
    return 2.0 if row.pairs.p_holm is None else row.pairs.p_holm


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
