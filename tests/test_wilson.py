"""The Wilson interval against known values and its own equation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.wilson import Z_95, wilson

COUNTS = st.integers(1, 500).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@pytest.mark.parametrize(("successes", "low"), [(5, 0.566), (4, 0.376), (3, 0.231), (0, 0.0)])
def test_lower_bounds_of_five_repeats(successes: int, low: float) -> None:
    assert wilson(successes, 5).low == pytest.approx(low, abs=5e-4)


@given(COUNTS)
def test_both_bounds_solve_the_score_equation(counts: tuple[int, int]) -> None:
    successes, trials = counts
    share = successes / trials
    for bound in wilson(successes, trials):
        assert (share - bound) ** 2 == pytest.approx(Z_95**2 * bound * (1 - bound) / trials, abs=1e-9)


@given(COUNTS)
def test_the_interval_holds_the_share_and_mirrors_failures(counts: tuple[int, int]) -> None:
    successes, trials = counts
    interval, mirrored = wilson(successes, trials), wilson(trials - successes, trials)
    assert 0.0 <= interval.low <= successes / trials <= interval.high <= 1.0
    assert interval.low == pytest.approx(1.0 - mirrored.high, abs=1e-12)


def test_no_trials_say_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "trials"), [(6, 5), (-1, 5), (1, 0)])
def test_impossible_counts_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="successes"):
        wilson(successes, trials)
