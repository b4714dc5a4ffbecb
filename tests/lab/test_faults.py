"""Faults on request."""

from __future__ import annotations

import pytest

from salitrap.lab.desk import Reply
from salitrap.lab.faults import ATTEMPT_HEADER, REMEMBERED, FaultPlan, LabFault, read_share, spoiled
from salitrap.lab.request import BadRequest
from salitrap.providers.wire import openai_wire


def test_shares_are_kept_over_many_requests() -> None:
    plan = FaultPlan({LabFault.HTTP_429: 0.2, LabFault.EMPTY: 0.1}, 0)
    drawn = [plan.draw(key) for key in range(4000)]
    assert 0.17 <= drawn.count(LabFault.HTTP_429) / 4000 <= 0.23
    assert 0.08 <= drawn.count(LabFault.EMPTY) / 4000 <= 0.12


def test_a_retry_of_the_same_request_draws_anew_and_can_succeed() -> None:
    plan = FaultPlan({LabFault.HTTP_500: 0.5}, 0)
    for key in range(50):
        assert None in [plan.draw(key) for _ in range(40)]


def test_faults_are_the_same_in_every_lab_of_the_same_seed() -> None:
    first, second = (FaultPlan({LabFault.EMPTY: 0.3}, 5) for _ in range(2))
    keys = [key % 40 for key in range(200)]
    assert [first.draw(key) for key in keys] == [second.draw(key) for key in keys]


def test_a_header_replaces_the_configured_shares() -> None:
    plan = FaultPlan({LabFault.EMPTY: 1.0}, 0)
    assert plan.draw(1, "http_429") is LabFault.HTTP_429
    assert plan.draw(1, "http_500=0") is None
    assert plan.draw(1, "") is None
    with pytest.raises(BadRequest, match="X-Lab-Fault"):
        plan.draw(1, "meteor")


def test_the_attempts_number_told_by_the_client_decides_the_draw() -> None:
    shares = {LabFault.EMPTY: 0.4, LabFault.HTTP_500: 0.2}
    counting, told = FaultPlan(shares, 5), FaultPlan(shares, 5)
    for key in range(60):
        counted = [counting.draw(key) for _ in range(6)]
        assert counted == [told.draw(key, attempt=str(number)) for number in range(1, 7)]
        assert counted == [told.draw(key, attempt=str(number)) for number in range(1, 7)]


def test_a_resumed_run_draws_anew_what_had_failed_for_good() -> None:
    """Regression: a new lab process began to count again, so a lost call failed alike on every resume."""
    shares = {LabFault.FILTERED: 0.3}
    for key in range(200):
        attempt = 1
        while FaultPlan(shares, 0).draw(key, attempt=str(attempt)) is not None:
            attempt += 1
            assert attempt < 30


def test_what_a_killed_run_had_not_yet_tried_meets_the_faults_of_an_undisturbed_one() -> None:
    shares = {LabFault.FILTERED: 0.5}
    whole, resumed = FaultPlan(shares, 0), FaultPlan(shares, 0)
    assert [whole.draw(key) for key in range(100)][50:] == [
        resumed.draw(key, attempt="1") for key in range(50, 100)
    ]


def test_client_and_lab_mean_the_same_header() -> None:
    assert openai_wire.ATTEMPT_HEADER == ATTEMPT_HEADER


@pytest.mark.parametrize("attempt", ["", "0", "-1", "1.5", "x", "²", "9" * 30])
def test_an_attempt_that_is_no_number_is_refused(attempt: str) -> None:
    with pytest.raises(BadRequest, match="X-Attempt"):
        FaultPlan({}, 0).draw(1, attempt=attempt)


@pytest.mark.parametrize("text", ["meteor=0.1", "empty=2", "empty=-1", "empty=x", "empty=nan", "=1"])
def test_a_share_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_share(text)


def test_the_memory_of_requests_is_bounded() -> None:
    plan = FaultPlan({LabFault.EMPTY: 0.5}, 0)
    for key in range(1200):
        plan.draw(key)
    assert len(plan._attempts) == 1200 < REMEMBERED


def test_spoiled_replies_show_their_fault() -> None:
    reply = Reply('{"holds": true, "reason": "fine"}')
    assert spoiled(reply, LabFault.TRUNCATED).finish_reason == "length"
    assert spoiled(reply, LabFault.EMPTY).content == ""
    assert spoiled(reply, LabFault.FILTERED) == Reply(None, finish_reason="content_filter")
    assert "oops" in (spoiled(reply, LabFault.MALFORMED).content or "")
