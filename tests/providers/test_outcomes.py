"""Every outcome there is, through access and over both interfaces, with the journal row it leaves."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import dataclass

import pytest

from salitrap.errors import CallFailed
from salitrap.providers.open import open_access
from salitrap.records import Outcome
from tests.providers.helpers import GOOD, endpoint, journal_at, pacing, probe, settings
from tests.providers.servers import chat, claude, serving

REFUSED = (400, {"error": {"message": "context too long"}})
LATE = object()
PART = '{"answer": "walk"}'
REPORTED = {"openai": (11, 7), "anthropic": (13, 5)}


@dataclass(frozen=True)
class Way:
    """How a server brings an outcome about, and what the journal then says.

    ``text`` is the reply's; ``bare`` is the outcome of the same reply to a bare message.
    """

    openai: object
    anthropic: object
    detail: str
    text: str = ""
    bare: Outcome | None = None
    charged: str = "reported"


WAYS = {
    Outcome.OK: Way(chat(GOOD), claude(GOOD), "", GOOD),
    Outcome.API_ERROR: Way(REFUSED, REFUSED, "context too long", charged="nothing"),
    Outcome.TIMEOUT: Way(LATE, LATE, "no reply within 0.8 s", charged="all"),
    Outcome.EMPTY: Way(chat(""), claude(""), "the reply is empty"),
    Outcome.TRUNCATED: Way(
        chat('{"answer', "length"), claude('{"answer', "max_tokens"), "token limit (2048)", '{"answer'
    ),
    Outcome.FILTERED: Way(chat(None, "content_filter"), claude("", "refusal"), "content filter"),
    Outcome.DECLINED: Way(chat("Rather not."), claude("Rather not."), "prose", "Rather not.", Outcome.OK),
    Outcome.UNPARSABLE: Way(
        chat('{"answer": 1}'), claude('{"answer": 1}'), "sure", '{"answer": 1}', Outcome.OK
    ),
}
FORMS = ("openai", "anthropic")


def test_every_outcome_has_a_way():
    """A new outcome needs a line above, in both interfaces."""
    assert set(WAYS) == set(Outcome)


def rows(tmp_path):
    with sqlite3.connect(journal_at(tmp_path)) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute("SELECT * FROM calls ORDER BY id")]


async def through_access(tmp_path, form, call):
    """What ``call(access, question)`` gives for the question named after each outcome."""

    async def say(body, number):
        question = body["messages"][-1]["content"].split("\n")[-1]
        said = getattr(WAYS[Outcome(question)], form)
        if said is LATE:
            await asyncio.sleep(30)
            return chat("too late")
        return said

    async with serving(say) as server:
        spec = f"openai/m@{server.url}" if form == "openai" else f"anthropic/m@{server.root}"
        chosen = settings(endpoint(spec), limits={"reasks": 0, "attempts": 1}, role={"attempt_timeout": 0.8})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            got = {outcome: await call(access, outcome.value) for outcome in Outcome}
            return got, access.spend()


async def asked(access, question):
    try:
        return (await probe(access, question)).provenance.call_key, Outcome.OK
    except CallFailed as failed:
        return failed.key, failed.outcome


async def answered(access, question):
    answer = await access.answer(question)
    return answer.provenance.call_key, answer.outcome


@pytest.mark.parametrize("form", FORMS)
async def test_every_outcome_is_reached_by_a_structured_call_and_journalled(tmp_path, form):
    got, spend = await through_access(tmp_path, form, asked)
    assert {outcome: seen for outcome, (_, seen) in got.items()} == {outcome: outcome for outcome in Outcome}
    assert spend.outcomes == dict.fromkeys(Outcome, 1)
    by_key = {row["key"]: row for row in rows(tmp_path)}
    assert len(by_key) == len(Outcome), "one attempt each"
    for outcome, way in WAYS.items():
        row = by_key[got[outcome][0]]
        assert row["outcome"] == outcome.value
        check(row, way, form)
        assert row["role"] == "checker" and row["prompt"] == "probe@1/en"


@pytest.mark.parametrize("form", FORMS)
async def test_every_outcome_of_a_bare_message_is_journalled(tmp_path, form):
    got, spend = await through_access(tmp_path, form, answered)
    wanted = {outcome: way.bare or outcome for outcome, way in WAYS.items()}
    assert {outcome: seen for outcome, (_, seen) in got.items()} == wanted
    assert spend.calls == len(Outcome) - 1, "a refused request is no call"
    by_key = {row["key"]: row for row in rows(tmp_path)}
    for outcome, way in WAYS.items():
        row = by_key[got[outcome][0]]
        assert row["outcome"] == wanted[outcome].value
        check(row, way, form, told=way.bare is None)
        assert row["role"] == "solver" and row["prompt"] == ""


def check(row, way, form, told=True):
    """The columns that are the same for every kind of call."""
    assert (way.detail if told else "") in row["detail"]
    assert bool(row["detail"]) == (bool(way.detail) and told)
    assert (row["text"], row["settled"], row["final"], row["attempt"]) == (way.text, 1, 1, 1)
    assert bool(row["raw"]) == (way.charged != "all"), "whatever came is kept"
    charged, reported = (
        (row["charged_input"], row["charged_output"]),
        (row["input_tokens"], row["output_tokens"]),
    )
    if way.charged == "reported":
        assert charged == reported == REPORTED[form]
    else:
        assert reported == (None, None)
        assert charged == (0, 0) if way.charged == "nothing" else (charged[0] > 0 and charged[1] == 2048)
