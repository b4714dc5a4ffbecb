"""What the journal gives back, and what it never does (cases C18 and C19)."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from salitrap.errors import CallFailed
from salitrap.providers.open import open_access
from salitrap.records import Outcome
from salitrap.settings import Policy
from tests.providers.helpers import GOOD, journal_at, pacing, probe, settings
from tests.providers.servers import chat, serving

PROJECT = Path(__file__).parents[3]


async def test_a_parsed_reply_is_never_paid_twice(tmp_path):
    async with serving(lambda body, number: chat(GOOD)) as server:
        chosen = settings(f"openai/m@{server.url}")
        for _ in range(2):
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                asked = [await probe(access, f"q{number}") for number in range(5)]
                answers = [await access.answer(f"q{number}") for number in range(5)]
        assert server.requests == 10
        assert access.spend().reused == 10
        assert access.spend().calls == 10, "spend is cumulative over the journal"
    assert [one.fields["answer"] for one in asked] == ["walk"] * 5
    assert [one.outcome for one in answers] == [Outcome.OK] * 5


async def test_c18_settings_that_differ_are_calls_that_differ(tmp_path):
    async with serving(lambda body, number: chat(f"reply{number}")) as server:
        for role in ({"temperature": 0.0}, {"temperature": 1.0}, {"max_tokens": 16}, {"max_tokens": 4000}):
            chosen = settings(f"openai/m@{server.url}", role=role)
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                await access.answer("How?")
        assert server.requests == 4


async def test_c18_repeats_are_never_served_from_each_other(tmp_path):
    async with serving(lambda body, number: chat(f"reply{number}")) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()
        ) as access:
            answers = [await access.answer("How?", repeat=repeat) for repeat in range(5)]
            again = [await access.answer("How?", repeat=repeat) for repeat in range(5)]
        assert server.requests == 5
    assert [one.text for one in answers] == [f"reply{number}" for number in range(5)]
    assert [one.text for one in again] == [one.text for one in answers]


@pytest.mark.parametrize(
    "first",
    [
        chat('{"answer": "walk", "su'),
        chat(GOOD, "length"),
        chat("No."),
        chat(""),
        (400, {}),
        chat(None, "content_filter"),
    ],
)
async def test_c19_a_bad_reply_is_not_replayed(tmp_path, first):
    said = [first]
    async with serving(lambda body, number: said[0]) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"reasks": 0})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            with pytest.raises(CallFailed):
                await probe(access)
        spent, said[0] = server.requests, chat(GOOD)
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await probe(access)).fields["answer"] == "walk"
        assert server.requests == spent + 1


async def test_c19_a_truncated_answer_is_not_replayed(tmp_path):
    said = [chat("half a sen", "length")]
    async with serving(lambda body, number: said[0]) as server:
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await access.answer("How?")).outcome is Outcome.TRUNCATED
            said[0] = chat("the whole sentence")
            assert (await access.answer("How?")).text == "the whole sentence"


async def test_a_reply_that_was_never_parsed_is_parsed_on_resume_not_paid_again(tmp_path):
    async with serving(lambda body, number: chat(GOOD)) as server:
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            await probe(access)
        with sqlite3.connect(journal_at(tmp_path)) as db:
            db.execute("UPDATE calls SET settled = 0")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await probe(access)).fields["answer"] == "walk"
        assert server.requests == 1
        assert sqlite3.connect(journal_at(tmp_path)).execute("SELECT settled FROM calls").fetchall() == [(1,)]


async def test_a_reply_won_by_asking_again_is_found_on_resume(tmp_path):
    async with serving(lambda body, number: chat(GOOD if number else "Well, walk.")) as server:
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            first = await probe(access)
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            second = await probe(access)
        assert server.requests == 2
    assert first == second


async def test_two_equal_calls_at_one_time_are_paid_once(tmp_path):
    async with serving(lambda body, number: chat(GOOD), delay=0.05) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()
        ) as access:
            await asyncio.gather(*(probe(access) for _ in range(8)))
            assert access.spend().reused == 7
        assert server.requests == 1


async def test_failover_reply_is_found_under_the_endpoint_that_gave_it(tmp_path):
    down = (503, {"error": {"message": "down"}})
    said = [down]
    async with (
        serving(lambda body, number: said[0]) as first,
        serving(lambda body, number: chat(GOOD)) as backup,
    ):
        chosen = settings(f"openai/a@{first.url}", f"openai/b@{backup.url}", role={"policy": Policy.FAILOVER})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            asked = await probe(access)
        assert asked.provenance.model.startswith("openai/b@")
        paid, said[0] = first.requests, chat(GOOD)
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert await probe(access) == asked
        assert (first.requests, backup.requests) == (paid, 1)


async def test_conversation_that_was_cut_short_goes_on_where_it_was(tmp_path):
    """Its first reply was paid for and not in flight, and yet it was paid for again."""
    asked_again = asyncio.Event()

    async def say(body, number):
        if number == 0:
            return chat("Let me think about that.")
        if number == 1:
            asked_again.set()
            await asyncio.sleep(3600)
        return chat(GOOD)

    async with serving(say) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"reasks": 1})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            asking = asyncio.create_task(probe(access))
            await asked_again.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await probe(access)).fields["answer"] == "walk"
        assert server.requests == 3
        assert [len(seen.body["messages"]) for seen in server.seen] == [2, 4, 4]
        assert server.seen[1].body == server.seen[2].body


async def test_conversation_that_came_to_its_end_is_held_anew(tmp_path):
    async with serving(lambda body, number: chat("No." if number < 4 else GOOD)) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"reasks": 1})
        for _ in range(2):
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                with pytest.raises(CallFailed):
                    await probe(access)
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await probe(access)).fields["answer"] == "walk"
        assert [len(seen.body["messages"]) for seen in server.seen] == [2, 4, 2, 4, 2]
