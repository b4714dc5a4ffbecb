"""Endpoints that take only temperature 1, or another name for the token limit (case C15)."""

from __future__ import annotations

import asyncio
import json
import sqlite3

import pytest

from salitrap.providers.access import ChatMessage
from salitrap.providers.open import open_access
from salitrap.providers.request import CallRequest
from salitrap.records import Outcome, Role
from tests.providers.helpers import GOOD, PROMPT, endpoint, journal_at, pacing, probe, settings
from tests.providers.servers import chat, serving


def picky(body, number):
    """The fake server of case C15."""
    if body.get("temperature", 1) != 1:
        return 400, {"error": {"param": "temperature", "message": "only the default is supported"}}
    if "max_tokens" in body:
        return 400, {"error": {"param": "max_tokens", "message": "use max_completion_tokens"}}
    return chat(GOOD)


async def test_c15_refused_parameters_are_learnt_once_warned_of_and_recorded(tmp_path, caplog):
    async with serving(picky) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()
        ) as access:
            for number in range(5):
                assert (await probe(access, f"q{number}")).fields["answer"] == "walk"
            assert access.spend().calls == 5
        assert server.requests == 7, "two refusals, then one request a call"
    assert [record.levelname for record in caplog.records if "refused a parameter" in record.message] == [
        "WARNING"
    ] * 2
    rows = (
        sqlite3.connect(journal_at(tmp_path))
        .execute("SELECT sampling FROM calls WHERE outcome = 'ok'")
        .fetchall()
    )
    used = [json.loads(row[0]) for row in rows]
    assert {row["temperature"] for row in used} == {None}
    assert {row["max_completion_tokens"] for row in used} == {2048}


@pytest.mark.parametrize(
    "message", ["`temperature` is deprecated for this model.", "temperature: only 1 is allowed"]
)
async def test_refusal_that_names_its_parameter_in_words_is_understood(tmp_path, message):
    def say(body, number):
        return (
            (400, {"type": "error", "error": {"type": "x", "message": message}})
            if "temperature" in body
            else chat("ok")
        )

    async with serving(say) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()
        ) as access:
            assert (await access.answer("How?")).outcome is Outcome.OK
        assert server.requests == 2


@pytest.mark.parametrize("takes", [True, False])
async def test_an_answer_says_when_the_models_own_temperature_applied(tmp_path, takes):
    """Rows said 0.2 although the endpoint had refused it and the call went out without."""
    async with serving(lambda body, number: chat("Walk.") if takes else picky(body, number)) as server:
        chosen = settings(f"openai/m@{server.url}")
        for _ in ("asked", "from the journal"):
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                assert (await access.answer("How?")).default_temperature is not takes
    assert server.requests == (1 if takes else 3)


async def test_limit_that_is_too_large_is_not_sent_under_another_name(tmp_path):
    """A server that does not know the other name would then have had no limit at all."""

    def say(body, number):
        name = next(key for key in body if key.startswith("max_"))
        return 400, {"error": {"param": name, "message": f"{name} is too large"}}

    async with serving(say) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()
        ) as access:
            answer = await access.answer("How?")
        assert (answer.outcome, server.requests) == (Outcome.API_ERROR, 1)


async def test_seed_and_schema_are_sent_only_where_declared(tmp_path):
    async with serving(lambda body, number: chat(GOOD)) as server:
        declared = endpoint(f"openai/m@{server.url}", sampling_seed=True, json_schema=True)
        async with open_access(settings(declared), journal_at(tmp_path), pacing=pacing()) as access:
            for repeat in (0, 1):
                await probe(access, repeat=repeat)
        seeds = [seen.body["seed"] for seen in server.seen]
        assert len(set(seeds)) == 2 and all(0 <= seed < 2**31 for seed in seeds)
        schema = server.seen[0].body["response_format"]["json_schema"]["schema"]
        assert schema["required"] == ["answer", "sure"]


@pytest.mark.parametrize(
    ("spec", "declared", "sent"),
    [
        ("openai/gpt-5-mini", None, True),
        ("openai/gpt-5-mini", False, False),
        ("openai/m@http://127.0.0.1:9/v1", None, False),
        ("openai/m@http://127.0.0.1:9/v1", True, True),
    ],
)
async def test_schema_is_tried_with_openai_itself_and_sent_elsewhere_when_declared(
    tmp_path, spec, declared, sent
):
    chosen = settings(endpoint(spec, json_schema=declared))
    environment = {"OPENAI_API_KEY": "k"}
    async with open_access(chosen, journal_at(tmp_path), environment=environment) as access:
        first = access._pools[Role.CHECKER].endpoints[0]
        request = CallRequest(
            role=Role.CHECKER,
            messages=(ChatMessage("user", "How?"),),
            temperature=0.0,
            max_tokens=9,
            attempt_timeout=1.0,
            prompt=PROMPT,
            schema={"type": "object"},
        )
        assert (first.wire_request(request, "0" * 64).schema is not None) is sent


async def test_schema_that_is_refused_is_not_sent_again(tmp_path):
    def say(body, number):
        refused = 400, {"error": {"param": "response_format", "message": "json_schema is not supported"}}
        return refused if "response_format" in body else chat(GOOD)

    async with serving(say) as server:
        declared = endpoint(f"openai/m@{server.url}", json_schema=True)
        async with open_access(settings(declared), journal_at(tmp_path), pacing=pacing()) as access:
            for repeat in range(3):
                assert (await probe(access, repeat=repeat)).fields["answer"] == "walk"
        assert ["response_format" in seen.body for seen in server.seen] == [True, False, False, False]


async def test_a_refused_parameter_is_reported_once_however_many_requests_were_under_way(tmp_path, caplog):
    async def say(body, number):
        await asyncio.sleep(0.05)
        return picky(body, number)

    async with (
        serving(say) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path)) as access,
    ):
        await asyncio.gather(*(access.answer(f"{number}?") for number in range(16)))
    told = [record.getMessage() for record in caplog.records if "refused a parameter" in record.getMessage()]
    assert len(told) == 2, "the temperature and the name of the limit"
