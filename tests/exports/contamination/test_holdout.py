"""The gap between public part and holdout, worked out apart, and covered as often as it says."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from exports.contamination import holdout_gaps
from salitrap.errors import InputError
from salitrap.records import Label, LabelRow, LabelStatus


def row(
    model: str, family: str, passed: bool, number: int = 0, status: LabelStatus = LabelStatus.OK
) -> LabelRow:
    label = (Label.PASS if passed else Label.HARD_FAIL) if status is LabelStatus.OK else None
    return LabelRow(
        model=model,
        item_id=f"{family}-{number}",
        seed_id=family,
        dimension_tag="D1",
        status=status,
        label=label,
    )


def rows(prefix: str, shares: list[float], each: int = 4, model: str = "m") -> list[LabelRow]:
    return [
        row(model, f"{prefix}{family}", number < share * each, number)
        for family, share in enumerate(shares)
        for number in range(each)
    ]


def test_the_gap_and_its_interval_by_hand() -> None:
    public, holdout = [1.0, 0.5, 0.75, 1.0], [0.25, 0.5, 0.0]
    (gap,) = holdout_gaps(rows("a", public), rows("b", holdout))
    error = math.sqrt(
        sum(
            len(part)
            / (len(part) - 1)
            * sum((share - statistics.mean(part)) ** 2 for share in part)
            / len(part) ** 2
            for part in (public, holdout)
        )
    )
    wanted = statistics.mean(public) - statistics.mean(holdout)
    assert (gap.public, gap.holdout) == pytest.approx((81.25, 25.0))
    assert gap.gap == pytest.approx(100 * wanted)
    assert (gap.low, gap.high) == pytest.approx(
        (100 * (wanted - 1.959964 * error), 100 * (wanted + 1.959964 * error)), rel=1e-4
    )
    assert gap.p == pytest.approx(math.erfc(wanted / error / math.sqrt(2)))


def test_models_are_corrected_for_their_number() -> None:
    public = [one for model in "mn" for one in rows("a", [1.0, 0.5, 0.75, 1.0], model=model)]
    holdout = [one for model in "mn" for one in rows("b", [0.25, 0.5, 0.0], model=model)]
    gaps = holdout_gaps(public, holdout)
    assert [gap.p_holm for gap in gaps] == pytest.approx([min(1.0, 2 * (gap.p or 0)) for gap in gaps])


def test_what_cannot_be_known_is_none() -> None:
    (gap,) = holdout_gaps(rows("a", [1.0]), rows("b", [0.5, 0.25]))
    assert (gap.low, gap.high, gap.p, gap.p_holm) == (None, None, None, None)


def test_answers_without_a_label_do_not_count() -> None:
    failed = [row("m", "a9", False, number, LabelStatus.API_ERROR) for number in range(5)]
    (gap,) = holdout_gaps([*rows("a", [1.0, 0.5]), *failed], rows("b", [0.5, 0.5]))
    assert (gap.public, gap.public_answers) == (75.0, 8)


def test_families_in_both_and_other_models_are_refused() -> None:
    with pytest.raises(InputError, match="seed families are in both"):
        holdout_gaps(rows("a", [1.0, 0.5]), rows("a", [1.0]))
    with pytest.raises(InputError, match="no model"):
        holdout_gaps(rows("a", [1.0], model="m"), rows("b", [1.0], model="n"))


def test_without_a_gap_the_interval_covers_zero_as_often_as_it_says() -> None:
    chance, covered, studies = random.Random(7), 0, 400
    for _ in range(studies):
        parts = []
        for prefix, families in (("a", 80), ("b", 40)):
            shares = [chance.betavariate(2, 2) for _ in range(families)]
            parts.append(
                [
                    row("m", f"{prefix}{family}", chance.random() < share, number)
                    for family, share in enumerate(shares)
                    for number in range(3)
                ]
            )
        (gap,) = holdout_gaps(*parts)
        assert gap.low is not None and gap.high is not None
        covered += gap.low <= 0 <= gap.high
    assert 0.90 <= covered / studies <= 0.985
