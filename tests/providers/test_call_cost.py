"""What a call does not do, since it costs more than the rest of the call."""

from __future__ import annotations

import asyncio

import pytest

from salitrap.providers.open import open_access
from salitrap.providers.parsing import structured
from tests.providers.helpers import GOOD, journal_at, pacing, probe, settings
from tests.providers.servers import chat, serving


async def test_a_call_that_nobody_watches_takes_no_thread(tmp_path, monkeypatch):
    """Guards against ``dspy.LM.acall``, which prepares each call in another thread."""

    async def refuse(function, *arguments, **more):
        raise AssertionError(f"{function.__qualname__} went to another thread")

    async with (
        serving(lambda body, number: chat(GOOD)) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()) as access,
    ):
        await probe(access, "The SDK looks at the platform once, in a thread.")
        monkeypatch.setattr(asyncio, "to_thread", refuse)
        asked = await probe(access)
    assert asked.fields["answer"] == "walk"


def test_plain_json_is_not_read_tolerantly(monkeypatch):
    """Guards against looking at every sign of every reply for quotes that are not there."""

    def refuse(text: str) -> str:
        raise AssertionError("a tolerant reading of plain JSON")

    monkeypatch.setattr(structured, "exact_structure", refuse)
    monkeypatch.setattr(structured, "plain_structure", refuse)
    fields = {"answer": str, "sure": bool}
    assert structured.parse_fields(GOOD, fields) == {"answer": "walk", "sure": True}
    with pytest.raises(AssertionError, match="tolerant"):
        structured.parse_fields("{“answer”: “walk”, “sure”: true}", fields)
