"""Leaving batches at the provider and coming back: nothing is submitted twice, nothing is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from salitrap.errors import BatchesLeft, ConfigError, EndpointUnavailable, Interrupted
from salitrap.providers.api_keys import Redactor
from salitrap.providers.batch.lines import owned
from salitrap.providers.journal.batches import BatchBook
from salitrap.providers.journal.store import Journal
from salitrap.records import Outcome
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
from tests.providers.batch.servers import batching
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
                with pytest.raises(BatchesLeft, match=r"[Ss]ubmitted"):
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

        unhurried = replace(FAST, settle=0.5)  # of a busy machine
        async with opened(given, tmp_path, unhurried, wait=False) as access:
            with pytest.raises(BatchesLeft, match=r"[Ss]ubmitted"):
                await twice(access)
            assert access.batches.waiting() == (1, 1)
    assert [len(batch.requests) for batch in server.batches.values()] == [1, 1]


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


@pytest.mark.parametrize("kind", KINDS)
async def test_a_submission_under_way_ends_before_the_process(tmp_path, kind):
    """Guards against Ctrl-C that threw it away: the provider had the batch, and its id was not known."""

    async def slowly(batch):
        await asyncio.sleep(0.3)

    async with batching(echo, hold=True, creating=slowly) as server:
        async with opened(chosen(kind, server), tmp_path) as access:
            asking = asyncio.ensure_future(asked(access, 5))
            await until(lambda: server.batches)
            access.stop(Interrupted("stopped by Ctrl-C"))
            with pytest.raises(Interrupted):
                await asking
        with book(tmp_path) as journal:
            found = journal.select("SELECT state, provider_id FROM batches")
    assert [tuple(row) for row in found] == [("submitted", "batch-0")]


async def test_a_call_that_waits_at_the_second_endpoint_is_collected_there(tmp_path):
    """Guards a pool with failover: back again, it was asked at the first endpoint, and paid twice."""
    async with batching(echo, plain=True) as first, batching(echo, hold=True) as second:
        first.answer = lambda body: (503, {"error": {"message": "busy"}})
        pool = settings(
            endpoint(f"openai/openai-m@{first.url}"),
            endpoint(spec("openai", second), batch=True),
            role={"policy": "failover"},
        )
        await leave(pool, tmp_path, second)
        first.answer, second.hold = echo, False
        before = len(first.singles)
        async with opened(pool, tmp_path) as access:
            assert [answer.text for answer in await asked(access, 5)] == TEXTS
            assert access.batches.waiting() == (0, 0)
        assert len(first.singles) == before
        assert len(second.batches) == 1
