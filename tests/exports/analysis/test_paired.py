"""Tests and intervals of pairs against published figures and independent sums."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.analysis.paired import Pair, holm, mcnemar_exact, paired_of

AIRWAYS = [(True, True)] + [(True, False)] + [(False, True)] * 7 + [(False, False)] * 12
"""Airway hyper-responsiveness of 21 children before and after transplantation (Bentur and others, 2009)."""


def pairs(outcomes: list[tuple[bool | None, bool | None]], per_seed: int = 1) -> list[Pair]:
    return [
        Pair(f"s{number // per_seed}", f"d{number}", first, second)
        for number, (first, second) in enumerate(outcomes)
    ]


def test_the_published_example_of_paired_proportions() -> None:
    found = paired_of(pairs(list(AIRWAYS)), 0, "")
    assert found.p == pytest.approx(0.0703, abs=1e-4)
    assert found.difference == pytest.approx(-28.57, abs=0.01)
    assert found.ci == pytest.approx((-50.8, -1.3), abs=0.1)


@given(st.integers(0, 12), st.integers(0, 12))
def test_mcnemar_is_the_two_sided_sign_test(first_only: int, second_only: int) -> None:
    """Against all sequences of heads and tails, for few; their number is small enough to list."""
    total = first_only + second_only
    if total > 12:
        total = 12
        first_only, second_only = min(first_only, 6), 12 - min(first_only, 6)
    as_far = sum(
        abs(2 * sum(tails) - total) >= abs(first_only - second_only)
        for tails in product((0, 1), repeat=total)
    )
    assert mcnemar_exact(first_only, second_only) == pytest.approx(as_far / 2**total)


def test_scipy_finds_the_same_p() -> None:
    stats = pytest.importorskip("scipy.stats")
    for first_only, second_only in [(0, 0), (1, 7), (30, 11), (400, 500)]:
        total = first_only + second_only
        theirs = stats.binomtest(first_only, total).pvalue if total else 1.0
        assert mcnemar_exact(first_only, second_only) == pytest.approx(theirs)


def test_holm_steps_down_and_never_goes_back() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([None, 0.3, None]) == [None, 0.3, None]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_unscored_pairs_are_no_pairs_and_bound_the_difference() -> None:
    found = paired_of(pairs([(True, False), (None, True), (True, None)]), 2, "")
    assert (found.n, found.unscored, found.unpaired, found.difference) == (1, 2, 2, 100.0)
    assert found.bounds == pytest.approx((100 * -1 / 3, 100.0))


def test_no_pairs_have_a_reason_and_no_figure() -> None:
    found = paired_of([], 3, "no pairs here")
    assert (found.why, found.difference, found.ci, found.cluster_ci, found.p) == (
        "no pairs here",
        *[None] * 4,
    )
    assert paired_of(pairs([(None, None)]), 0, "").why == "all 1 pairs are unscored"


def test_pairs_of_one_seed_that_agree_weigh_as_one() -> None:
    outcomes: list[tuple[bool | None, bool | None]] = [(True, False), (False, False), (False, True)] * 10
    single = paired_of(pairs(outcomes), 0, "")
    repeated = paired_of(pairs([one for one in outcomes for _ in range(5)], per_seed=5), 0, "")
    assert single.cluster_ci is not None
    assert repeated.cluster_ci == pytest.approx(single.cluster_ci, abs=0.5)
    assert repeated.ci is not None
    assert repeated.ci[1] - repeated.ci[0] < 0.6 * (single.cluster_ci[1] - single.cluster_ci[0])


def test_pairs_that_never_disagree_have_an_interval_with_a_width() -> None:
    found = paired_of(pairs([(True, True)] * 20), 0, "")
    assert (found.difference, found.p, found.tested) == (0.0, 1.0, 0)
    assert found.cluster_ci is not None
    assert found.cluster_ci[1] > 5


OUTCOMES = st.lists(st.tuples(*[st.sampled_from([True, False, None])] * 2), max_size=30)


@given(OUTCOMES, st.integers(1, 5))
def test_the_table_shares_out_the_pairs_and_the_intervals_are_in_range(
    outcomes: list[tuple[bool | None, bool | None]], per_seed: int
) -> None:
    found = paired_of(pairs(outcomes, per_seed), 0, "none")
    assert found.both + found.first_only + found.second_only + found.neither == found.n
    assert found.n + found.unscored == len(outcomes)
    for span in (found.ci, found.cluster_ci):
        if span is not None:
            assert -100 <= span[0] < span[1] <= 100
    if found.difference is not None:
        assert found.first_rate is not None
        assert found.second_rate is not None
        assert found.difference == pytest.approx(found.first_rate - found.second_rate)
        assert found.bounds is None or found.bounds[0] <= found.difference <= found.bounds[1]
