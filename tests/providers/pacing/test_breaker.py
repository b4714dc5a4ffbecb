"""When an endpoint that only fails is left alone for a while."""

from __future__ import annotations

from salitrap.providers.pacing.breaker import TRIP_AFTER, Breaker
from salitrap.providers.pacing.retry import LONGEST_DELAY


def fail(breaker: Breaker, times: int, start: float = 0.0) -> list[float]:
    return [breaker.failed(start + number, start + number + 0.5) for number in range(times)]


def test_a_few_failures_are_no_reason_to_rest():
    breaker = Breaker()
    assert fail(breaker, TRIP_AFTER - 1) == [0.0] * (TRIP_AFTER - 1)
    assert not breaker.probing


def test_rests_double_up_to_a_minute_until_something_is_served():
    breaker = Breaker()
    rests = [rest for rest in fail(breaker, TRIP_AFTER + 9) if rest]
    assert rests == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, *[LONGEST_DELAY] * 4]
    assert breaker.probing
    breaker.served()
    assert not breaker.probing
    assert fail(breaker, TRIP_AFTER, start=100.0)[-1] == 1.0


def test_requests_sent_before_the_rest_do_not_prolong_it():
    """Sixty requests that time out together are one event, not sixty."""
    breaker = Breaker()
    rests = [breaker.failed(started=1.0, now=91.0) for _ in range(60)]
    assert [rest for rest in rests if rest] == [1.0]


def test_a_success_in_between_starts_the_count_again():
    breaker = Breaker()
    for round_ in range(10):
        assert not any(fail(breaker, TRIP_AFTER - 1, start=100.0 * round_))
        breaker.served()
