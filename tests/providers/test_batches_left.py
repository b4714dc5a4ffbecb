"""Leaving batches at the provider and coming back: nothing is submitted twice, nothing is lost."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import web

from salitrap.errors import ConfigError, EndpointUnavailable, Interrupted, StoppedError
from salitrap.providers.api_keys import Redactor
from salitrap.providers.batch.lines import owned
from salitrap.providers.journal.batches import BatchBook
from salitrap.providers.journal.store import Journal
from salitrap.records import Outcome
from tests.providers.batch_helpers import (
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
from tests.providers.batch_servers import BatchServer, Held, batching, never
from tests.providers.helpers import GOOD, endpoint, journal_at, probe, settings
from tests.providers.servers import chat

TEXTS = [f"to q{number}" for number in range(5)]


async def leave(given, folder, server, count=5):
    """Ask, stop once the batch is there, and return what the journal says is waiting."""
    async with opened(given, folder) as access:
        asking = asyncio.ensure_future(asked(access, count))
        await until(lambda: server.asked)
        access.stop(Interrupted("stopped by Ctrl-C"))
        with pytest.raises(Interrupted, match="Ctrl-C"):
            await asking
        return access.batches.waiting()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_batch_that_was_left_is_collected_later(tmp_path, kind):
    async with batching(echo, hold=True) as server:
        given = chosen(kind, server, price_input=1.0, price_output=1.0)
        assert await leave(given, tmp_path, server) == (5, 1)
        assert rows(tmp_path) == []
        server.hold = False
        async with opened(given, tmp_path) as access:
            answers = await asked(access, 7)
            assert access.batches.waiting() == (0, 0)
            assert access.spend().calls == 7
    assert [answer.text for answer in answers] == [*TEXTS, "to q5", "to q6"]
    assert [len(batch.requests) for batch in server.batches.values()] == [5, 2]


@pytest.mark.parametrize("kind", KINDS)
async def test_without_waiting_everything_is_submitted_and_left(tmp_path, kind):
    async with batching(echo, hold=True) as server:
        given = chosen(kind, server)
        for _ in range(2):
            async with opened(given, tmp_path, wait=False) as access:
                with pytest.raises(StoppedError, match="submitted"):
                    await asked(access, 5)
                assert access.batches.waiting() == (5, 1)
        server.hold = False
        async with opened(given, tmp_path, wait=False) as access:
            assert [answer.text for answer in await asked(access, 5)] == TEXTS
    assert len(server.batches) == 1


async def test_without_waiting_what_follows_from_a_reply_is_submitted_too(tmp_path):
    """A batch that is done gives its replies, and what is asked because of them goes out before leaving."""
    async with batching(echo, hold=True) as server:
        given = chosen("openai", server)
        await leave(given, tmp_path, server, 1)
        await server.finish(server.batches["batch-0"])

        async def twice(access):
            first = await access.answer("q0")
            return await access.answer(f"about {first.text}")

        async with opened(given, tmp_path, wait=False) as access:
            with pytest.raises(StoppedError, match="submitted"):
                await twice(access)
            assert access.batches.waiting() == (1, 1)
    assert [len(batch.requests) for batch in server.batches.values()] == [1, 1]


async def killed_while(server: BatchServer, kind: str, folder: Path, count: int = 5) -> None:
    """Run a client until the server has created its batch, which it is never told, and kill it."""
    server.creating = server.creating or never
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.providers.batch_helpers", spec(kind, server), str(folder), str(count)
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


@pytest.mark.parametrize("kind", KINDS)
async def test_another_accounts_key_does_not_make_the_requests_be_paid_again(tmp_path, kind):
    async with batching(echo, hold=True) as server:
        await leave(chosen(kind, server), tmp_path, server)
        hidden = server.batches.pop("batch-0")
        async with opened(chosen(kind, server), tmp_path) as access:
            with pytest.raises(EndpointUnavailable, match="key of the account"):
                await asked(access, 5)
        assert not server.batches
        server.batches["batch-0"], server.hold = hidden, False
        async with opened(chosen(kind, server), tmp_path) as access:
            assert [answer.text for answer in await asked(access, 5)] == TEXTS


async def test_a_batch_that_no_provider_keeps_any_more_is_asked_again(tmp_path):
    async with batching(echo, hold=True) as server:
        await leave(chosen("openai", server), tmp_path, server)
        server.batches.clear()
        server.hold = False
        journal = Journal(journal_at(tmp_path))
        with journal.transaction() as db:
            old = (datetime.now(UTC) - timedelta(days=40)).isoformat(timespec="seconds")
            db.execute("UPDATE batches SET created_at = ?", (old,))
        journal.close()
        async with opened(chosen("openai", server), tmp_path) as access:
            assert [answer.text for answer in await asked(access, 5)] == TEXTS
    assert len(server.batches) == 1


async def test_what_waits_in_a_batch_is_not_sent_alone(tmp_path):
    """Guards against paying twice by leaving --batch out of the command that goes on."""
    async with batching(echo, hold=True) as server:
        await leave(chosen("openai", server), tmp_path, server)
        alone = settings(endpoint(spec("openai", server)))
        with pytest.raises(ConfigError, match="5 requests in 1 batch of openai-m wait"):
            async with opened(alone, tmp_path):
                pass
        other = settings(endpoint(f"openai/openai-other@{server.url}"))
        async with opened(other, tmp_path) as access:
            assert (await access.answer("q0")).text == "to q0"
    assert len(server.singles) == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_results_that_are_in_the_journal_already_are_not_asked_for(tmp_path, kind):
    """As after a kill between the download and the last reply."""
    async with batching(echo, hold=True) as server:
        await leave(chosen(kind, server), tmp_path, server)
        await server.finish(server.batches["batch-0"])
        journal = Journal(journal_at(tmp_path))
        lines = server.batches["batch-0"].lines
        assert lines is not None
        mine = [found for line in lines[0] if (found := owned(line, Redactor([])))]
        tag = mine[0][0].partition("-")[0]
        BatchBook(journal).store(tag, mine)
        BatchBook(journal).ended(tag, "completed")
        journal.close()
        server.asked.clear()
        async with opened(chosen(kind, server), tmp_path) as access:
            assert [answer.text for answer in await asked(access, 5)] == TEXTS
    assert server.asked == []
    assert len(server.batches) == 1


async def test_a_question_may_come_back_in_part(tmp_path):
    """A run that asks for fewer calls collects those, and the rest waits on."""
    async with batching(echo, hold=True) as server:
        await leave(chosen("openai", server), tmp_path, server)
        server.hold = False
        async with opened(chosen("openai", server), tmp_path) as access:
            await asked(access, 2)
            assert access.batches.waiting() == (3, 1)
        async with opened(chosen("openai", server), tmp_path) as access:
            assert [answer.text for answer in await asked(access, 5)] == TEXTS
    assert len(server.batches) == 1


async def test_a_queue_is_cut_into_batches_that_the_provider_takes(tmp_path, monkeypatch):
    from salitrap.providers.batch import openai_service
    from salitrap.providers.batch.interface import Size

    monkeypatch.setattr(openai_service, "MOST", Size(requests=20, octets=10**6))
    async with batching(echo) as server, opened(chosen("openai", server), tmp_path) as access:
        await asked(access, 45)
    assert [len(batch.requests) for batch in server.batches.values()] == [20, 20, 5]


async def test_a_batch_has_a_size_in_bytes_too(tmp_path, monkeypatch):
    from salitrap.providers.batch import openai_service
    from salitrap.providers.batch.interface import Size

    monkeypatch.setattr(openai_service, "MOST", Size(requests=1000, octets=4000))
    async with batching(echo) as server, opened(chosen("openai", server), tmp_path) as access:
        await asked(access, 45)
    assert len(server.submitted) == 45
    assert len(server.batches) > 2
    assert all(len(content) <= 4000 for content in server.files.values())


async def test_a_view_tells_how_batches_stand(tmp_path):
    async with batching(echo, hold=True) as server, opened(chosen("openai", server), tmp_path) as access:
        assert access.batches.view().batches == 0
        asking = asyncio.ensure_future(asked(access, 5))
        await until(lambda: server.asked)
        view = access.batches.view()
        assert (view.batches, view.requests, view.done) == (1, 5, 0)
        assert access.in_flight == 5
        server.hold = False
        await asking
        assert access.batches.view().batches == 0


async def test_a_reply_that_was_cut_off_is_not_asked_again_before_the_run_is_complete(tmp_path):
    """Guards a run that is visited: every visit sent a further batch for it, and none was the last."""
    async with batching(lambda body: chat("so", "length")) as server:
        given = chosen("openai", server)
        for _ in range(2):
            async with opened(given, tmp_path) as access:
                answers = await asked(access, 2)
                assert [answer.outcome for answer in answers] == [Outcome.TRUNCATED] * 2
                assert answers[0].detail.startswith("the token limit")
                assert access.spend().calls == 2
        assert len(server.batches) == 1
        async with opened(given, tmp_path) as access:
            await asked(access, 2)
            access.batches.complete()
        async with opened(given, tmp_path) as access:
            await asked(access, 2)
            assert access.spend().calls == 4
    assert len(server.batches) == 2


async def test_a_re_ask_that_waits_is_found_again(tmp_path):
    """Guards the reply to a re-ask: its question was asked afresh, and that batch never read."""
    said = ["no idea", GOOD]
    async with batching(lambda body: chat(said.pop(0))) as server:
        given = chosen("openai", server)
        async with opened(given, tmp_path) as access:
            asking = asyncio.ensure_future(probe(access))
            await until(lambda: server.asked)
            server.hold = True
            await until(lambda: "batch-1" in server.asked)
            access.stop(Interrupted("stopped by Ctrl-C"))
            with pytest.raises(Interrupted):
                await asking
        server.hold = False
        async with opened(given, tmp_path) as access:
            assert (await probe(access)).fields["answer"] == "walk"
            assert access.spend().calls == 2
            assert access.batches.waiting() == (0, 0)
    assert len(server.batches) == 2
