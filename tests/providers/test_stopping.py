"""Once somebody stops, requests under way may end, and nothing more is sent."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from salitrap.errors import Interrupted
from salitrap.providers.open import open_access
from salitrap.providers.pacing.retry import Pacing
from tests.providers.helpers import endpoint, journal_at, pacing, settings
from tests.providers.servers import chat, serving


async def test_a_call_in_a_long_pause_ends_at_once(tmp_path: Path) -> None:
    """Guards against Ctrl-C that goes on retrying a failing endpoint for minutes."""
    pausing = asyncio.Event()

    async def for_ever(_seconds: float) -> None:
        pausing.set()
        await asyncio.Event().wait()

    failing = (503, {"error": {"message": "busy"}}, {})
    async with (
        serving(lambda _body, _number: failing) as server,
        open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=Pacing(sleep=for_ever)
        ) as access,
    ):
        call = asyncio.ensure_future(access.answer("How?"))
        await pausing.wait()
        access.stop(Interrupted("stopped by Ctrl-C"))
        with pytest.raises(Interrupted, match="stopped by Ctrl-C"):
            await asyncio.wait_for(call, timeout=5)
        assert server.requests == 1


async def test_calls_that_wait_for_a_slot_are_not_sent(tmp_path: Path) -> None:
    arrived, go = asyncio.Event(), asyncio.Event()

    async def slowly(_body: Any, _number: int) -> Any:
        arrived.set()
        await go.wait()
        return chat("ok")

    async with serving(slowly) as server:
        given = settings(endpoint(f"openai/m@{server.url}", in_flight=1))
        async with open_access(given, journal_at(tmp_path), pacing=pacing()) as access:
            calls = [asyncio.ensure_future(access.answer(f"How {number}?")) for number in range(4)]
            await arrived.wait()
            access.stop(Interrupted("stopped by Ctrl-C"))
            go.set()
            ended = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), timeout=5)
        assert server.requests == 1
        assert [isinstance(outcome, Interrupted) for outcome in ended].count(True) == 3
        assert any(getattr(outcome, "text", None) == "ok" for outcome in ended), "the one under way is kept"
