"""Faults on request."""

from __future__ import annotations

import pytest

from salitrap.lab.desk import Reply
from salitrap.lab.faults import REMEMBERED, FaultPlan, LabFault, read_share, spoiled
from salitrap.lab.request import BadRequest


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
