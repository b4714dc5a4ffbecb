"""What a 200 may hold: each shape ends in its own outcome (case C14), with reasoning kept apart."""

from __future__ import annotations

import json

import pytest

from salitrap.errors import CallFailed
from salitrap.providers.open import open_access
from salitrap.providers.wire.reasoning import split_thought
from salitrap.records import Outcome
from tests.providers.helpers import GOOD, endpoint, journal_at, pacing, probe, settings
from tests.providers.servers import chat, claude, serving

ERROR_BODY = {"error": {"message": "upstream overloaded", "code": 502}}


async def answered(tmp_path, reply, **limits):
    """The solver's answer to a server that always says ``reply``, and the number of requests."""
    async with serving(lambda body, number: reply) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"attempts": 2, **limits})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            return await access.answer("How?"), server.requests


C14 = [
    (chat("", "length", message_reasoning_content="...so drive"), Outcome.TRUNCATED, "before any answer"),
    (chat("half a sen", "length"), Outcome.TRUNCATED, "inside the answer"),
    (chat(None, "content_filter"), Outcome.FILTERED, "filter"),
    (chat("I cannot", "content_filter"), Outcome.FILTERED, "filter"),
    (chat("  \n"), Outcome.EMPTY, "empty"),
    (chat(None, message_reasoning="hm"), Outcome.EMPTY, "reasoning"),
    (chat("I can't help with that."), Outcome.OK, ""),
    (chat(None, message_refusal="I won't."), Outcome.OK, ""),
    (ERROR_BODY, Outcome.API_ERROR, "upstream overloaded"),
    ("<html>bad gateway</html>", Outcome.API_ERROR, "not JSON"),
    ({"choices": []}, Outcome.API_ERROR, "no choices"),
    (chat("<think>draft: walk", "stop"), Outcome.TRUNCATED, "think block"),
    ((500, {"error": {"message": "boom"}}), Outcome.API_ERROR, "boom"),
    ((400, {"error": {"message": "context too long"}}), Outcome.API_ERROR, "context too long"),
]


@pytest.mark.parametrize(("reply", "outcome", "why"), C14)
async def test_c14_each_kind_of_reply_has_its_outcome_and_reason(tmp_path, reply, outcome, why):
    answer, _ = await answered(tmp_path, reply)
    assert answer.outcome is outcome
    assert why in answer.detail


async def test_c14_reasoning_is_never_the_answer(tmp_path):
    answer, _ = await answered(tmp_path, C14[0][0])
    assert (answer.text, answer.reasoning) == ("", "...so drive")


async def test_c14_a_refusal_where_structure_was_asked_is_declined_and_other_calls_go_on(tmp_path):
    def say(body, number):
        return chat("I can't help with that." if "bad" in body["messages"][1]["content"] else GOOD)

    async with serving(say) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"reasks": 0})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            with pytest.raises(CallFailed) as caught:
                await probe(access, "bad")
            assert caught.value.outcome is Outcome.DECLINED
            assert caught.value.raw == "I can't help with that."
            assert (await probe(access, "good")).fields["answer"] == "walk"
            assert access.spend().outcomes == {Outcome.OK: 1, Outcome.DECLINED: 1}


@pytest.mark.parametrize(
    ("reply", "requests"),
    [
        (chat(""), 2),
        (chat("x", "length"), 1),
        (chat("x", "content_filter"), 1),
        (ERROR_BODY, 2),
        ((400, {}), 1),
    ],
)
async def test_only_what_may_pass_is_tried_again(tmp_path, reply, requests):
    _, seen = await answered(tmp_path, reply)
    assert seen == requests


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": "a", "reasoning_content": "r"}, "a", "r"),
        ({"content": "a", "reasoning": "r"}, "a", "r"),
        ({"content": "<think>r</think>\n\na"}, "a", "r"),
        ({"content": "r</think>a"}, "a", "r"),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "r"}]},
                    {"type": "text", "text": "a"},
                ]
            },
            "a",
            "r",
        ),
    ],
)
async def test_reasoning_is_kept_apart_in_every_shape(tmp_path, message, text, reasoning):
    reply = chat(None)
    reply["choices"][0]["message"] = message
    answer, _ = await answered(tmp_path, reply)
    assert (answer.outcome, answer.text, answer.reasoning) == (Outcome.OK, text, reasoning)


@pytest.mark.parametrize(
    ("reply", "outcome", "text"),
    [
        (claude("walk", thinking="near"), Outcome.OK, "walk"),
        (claude("wal", "max_tokens"), Outcome.TRUNCATED, "wal"),
        (claude("", "refusal"), Outcome.FILTERED, ""),
        (claude(""), Outcome.EMPTY, ""),
    ],
)
async def test_messages_interface_ends_in_the_same_outcomes(tmp_path, reply, outcome, text):
    async with serving(lambda body, number: reply) as server:
        chosen = settings(endpoint(f"anthropic/c@{server.root}", family="claude"), role={"temperature": 1.4})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            answer = await access.answer("How?")
            assert (answer.outcome, answer.text, answer.family) == (outcome, text, "claude")
            assert answer.provenance.returned_model == "served-claude"
            assert access.spend().input_tokens == 13 * server.requests
        assert server.seen[0].body["messages"] == [{"role": "user", "content": "How?"}]
        assert "system" not in server.seen[0].body
        assert server.seen[0].body["temperature"] == 1.0


async def test_solver_gets_one_bare_user_message(tmp_path):
    async with serving(lambda body, number: chat("walk")) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()
        ) as access:
            await access.answer("How?")
        assert server.seen[0].body["messages"] == [{"role": "user", "content": "How?"}]
        assert not {"seed", "response_format"} & set(server.seen[0].body)


async def test_lab_fingerprint_marks_what_came_of_it_whatever_the_spec(tmp_path):
    async with (
        serving(lambda body, number: chat(GOOD, system_fingerprint="salitrap-lab-7")) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()) as access,
    ):
        assert (await access.answer("How?")).provenance.simulated
        assert (await probe(access)).provenance.simulated
        assert (await probe(access)).provenance.simulated
        assert access.spend().simulated


async def test_lone_surrogates_neither_leave_nor_arrive(tmp_path):
    body = '{"choices":[{"message":{"content":"a\\ud800b"},"finish_reason":"stop"}]}'
    async with serving(lambda request, number: body) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()
        ) as access:
            assert (await access.answer("x\udc00y")).text == "a?b"
        assert server.seen[0].body["messages"][0]["content"] == "x?y"


def test_many_think_blocks_are_read_in_one_pass():
    thought = split_thought("<think>a</think>" * 5_000 + "done")
    assert (thought.text, thought.unfinished) == ("done", False)


TEXT = "先走路去洗车店，再说\ufffd。"


@pytest.mark.parametrize("form", ["openai", "anthropic"])
@pytest.mark.parametrize("encoding", ["gbk", "utf-16"])
async def test_reply_in_another_encoding_is_a_failure_and_not_garbled_text(tmp_path, form, encoding):
    """A GBK answer arrived as a row of replacement signs, and was judged."""
    reply = chat(TEXT[:-2]) if form == "openai" else claude(TEXT[:-2])
    body = json.dumps(reply, ensure_ascii=False).encode(encoding)
    failed, served = await one_answer(tmp_path, form, body)
    assert (failed.outcome, failed.text, served) == (Outcome.API_ERROR, "", 2)
    assert "the reply is not UTF-8" in failed.detail


@pytest.mark.parametrize("form", ["openai", "anthropic"])
async def test_replacement_sign_that_was_sent_as_such_is_part_of_the_answer(tmp_path, form):
    reply = chat(TEXT) if form == "openai" else claude(TEXT)
    said, _ = await one_answer(tmp_path, form, json.dumps(reply, ensure_ascii=False).encode())
    assert (said.outcome, said.text) == (Outcome.OK, TEXT)


@pytest.mark.parametrize("kind", ["text/plain; charset=iso-8859-1", "application/json; charset=gbk"])
async def test_header_with_a_wrong_encoding_garbles_nothing(tmp_path, kind):
    body = json.dumps(chat(TEXT), ensure_ascii=False)
    said, _ = await one_answer(tmp_path, "openai", (200, body.encode(), {"Content-Type": kind}))
    assert said.text == TEXT


async def one_answer(tmp_path, form, reply):
    """The solver's answer to a server that always says ``reply``, and the number of requests."""
    async with serving(lambda body, number: reply) as server:
        address = server.url if form == "openai" else server.root
        chosen = settings(f"{form}/m@{address}", limits={"attempts": 2})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            return await access.answer("How?"), server.requests
