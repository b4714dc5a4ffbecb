"""What waits in batches can be collected whatever the settings are by now, since it is paid for."""

from __future__ import annotations

import asyncio
import json

import pytest

from salitrap.errors import ConfigError, EndpointUnavailable, Interrupted
from salitrap.providers.access import ChatMessage
from salitrap.providers.batch.recorded import recalled, recorded
from salitrap.providers.collecting import collect_batches
from salitrap.providers.journal.batches import BatchBook
from salitrap.providers.journal.store import Journal
from salitrap.providers.request import CallRequest
from salitrap.records import Role
from tests.providers.batch.helpers import FAST, KINDS, asked, book, chosen, echo, opened, rows, spec, until
from tests.providers.batch.servers import batching
from tests.providers.helpers import GOOD, PROMPT, endpoint, journal_at, probe, settings
from tests.providers.servers import chat


async def left(given, folder, server, ask=None):
    """Ask, and leave once everything is submitted."""
    async with opened(given, folder) as access:
        asking = asyncio.ensure_future((ask or (lambda one: asked(one, 3)))(access))
        await until(lambda: server.asked)
        access.stop(Interrupted("stopped by Ctrl-C"))
        with pytest.raises(Interrupted):
            await asking


async def collected(folder, **environment):
    return await collect_batches(journal_at(folder), environment=environment, pace=FAST)


@pytest.mark.parametrize("kind", KINDS)
async def test_replies_that_no_settings_ask_for_are_collected_and_served_later(tmp_path, kind):
    """They were paid for, and no command could fetch them once the work was complete otherwise."""
    async with batching(echo, hold=True) as server:
        given = chosen(kind, server, price_input=1.0, price_output=1.0)
        await left(given, tmp_path, server)
        pool = endpoint(spec(kind, server), batch=True, price_input=1.0, price_output=1.0)
        other = settings(pool, role={"temperature": 0.7})
        server.hold = False
        async with opened(other, tmp_path) as access:
            await asked(access, 3)
            access.batches.complete()
            assert access.batches.waiting() == (3, 1)
        assert await collected(tmp_path) == (0, 0)
        assert len(server.batches) == 2, "nothing was sent"
        booked = rows(tmp_path, "text, outcome, price_input, batch IS NOT NULL")
        assert booked[3:] == [(f"to q{number}", "ok", 0.5, 1) for number in range(3)]
        async with opened(given, tmp_path) as access:
            assert [answer.text for answer in await asked(access, 3)] == ["to q0", "to q1", "to q2"]
            assert access.spend().reused == 3
    assert len(server.batches) == 2


async def test_what_is_not_done_yet_is_left_and_still_waits(tmp_path):
    async with batching(echo, hold=True) as server:
        await left(chosen("openai", server), tmp_path, server)
        assert await collected(tmp_path) == (3, 1)
        await server.finish(server.batches["batch-0"])
        assert await collected(tmp_path) == (0, 0)
        assert await collected(tmp_path) == (0, 0)
    assert len(rows(tmp_path)) == 3


async def test_requests_that_were_not_done_are_booked_and_not_sent_again(tmp_path):
    """An expired request goes into the next batch of the command that asks, and never into another here."""
    async with batching(echo, hold=True) as server:
        await left(chosen("openai", server), tmp_path, server)
        server.fate = lambda body: "expired" if body["messages"][-1]["content"] == "q0" else None
        await server.finish(server.batches["batch-0"])
        assert await collected(tmp_path) == (0, 0)
        assert len(server.batches) == 1 and not server.singles
    assert sorted(outcome for (outcome,) in rows(tmp_path, "outcome")) == ["api_error", "ok", "ok"]


async def test_a_structured_reply_is_parsed_by_who_asks_for_it(tmp_path):
    async with batching(lambda body: chat(GOOD), hold=True) as server:
        given = chosen("openai", server)
        await left(given, tmp_path, server, probe)
        server.hold = False
        assert await collected(tmp_path) == (0, 0)
        assert rows(tmp_path, "outcome, settled, prompt") == [("ok", 0, str(PROMPT))]
        async with opened(given, tmp_path) as access:
            assert (await probe(access)).fields["answer"] == "walk"
    assert len(server.batches) == 1


async def test_a_missing_key_is_named_and_nothing_is_lost(tmp_path):
    async with batching(echo, hold=True) as server:
        given = chosen("openai", server, api_key_env="MINE")
        async with opened(given, tmp_path, environment={"MINE": "sk-planted-0123456789"}) as access:
            asking = asyncio.ensure_future(asked(access, 2))
            await until(lambda: server.asked)
            access.stop(Interrupted("stopped by Ctrl-C"))
            with pytest.raises(Interrupted):
                await asking
        with pytest.raises(ConfigError, match="MINE is not set"):
            await collected(tmp_path)
        assert b"sk-planted" not in journal_at(tmp_path).read_bytes()
        server.hold = False
        assert await collected(tmp_path, MINE="sk-planted-0123456789") == (0, 0)


async def test_a_key_of_another_account_is_told(tmp_path):
    async with batching(echo, hold=True) as server:
        await left(chosen("openai", server), tmp_path, server)
        server.batches.clear()
        with pytest.raises(EndpointUnavailable, match="key of the account"):
            await collected(tmp_path)
        with book(tmp_path) as journal:
            assert BatchBook(journal).waiting() == (3, 1)


async def test_calls_of_an_earlier_version_are_left_to_the_command_that_asked(tmp_path):
    async with batching(echo, hold=True) as server:
        await left(chosen("openai", server), tmp_path, server)
        journal = Journal(journal_at(tmp_path))
        with journal.transaction() as db:
            db.execute("UPDATE batch_requests SET call = ''")
        journal.close()
        server.hold = False
        assert await collected(tmp_path) == (3, 1)


async def test_what_is_booked_is_kept_once(tmp_path):
    """Calls and results stay beside the rows only until the rows have them."""
    async with batching(echo) as server, opened(chosen("openai", server), tmp_path) as access:
        await asked(access, 2)
    with book(tmp_path) as journal:
        assert {tuple(row) for row in journal.select("SELECT result, call FROM batch_requests")} == {
            (None, "")
        }


def test_a_call_is_recalled_as_it_was_but_for_its_schema():
    first = CallRequest(
        Role.CHECKER, (ChatMessage("user", "走"),), 0.2, 9, 5.0, PROMPT, {"type": "object"}, 3, 2
    )
    again = CallRequest(Role.SOLVER, (ChatMessage("user", "?"),), 0.0, 9, 5.0, root=first)
    given = endpoint("openai/m", batch=True, price_input=1.0, api_key_env="MINE")
    text = recorded(given, again)
    found = recalled(text)
    assert found.endpoint == given and found.request.messages == again.messages
    assert found.request.root is not None
    assert (found.request.root.prompt, found.request.root.repeat) == (PROMPT, 2)
    assert (found.request.schema, found.request.root.schema) == (None, {})
    assert "base_url" not in json.loads(text)["endpoint"]
