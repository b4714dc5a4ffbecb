"""What access tells about calls that are being tried again, and the reasons it quotes."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.errors import EndpointUnavailable
from salitrap.providers.open import open_access
from salitrap.providers.pacing.retry import Pacing
from salitrap.providers.pacing.trouble import Trouble, Troubles
from salitrap.providers.wire.told import LONGEST_REASON, told
from tests.providers.helpers import Naps, journal_at, pacing, settings
from tests.providers.servers import chat, serving


async def test_calls_under_retry_are_told_with_the_last_reason_and_forgotten_when_over(tmp_path):
    """Retries were invisible: a run against a broken server said nothing for minutes."""
    told_in_pauses: list[Trouble] = []

    both = asyncio.Barrier(2)

    async def nap(seconds: float) -> None:
        await both.wait()
        told_in_pauses.append(access.trouble())

    said = [(502, "out of\nmemory"), (502, "out of\nmemory")]
    async with (
        serving(lambda body, number: said[number] if number < 2 else chat("ok")) as server,
        open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=Pacing(sleep=nap)
        ) as access,
    ):
        assert access.trouble() == Trouble()
        await asyncio.gather(access.answer("a"), access.answer("b"))
        assert access.trouble() == Trouble()
    assert {told.last for told in told_in_pauses} == {"HTTP 502: out of memory (openai/m)"}
    assert max(told.retrying for told in told_in_pauses) == 2


async def test_call_that_stops_the_run_is_no_longer_under_retry(tmp_path):
    async with (
        serving(lambda body, number: "<html>") as server,
        open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing(Naps())
        ) as access,
    ):
        with pytest.raises(EndpointUnavailable):
            await access.answer("How?")
        assert access.trouble() == Trouble()


def test_time_counts_from_when_there_was_no_trouble():
    now = 0.0
    troubles = Troubles(lambda: now)
    troubles.failed("a", "one")
    now = 5.0
    troubles.failed("b", "two")
    troubles.over("a")
    now = 9.0
    assert troubles.now(3) == Trouble(1, "two", 9.0, 3)
    troubles.over("b")
    assert troubles.now() == Trouble()
    troubles.failed("c", "three")
    now = 10.0
    assert troubles.now().seconds == 1.0


@pytest.mark.parametrize(
    ("detail", "body", "reason"),
    [
        ("Error code: 500", "out of memory", "out of memory"),
        ("Error code: 500", '{"detail": "no GPU"}', "no GPU"),
        ("Error code: 500", '{"error": "no GPU"}', "no GPU"),
        ("Error code: 500 - {'error': {'message': 'no GPU'}}", '{"error": {"message": "no GPU"}}', "no GPU"),
        ("Error code: 500 - no GPU", "[]", "no GPU"),
        ("Error code: 500", "", "no reason was given"),
        ("Error code: 500", "<html>\n\x1b[2J</html>", "<html> [2J</html>"),
        ("no reply within 90 s", "", "no reply within 90 s"),
    ],
)
def test_reason_is_what_the_endpoint_said(detail, body, reason):
    assert told(detail, body) == reason


@given(st.text(), st.text())
def test_reason_of_any_body_is_short_and_on_one_line(detail, body):
    reason = told(f"Error code: 500{detail}", body)
    assert 0 < len(reason) <= LONGEST_REASON
    assert reason.isprintable()
