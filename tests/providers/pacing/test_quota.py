"""Limits on requests and tokens a minute."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.providers.pacing.quota import BURST, MINUTE, Quota, Rate


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def sent_at(rate: Rate, clock: Clock, arrivals: list[float]) -> list[float]:
    """When each request may go out that asks ``arrivals[i]`` seconds after the one before."""
    times = []
    for gap in arrivals:
        clock.now += gap
        times.append(clock.now + rate.take(1))
    return times


@given(
    per_minute=st.integers(1, 600),
    arrivals=st.lists(st.floats(0.0, 30.0), min_size=1, max_size=200),
)
def test_no_minute_holds_more_requests_than_allowed(per_minute, arrivals):
    clock = Clock()
    times = sorted(sent_at(Rate(per_minute, clock), clock, arrivals))
    for first, start in enumerate(times):
        within = [time for time in times[first:] if time < start + MINUTE - 1e-6]
        assert len(within) <= per_minute


def test_sustained_rate_is_near_the_limit():
    clock = Clock()
    times = sent_at(Rate(600, clock), clock, [0.0] * 6000)
    assert 600 * 0.9 <= 6000 / ((times[-1] - times[0]) / 60.0) <= 600


def test_first_requests_go_out_at_once():
    clock = Clock()
    rate = Rate(650, clock)
    assert [rate.take(1) for _ in range(50)] == pytest.approx([0.0] * 50, abs=1e-9)
    assert rate.take(1) == pytest.approx(0.1)


def test_a_request_beyond_the_burst_waits_until_nothing_is_owed():
    """One prompt may be larger than five seconds of the limit; it must not wait for ever."""
    clock = Clock()
    rate = Rate(60_000, clock)
    assert rate.take(50_000) == 0.0
    assert rate.take(1) == pytest.approx(50_000 / 60_000 * (MINUTE + BURST) - BURST, abs=0.01)


def test_what_was_not_used_is_given_back():
    clock = Clock()
    quota = Quota(None, 60_000, clock)
    quota.take(50_000)
    quota.used(claimed=50_000, used=1000)
    assert quota.take(1000) == pytest.approx(0.0)


def test_both_limits_hold():
    clock = Clock()
    quota = Quota(60, 1_000_000, clock)
    waits = [quota.take(10) for _ in range(20)]
    assert waits[0] == 0.0
    assert waits[-1] > 10.0, "twenty requests at sixty a minute"
    quota = Quota(100_000, 60, clock)
    quota.take(60)
    assert quota.take(1) > 50.0, "sixty tokens a minute"


def test_no_limit_never_waits():
    quota = Quota(None, None, Clock())
    assert {quota.take(10**9) for _ in range(1000)} == {0.0}
