"""Siblings of the cases C14 to C19: what a transport can do to a reply, in both interfaces."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from datetime import UTC, datetime

import dspy
import pytest

from salitrap.errors import CallFailed
from salitrap.providers.open import open_access
from salitrap.providers.pacing.retry import Pacing
from salitrap.records import Outcome, Role
from tests.providers.helpers import GOOD, PROMPT, Naps, endpoint, journal_at, pacing, probe, settings
from tests.providers.parsing.asking import Reason
from tests.providers.servers import chat, claude, serving


def spec_of(form, server):
    return f"openai/m@{server.url}" if form == "openai" else f"anthropic/m@{server.root}"


async def answer_to(tmp_path, form, reply, **role):
    async with serving(lambda body, number: reply) as server:
        chosen = settings(spec_of(form, server), limits={"attempts": 1}, role=role)
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            return await access.answer("How?")


def shaped(**choice):
    return {**chat(""), "choices": [choice]}


def blocks(*content, stop="end_turn"):
    return {**claude(""), "content": list(content), "stop_reason": stop}


SPENT = {"prompt_tokens": 5, "completion_tokens": 64}
REFUSAL_PART = {"type": "refusal", "refusal": "I can't help with that."}
OVERLOADED = {"message": "upstream overloaded", "code": "502"}
THOUGHT = {"type": "thinking", "thinking": "so drive"}
C14 = {
    "budget, 'stop'": ("openai", chat("", message_reasoning="so", usage=SPENT), Outcome.TRUNCATED, "(64)"),
    "budget, no finish": ("openai", chat(None, None, usage=SPENT), Outcome.TRUNCATED, "before any answer"),
    "budget, thinking": ("anthropic", blocks(THOUGHT, stop="max_tokens"), Outcome.TRUNCATED, "before any"),
    "filter in capitals": ("openai", chat("I cannot", "SAFETY"), Outcome.FILTERED, "filter"),
    "filter of messages": ("anthropic", claude("I cannot", "refusal"), Outcome.FILTERED, "filter"),
    "no message": ("openai", shaped(finish_reason="stop"), Outcome.EMPTY, "empty"),
    "null message": ("openai", shaped(finish_reason="stop", message=None), Outcome.EMPTY, "empty"),
    "tool call": ("openai", chat(None, "tool_calls", message_tool_calls=[{}]), Outcome.EMPTY, "empty"),
    "no blocks": ("anthropic", blocks(), Outcome.EMPTY, "empty"),
    "thinking only": ("anthropic", blocks(THOUGHT), Outcome.EMPTY, "reasoning but no answer"),
    "refusal of messages": ("anthropic", claude("I can't help with that."), Outcome.OK, ""),
    "refusal as a part": ("openai", chat([REFUSAL_PART]), Outcome.OK, ""),
    "upstream in the choice": ("openai", shaped(error=OVERLOADED), Outcome.API_ERROR, "overloaded"),
    "upstream, code as text": ("openai", {"error": OVERLOADED}, Outcome.API_ERROR, "(HTTP 502)"),
    "upstream of messages": ("anthropic", {"type": "error", "error": OVERLOADED}, Outcome.API_ERROR, "502"),
    "error beside choices": ("openai", chat("half", error=OVERLOADED), Outcome.API_ERROR, "overloaded"),
}  # fmt: skip


@pytest.mark.parametrize(("form", "reply", "outcome", "why"), C14.values(), ids=C14)
async def test_c14_replies_without_an_answer_are_told_apart(tmp_path, form, reply, outcome, why):
    answer = await answer_to(tmp_path, form, reply, max_tokens=64)
    assert (answer.outcome, why in answer.detail) == (outcome, True), answer.detail
    assert answer.text in ("", "I cannot", "I can't help with that.")
    assert "drive" not in answer.text


async def test_c14_refusal_part_where_structure_was_asked_is_declined(tmp_path):
    """A refusal that came as a part of the content was taken for an empty reply."""
    async with serving(lambda body, number: chat([REFUSAL_PART])) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"reasks": 0})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            with pytest.raises(CallFailed) as failed:
                await probe(access)
    assert (failed.value.outcome, failed.value.raw) == (Outcome.DECLINED, REFUSAL_PART["refusal"])


def picky(form, status):
    """Refuses a temperature, and of chat completions the old name of the token limit as well."""

    def say(body, number):
        if body.get("temperature", 1) != 1:
            return status, {"error": {"param": "temperature", "message": "only the default is supported"}}
        if form == "openai" and "max_tokens" in body:
            return status, {"error": {"param": "max_tokens", "message": "use max_completion_tokens"}}
        return chat(GOOD) if form == "openai" else claude(GOOD)

    return say


@pytest.mark.parametrize(("form", "status"), [("openai", 400), ("openai", 422), ("anthropic", 400)])
async def test_c15_64_calls_at_once_learn_what_is_refused_without_a_storm(tmp_path, form, status):
    async with serving(picky(form, status), delay=0.01) as server:
        async with open_access(
            settings(spec_of(form, server)), journal_at(tmp_path), pacing=pacing()
        ) as access:
            await asyncio.gather(*(probe(access, f"q{number}") for number in range(64)))
            assert access.spend().calls == 64
        assert server.requests <= 3 * 64
        served = server.requests
        async with open_access(
            settings(spec_of(form, server)), journal_at(tmp_path), pacing=pacing()
        ) as access:
            await probe(access, "q0")
        assert server.requests == served
    with sqlite3.connect(journal_at(tmp_path)) as db:
        sampling = [
            json.loads(row[0]) for row in db.execute("SELECT sampling FROM calls WHERE outcome = 'ok'")
        ]
    assert {used["temperature"] for used in sampling} == {None}, "the temperature that was really used"


@pytest.mark.parametrize("form", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("header", "shortest", "longest"),
    [
        ({"Retry-After": "3"}, 3.0, 4.0),
        ({"Retry-After": "inf"}, 0.0, 1.0),
        ({"Retry-After": "-1"}, 0.0, 1.0),
        ({"Retry-After": "3, 4"}, 0.0, 1.0),
        ({"Retry-After": ""}, 0.0, 1.0),
        ({"retry-after-ms": "2500"}, 2.5, 3.5),
        ({"retry-after-ms": "inf", "Retry-After": "3"}, 0.0, 4.0),
        ({"Retry-After": "Tue, 01 Jan 2030 00:01:00 GMT"}, 60.0, 61.0),
    ],
)
async def test_c16_pause_asked_for_by_either_interface(tmp_path, form, header, shortest, longest):
    good = chat("ok") if form == "openai" else claude("ok")
    naps = Naps()
    async with serving(lambda body, number: good if number else (429, {}, header)) as server:
        chosen = settings(spec_of(form, server))
        time = Pacing(sleep=naps, draw=lambda: 0.5, now=lambda: datetime(2030, 1, 1, tzinfo=UTC))
        async with open_access(chosen, journal_at(tmp_path), pacing=time) as access:
            assert (await access.answer("How?")).outcome is Outcome.OK
    assert shortest <= sum(naps.taken) <= longest


async def test_c16_calls_refused_together_come_back_one_by_one(tmp_path):
    naps = Naps()
    said = (429, {}, {"Retry-After": "3"})
    async with serving(lambda body, number: chat("ok") if number >= 16 else said) as server:
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=Pacing(sleep=naps)) as access:
            await asyncio.gather(*(access.answer(f"q{number}") for number in range(16)))
    asked_for = [nap for nap in naps.taken if nap >= 3.0]
    assert len({round(nap, 4) for nap in asked_for}) > len(asked_for) // 2


async def test_c18_structured_calls_that_differ_in_repeat_or_sampling_are_calls_of_their_own(tmp_path):
    def say(body, number):
        return chat(json.dumps({"answer": f"reply{number}", "sure": True}))

    async with serving(say) as server:
        got = []
        for role in ({"temperature": 0.0}, {"temperature": 1.0}, {"max_tokens": 16}, {"max_tokens": 4000}):
            chosen = settings(f"openai/m@{server.url}", role=role)
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                got += [await probe(access, repeat=repeat) for repeat in range(5)]
                again = [await probe(access, repeat=repeat) for repeat in range(5)]
            assert again == got[-5:]
        assert server.requests == 20
    assert len({one.fields["answer"] for one in got}) == 20
    with sqlite3.connect(journal_at(tmp_path)) as db:
        assert db.execute("SELECT count(*) FROM calls").fetchone() == (20,)


async def test_c18_repeats_at_one_time_are_not_one_call(tmp_path):
    async with serving(lambda body, number: chat(f"reply{number}"), delay=0.02) as server:
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            got = await asyncio.gather(*(access.answer("How?", repeat=repeat) for repeat in range(5)))
        assert server.requests == 5
    assert len({one.text for one in got}) == 5


WHOLE = "[[ ## reason ## ]]\nthe whole sentence\n[[ ## answer ## ]]\ndrive\n[[ ## completed ## ]]"
HALF = "[[ ## reason ## ]]\nhalf a sen\n[[ ## answer ## ]]\ndrive"
C19 = {
    "openai: cut marker": ("openai", chat("[[ ## ans"), chat(WHOLE)),
    "openai: half a sentence": ("openai", chat(HALF, "length"), chat(WHOLE)),
    "anthropic: cut marker": ("anthropic", claude("[[ ## ans"), claude(WHOLE)),
    "anthropic: half a sentence": ("anthropic", claude(HALF, "max_tokens"), claude(WHOLE)),
    "filtered with text": ("openai", chat(WHOLE, "content_filter"), chat(WHOLE)),
    "error beside a whole text": ("openai", chat(WHOLE, error={"message": "x", "code": 400}), chat(WHOLE)),
    "open thought": ("openai", chat(f"<think>{WHOLE}"), chat(WHOLE)),
    "wrong status": ("openai", (400, chat(WHOLE)), chat(WHOLE)),
}


@pytest.mark.parametrize(("form", "first", "second"), C19.values(), ids=C19)
async def test_c19_bad_reply_is_never_replayed(tmp_path, form, first, second):
    said = [first]

    async def run(chosen):
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            got = await access.ask(Role.JUDGE, dspy.Predict(Reason), {"question": "?"}, PROMPT)
            return dict(got.fields)

    async with serving(lambda body, number: said[0]) as server:
        chosen = settings(endpoint(spec_of(form, server)), limits={"reasks": 0, "attempts": 1})
        with pytest.raises(CallFailed):
            await run(chosen)
        served, said[0] = server.requests, second
        assert await run(chosen) == {"reason": "the whole sentence", "answer": "drive"}
        assert await run(chosen) == {"reason": "the whole sentence", "answer": "drive"}
        assert server.requests == served + 1
