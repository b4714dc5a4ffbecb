"""Submitting batches: cut off at any point, refused, or too large for one; nothing is submitted twice."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from salitrap.errors import EndpointUnavailable
from salitrap.providers.journal.batches import BatchBook
from tests.providers.batch.helpers import (
    FAST,
    KINDS,
    asked,
    book,
    chosen,
    echo,
    opened,
    rows,
    spec,
    until,
)
from tests.providers.batch.servers import BatchServer, Held, batching, never

TEXTS = [f"to q{number}" for number in range(5)]


async def killed_while(server: BatchServer, kind: str, folder: Path, count: int = 5) -> None:
    """Run a client until the server has created its batch, which it is never told, and kill it."""
    server.creating = server.creating or never
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.providers.batch.helpers", spec(kind, server), str(folder), str(count)
    )
    await until(lambda: server.batches, 60)
    await asyncio.sleep(0.2)
    process.kill()
    await process.wait()
    server.creating = None


@pytest.mark.parametrize(("kind", "marked"), [("openai", True), ("openai", False), ("anthropic", True)])
async def test_killed_before_the_submission_was_recorded_pays_nothing_twice(tmp_path, kind, marked):
    """OpenAI's batch is known by our mark or, where a server tells no marks, by its file."""
    async with batching(echo, tells_metadata=marked) as server:
        await killed_while(server, kind, tmp_path)
        with book(tmp_path) as journal:
            assert BatchBook(journal).waiting() == (5, 1)
        server.polls = 2
        if kind == "anthropic":
            await server.finish(server.batches["batch-0"])
        async with opened(chosen(kind, server), tmp_path) as access:
            answers = await asked(access, 5)
    assert [answer.text for answer in answers] == TEXTS
    assert len(server.batches) == 1
    assert len(rows(tmp_path)) == 5


@pytest.mark.parametrize("kind", KINDS)
async def test_killed_before_the_provider_had_it_is_submitted_again(tmp_path, kind):
    async def lost(batch: Held) -> None:
        await asyncio.sleep(0.3)
        del server.batches[batch.id]
        await never(batch)

    async with batching(echo, creating=lost) as server:
        await killed_while(server, kind, tmp_path)
        await until(lambda: not server.batches)
        async with opened(chosen(kind, server), tmp_path) as access:
            answers = await asked(access, 5)
    assert [answer.text for answer in answers] == TEXTS
    assert len(server.batches) == 1


async def test_somebody_elses_batches_are_not_ours(tmp_path):
    """With Anthropic a batch is known by what is in it, and that shows only at its end."""
    async with batching(echo, hold=True) as server:
        await killed_while(server, "anthropic", tmp_path, 2)
        message = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "theirs"}]}
        for number in range(2):
            foreign = server._add({f"foreign-{number}-{place}": message for place in range(2)})
            if number == 0:
                await server.finish(foreign)
        async with opened(chosen("anthropic", server), tmp_path) as access:
            asking = asyncio.ensure_future(asked(access, 2))
            await until(lambda: server.asked.count("list") > 3)
            assert not asking.done()
            for batch in server.batches.values():
                if batch.lines is None:
                    await server.finish(batch)
            answers = await asking
    assert [answer.text for answer in answers] == ["to q0", "to q1"]
    assert len(server.batches) == 3, "one of ours and two of theirs"


async def test_a_batch_that_may_still_turn_up_is_waited_for(tmp_path):
    """Just after the kill the provider does not list it yet: it is not given up before the grace is over."""
    async with batching(echo) as server:
        await killed_while(server, "openai", tmp_path)
        hidden = server.batches.pop("batch-0")
        patient = replace(FAST, grace=30.0)
        async with opened(chosen("openai", server), tmp_path, patient) as access:
            asking = asyncio.ensure_future(asked(access, 5))
            await until(lambda: server.asked.count("list") > 2)
            server.batches["batch-0"] = hidden
            assert [answer.text for answer in await asking] == TEXTS
    assert list(server.batches) == ["batch-0"]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_lost_answer_to_a_submission_does_not_submit_again(tmp_path, kind):
    async def broken(batch: Held) -> web.Response:
        return web.json_response({"error": {"message": "bad gateway"}}, status=502)

    async with batching(echo, creating=broken) as server:
        if kind == "anthropic":
            server.creating = lambda batch: finished_but_broken(server, batch)
        async with opened(chosen(kind, server), tmp_path) as access:
            answers = await asked(access, 5)
    assert [answer.text for answer in answers] == TEXTS
    assert len(server.batches) == 1


async def finished_but_broken(server: BatchServer, batch: Held) -> web.Response:
    await server.finish(batch)
    return web.json_response({"type": "error"}, status=502)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_submission_that_failed_is_tried_again_as_other_requests_are(tmp_path, kind):
    async def refuse_first(batch: Held) -> web.Response | None:
        if refused:
            return None
        refused.append(batch.id)
        del server.batches[batch.id]
        return web.json_response({"error": {"message": "overloaded"}}, status=503)

    refused: list[str] = []
    async with (
        batching(echo, creating=refuse_first) as server,
        opened(chosen(kind, server), tmp_path) as access,
    ):
        answers = await asked(access, 5)
    assert [answer.text for answer in answers] == TEXTS
    found = rows(tmp_path, "outcome, charged_input, batch IS NULL")
    assert found[:5] == [("api_error", 0, 1)] * 5


@pytest.mark.parametrize("kind", KINDS)
async def test_a_provider_that_does_not_answer_for_a_while_is_asked_on(tmp_path, kind):
    async with batching(echo, ailing=3) as server, opened(chosen(kind, server), tmp_path) as access:
        answers = await asked(access, 5)
    assert [answer.text for answer in answers] == TEXTS
    assert {row[0] for row in rows(tmp_path, "outcome")} == {"ok"}


async def test_a_provider_that_does_not_answer_any_more_stops_the_run(tmp_path):
    async with (
        batching(echo, ailing=10_000) as server,
        opened(chosen("openai", server), tmp_path) as access,
    ):
        with pytest.raises(EndpointUnavailable, match="out of order"):
            await asked(access, 2)
        assert access.batches.waiting() == (2, 1)


async def test_a_queue_is_cut_into_batches_that_the_provider_takes(tmp_path, monkeypatch):
    from salitrap.providers.batch import openai_service
    from salitrap.providers.batch.interface import Size

    monkeypatch.setattr(openai_service, "MOST", Size(requests=20, octets=10**6))
    async with batching(echo) as server, opened(chosen("openai", server), tmp_path) as access:
        await asked(access, 45)
    assert sorted(len(batch.requests) for batch in server.batches.values()) == [5, 20, 20]


async def test_a_batch_has_a_size_in_bytes_too(tmp_path, monkeypatch):
    from salitrap.providers.batch import openai_service
    from salitrap.providers.batch.interface import Size

    monkeypatch.setattr(openai_service, "MOST", Size(requests=1000, octets=4000))
    async with batching(echo) as server, opened(chosen("openai", server), tmp_path) as access:
        await asked(access, 45)
    assert len(server.submitted) == 45
    assert len(server.batches) > 2
    assert all(len(content) <= 4000 for content in server.files.values())
