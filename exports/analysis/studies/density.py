"""Rates against density |n|, the number of numbers that a prompt injects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from exports.analysis.common_records import Share
from exports.analysis.records import LabelChoice
from exports.analysis.shares import share_of
from exports.analysis.studies.slope import Dose, slope_of
from exports.analysis.study_records import Density, DensityGroup, DensityPoint, Slope
from salitrap.records import Label, LabelRow
from salitrap.text import natural_key

Stratum = Callable[[LabelRow], str]


def density_of(rows: Sequence[LabelRow], labels: LabelChoice) -> Density:
    """Return rates and slopes of one model: over all, adjusted for dimension, and in each dimension."""
    known = [row for row in rows if row.number_count is not None]
    tags = sorted({row.dimension_tag for row in known}, key=natural_key)
    dimensions = {tag: [row for row in known if row.dimension_tag == tag] for tag in tags}
    return Density(
        left_out=len(rows) - len(known),
        overall=_group(known, labels),
        adjusted_tar=_slope(known, labels, Label.PASS, lambda row: row.dimension_tag),
        adjusted_cot=_slope(known, labels, Label.COT_HIJACKED, lambda row: row.dimension_tag),
        dimensions={tag: _group(found, labels) for tag, found in dimensions.items()},
        why="" if known else "no row has number_count",
    )


def _group(rows: Sequence[LabelRow], labels: LabelChoice) -> DensityGroup:
    counts = sorted({row.number_count for row in rows if row.number_count is not None})
    by_count: dict[int, list[LabelRow]] = {count: [] for count in counts}
    for row in rows:
        if row.number_count is not None:
            by_count[row.number_count].append(row)
    return DensityGroup(
        points=tuple(
            DensityPoint(
                numbers=count,
                tar=_share(found, labels, Label.PASS),
                cot=_share(found, labels, Label.COT_HIJACKED),
            )
            for count, found in by_count.items()
        ),
        tar=_slope(rows, labels, Label.PASS, lambda row: ""),
        cot=_slope(rows, labels, Label.COT_HIJACKED, lambda row: ""),
    )


def _share(rows: Iterable[LabelRow], labels: LabelChoice, wanted: Label) -> Share:
    outcomes = ((row.seed_id, _is(labels.of(row), wanted)) for row in rows)
    return share_of(outcomes, "no answer")


def _is(label: Label | None, wanted: Label) -> bool | None:
    return None if label is None else label is wanted


def _slope(rows: Iterable[LabelRow], labels: LabelChoice, wanted: Label, stratum_of: Stratum) -> Slope:
    return slope_of(
        [
            Dose(stratum_of(row), row.seed_id, row.number_count, labels.of(row) is wanted)
            for row in rows
            if row.number_count is not None and labels.of(row) is not None
        ]
    )
