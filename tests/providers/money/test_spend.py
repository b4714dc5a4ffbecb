"""What the closing line counts adds up."""

from __future__ import annotations

import pytest

from salitrap.cli.tables import spend_line
from salitrap.errors import CallFailed
from salitrap.providers.open import open_access
from tests.providers.helpers import journal_at, pacing, probe, settings
from tests.providers.servers import chat, serving


async def spent(tmp_path, say, *, questions=(), structured=False):
    """Spend after some questions to a server."""
    async with serving(say) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"attempts": 3})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            for question in questions:
                await access.answer(question)
            if structured:
                with pytest.raises(CallFailed):
                    await probe(access)
            return access.spend()


async def test_every_reply_that_was_of_no_use_counts(tmp_path):
    """Four empty replies were told as "4 calls, 2 calls without a usable reply"."""
    spend = await spent(tmp_path, lambda body, number: chat(""), questions=("a", "b"))
    assert (spend.calls, spend.failed) == (4, 4)
    assert "4 calls, " in spend_line(spend)
    assert spend_line(spend).endswith(", 4 of the calls without a usable reply.")


async def test_an_empty_reply_counts_although_the_next_one_served(tmp_path):
    spend = await spent(tmp_path, lambda body, number: chat("ok" if number else ""), questions=("a",))
    assert (spend.calls, spend.failed) == (2, 1)


async def test_replies_that_cannot_be_parsed_count_once_each(tmp_path):
    spend = await spent(tmp_path, lambda body, number: chat('{"answer": "walk"}'), structured=True)
    assert (spend.calls, spend.failed) == (2, 2), "the first and the one after it was asked again"


async def test_requests_that_cost_nothing_are_told_apart(tmp_path):
    said = [chat("ok"), (503, "later"), (429, "slow down"), chat("ok")]
    spend = await spent(tmp_path, lambda body, number: said[number], questions=("a", "b"))
    assert (spend.attempts, spend.calls, spend.failed) == (4, 2, 0)
    assert spend_line(spend).endswith(", 2 more requests refused or failed.")
