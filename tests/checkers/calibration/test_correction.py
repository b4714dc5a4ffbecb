"""Rates corrected for a judge's errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checkers.calibration import NotCorrectable, corrected_rate, corrected_shares


def test_the_estimate_of_rogan_and_gladen() -> None:
    """True rate 0.3, sensitivity 0.9, specificity 0.95: observed are 0.3 * 0.9 + 0.7 * 0.05 = 0.305."""
    found = corrected_rate(0.305, 0.0, (900, 1000), (950, 1000))
    assert found.value == pytest.approx(0.3)
    assert not found.clipped
    assert found.low < 0.3 < found.high


def test_a_judge_without_errors_leaves_the_rate_and_nearly_its_interval() -> None:
    error = math.sqrt(0.4 * 0.6 / 500)
    found = corrected_rate(0.4, error, (10_000, 10_000), (10_000, 10_000))
    assert found.value == pytest.approx(0.4)
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.01)


def test_no_error_on_few_gold_answers_does_not_mean_that_there_are_none() -> None:
    """Guards against an interval that takes 20 right of 20 for certainty."""
    few, many = (corrected_rate(0.4, 0.01, (size, size), (size, size)) for size in (20, 2000))
    assert few.high - few.low > 2 * (many.high - many.low)


@pytest.mark.parametrize(("observed", "expected"), [(0.02, 0.0), (0.99, 1.0)])
def test_what_lies_outside_is_clipped_and_says_so(observed: float, expected: float) -> None:
    found = corrected_rate(observed, 0.01, (90, 100), (90, 100))
    assert (found.value, found.clipped) == (expected, True)
    assert 0.0 <= found.low <= found.high <= 1.0


@pytest.mark.parametrize(
    ("sensitivity", "specificity", "why"),
    [
        ((50, 100), (50, 100), "better than chance"),
        ((30, 100), (40, 100), "better than chance"),
        ((6, 10), (6, 10), "better than chance"),
        ((0, 0), (90, 100), "lack one of the two kinds"),
    ],
)
def test_a_judge_that_tells_nothing_apart_is_refused(
    sensitivity: tuple[int, int], specificity: tuple[int, int], why: str
) -> None:
    with pytest.raises(NotCorrectable, match=why):
        corrected_rate(0.4, 0.02, sensitivity, specificity)


def test_the_interval_covers_the_true_rate() -> None:
    rng, covered = np.random.default_rng(7), 0
    truth, se, sp, gold, n = 0.35, 0.85, 0.9, 64, 400
    for _ in range(400):
        right = int(rng.binomial(gold, se)), int(rng.binomial(gold, sp))
        observed = rng.binomial(n, truth * se + (1 - truth) * (1 - sp)) / n
        error = math.sqrt(observed * (1 - observed) / n)
        found = corrected_rate(observed, error, (right[0], gold), (right[1], gold))
        covered += found.low <= truth <= found.high
    assert 0.93 <= covered / 400 <= 0.99


def test_shares_by_the_inverted_matrix() -> None:
    """True shares (0.5, 0.3, 0.2) through a matrix of rates give what is observed."""
    confusion = [[80, 10, 10], [20, 70, 10], [0, 10, 90]]
    observed = [460, 280, 260]
    shares, clipped = corrected_shares(observed, confusion)
    assert shares == pytest.approx((0.5, 0.3, 0.2))
    assert not clipped


def test_of_two_classes_both_corrections_are_one() -> None:
    shares, _ = corrected_shares([305, 695], [[90, 10], [5, 95]])
    assert shares[0] == pytest.approx(corrected_rate(0.305, 0.0, (90, 100), (95, 100)).value)


def test_negative_shares_are_set_to_zero_and_said() -> None:
    shares, clipped = corrected_shares([99, 1], [[80, 20], [20, 80]])
    assert shares == pytest.approx((1.0, 0.0))
    assert clipped


@pytest.mark.parametrize(
    ("observed", "confusion", "why"),
    [
        ([5, 5], [[5, 5], [5, 5]], "nearly singular"),
        ([5, 5], [[50, 50], [49, 51]], "nearly singular"),
        ([5, 5], [[5, 5], [0, 0]], "without|no gold answers"),
        ([0, 0], [[5, 0], [0, 5]], "nothing was observed"),
    ],
)
def test_what_cannot_be_inverted_is_refused(
    observed: list[int], confusion: list[list[int]], why: str
) -> None:
    with pytest.raises(NotCorrectable, match=why):
        corrected_shares(observed, confusion)
