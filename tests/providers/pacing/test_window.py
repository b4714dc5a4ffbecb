"""Slow start, additive increase, multiplicative decrease."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.providers.pacing.window import CUT, MOST_AT_ONCE, START, Window


def serve(window: Window, round_trips: int) -> None:
    """Round trips in which every slot is used and served."""
    for _ in range(round_trips):
        for _ in range(window.slots):
            window.served()


def test_slow_start_doubles_with_every_round_trip_up_to_the_ceiling():
    window = Window(100)
    sizes = [window.slots]
    for _ in range(4):
        serve(window, 1)
        sizes.append(window.slots)
    assert sizes == [START, 32, 64, 100, 100]


@pytest.mark.parametrize(("ceiling", "first"), [(1, 1), (10, 10), (64, START), (256, START), (1000, 62)])
def test_begins_low_but_not_far_below_a_high_ceiling(ceiling, first):
    assert Window(ceiling).slots == first


def test_refusal_cuts_what_was_in_flight_once_for_each_round_trip():
    window = Window(64, start=64)
    for _ in range(40):
        window.refused(started=1.0, now=2.0, in_flight=64)
    assert window.slots == 64 * CUT
    window.refused(started=2.5, now=3.0, in_flight=48)
    assert window.slots == 64 * CUT * CUT


def test_after_a_refusal_it_grows_by_a_fixed_step():
    window = Window(64, start=40)
    window.refused(started=1.0, now=2.0, in_flight=40)
    sizes = []
    for _ in range(4):
        serve(window, 1)
        sizes.append(window.slots)
    assert sizes == [30, 31, 32, 33], "one more with each round trip, give or take rounding"


def test_step_is_a_share_of_the_ceiling():
    """One more a round trip would take a window of a thousand an hour to recover at 10 s a reply."""
    window = Window(1024, start=1024)
    window.refused(started=1.0, now=2.0, in_flight=1024)
    serve(window, 5)
    assert 768 + 4 * 16 <= window.slots <= 768 + 5 * 16


def test_idle_slots_are_not_counted_when_it_is_cut():
    """With 10 of 64 in flight a refusal means that 10 are too many."""
    window = Window(64, start=64)
    window.refused(started=1.0, now=2.0, in_flight=10)
    assert window.slots == 7


def test_a_rest_begins_again_with_one_and_slow_start_ends_at_half():
    window = Window(64, start=64)
    window.restart(now=5.0)
    sizes = [window.slots]
    for _ in range(8):
        serve(window, 1)
        sizes.append(window.slots)
    assert sizes == pytest.approx([1, 2, 4, 8, 16, 32, 33, 34, 35], abs=1)


def test_widening_by_time_is_for_windows_that_nothing_has_refused():
    window = Window(1000)
    assert window.exploring
    window.widen()
    assert window.slots == 73
    window.refused(started=1.0, now=2.0, in_flight=30)
    assert not window.exploring


def test_widening_never_lets_out_a_burst():
    """A burst of requests comes back as a burst of replies, and costs a tenth of the throughput."""
    window, sizes = Window(2000, start=16), [16]
    while window.exploring:
        window.widen()
        sizes.append(window.slots)
    steps = [after - before for before, after in pairwise(sizes)]
    assert max(steps) == MOST_AT_ONCE
    assert sizes[4] == 32
    assert sizes[-1] == 2000


def test_nothing_is_explored_after_a_refusal():
    window = Window(1000)
    window.refused(started=1.0, now=2.0, in_flight=30)
    assert not window.exploring


@given(
    ceiling=st.integers(1, 5000),
    events=st.lists(st.tuples(st.sampled_from(["serve", "refuse", "rest", "widen"]), st.integers(0, 5000))),
)
def test_window_stays_between_one_and_its_ceiling(ceiling, events):
    window = Window(ceiling)
    for now, (event, in_flight) in enumerate(events, start=1):
        match event:
            case "serve":
                window.served()
            case "refuse":
                window.refused(float(now) - 0.5, float(now), in_flight)
            case "rest":
                window.restart(float(now))
            case _:
                window.widen()
        assert 1 <= window.slots <= ceiling


def test_rests_in_a_row_do_not_forget_how_far_slow_start_may_go():
    window = Window(64, start=64)
    for now in (5.0, 7.0, 11.0):
        window.restart(now)
    serve(window, 5)
    assert window.slots >= 31
