"""Requests through the batch interfaces: the same replies, in any order, at half the price."""

from __future__ import annotations

import pytest

from salitrap.errors import ConfigError
from salitrap.providers.journal.batches import BatchBook
from tests.providers.batch.helpers import KINDS, asked, book, chosen, echo, opened, rows, spec
from tests.providers.batch.servers import batching
from tests.providers.helpers import GOOD, endpoint, probe, settings
from tests.providers.servers import chat, claude


@pytest.mark.parametrize("kind", KINDS)
async def test_replies_find_their_questions_in_any_order(tmp_path, kind):
    async with (
        batching(echo, spoil=lambda lines: lines[::-1], polls=2) as server,
        opened(chosen(kind, server), tmp_path) as access,
    ):
        answers = await asked(access, 40)
    assert [answer.text for answer in answers] == [f"to q{number}" for number in range(40)]
    assert len(server.batches) == 1 and len(server.submitted) == 40
    assert not server.singles


@pytest.mark.parametrize("kind", KINDS)
async def test_a_reply_is_what_it_is_without_a_batch(tmp_path, kind):
    """Body, outcome, tokens and sampling: nothing but the time, the price and the batch differ."""
    same = "messages, role, sampling, text, reasoning, outcome, detail, settled, final, "
    same += "input_tokens, output_tokens, returned_model, simulated"

    def answer(body):
        text = body["messages"][-1]["content"]
        if text == "q1":
            return chat("", "length") if kind == "openai" else claude("", "max_tokens")
        if text == "q2":
            error = {"type": "invalid_request_error", "message": "no such thing"}
            return 400, {"type": "error", "error": error}
        return chat(f"<think>hm</think>{text}") if kind == "openai" else claude(text, thinking="hm")

    found = []
    async with batching(answer) as server:
        for batch, folder in ((True, tmp_path / "batch"), (False, tmp_path / "alone")):
            folder.mkdir()
            given = settings(endpoint(spec(kind, server), batch=batch), limits={"attempts": 3})
            async with opened(given, folder) as access:
                await asked(access, 4)
            found.append(sorted(rows(folder, same)))
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_batch_costs_half(tmp_path, kind):
    async with batching(echo) as server:
        given = chosen(kind, server, price_input=10.0, price_output=100.0)
        async with opened(given, tmp_path) as access:
            await asked(access, 3)
            spend = access.spend()
    tokens = (11, 7) if kind == "openai" else (13, 5)
    assert spend.usd == pytest.approx(3 * 0.5 * (tokens[0] * 10 + tokens[1] * 100) / 1e6)
    with book(tmp_path) as journal:
        assert journal.spend(lambda model, address: None).usd == pytest.approx(spend.usd)


async def test_what_is_reserved_is_half_too(tmp_path):
    """Worst case of a call: 100 tokens written at 100 USD a million; three of them fit only at half price."""
    async with batching(echo, polls=3) as server:
        end = endpoint(spec("openai", server), batch=True, price_input=0.0, price_output=100.0)
        given = settings(end, role={"max_tokens": 100}, budget={"usd": 0.016})
        async with opened(given, tmp_path) as access:
            await asked(access, 3)
    assert len(server.batches) == 1


async def test_this_machine_has_no_batches(tmp_path):
    with pytest.raises(ConfigError, match="batch"):
        async with opened(settings(endpoint("lab/judge", batch=True)), tmp_path):
            pass


async def test_a_structured_question_is_asked_again_in_a_batch_of_its_own(tmp_path):
    said = ["no idea", GOOD]
    async with (
        batching(lambda body: chat(said.pop(0))) as server,
        opened(chosen("openai", server), tmp_path) as access,
    ):
        found = await probe(access)
    assert found.fields["answer"] == "walk"
    assert len(server.batches) == 2


@pytest.mark.parametrize("kind", KINDS)
async def test_no_key_is_in_any_file(tmp_path, kind):
    """Guards results, which are stored as they come: the server repeats the key in a reply and an error."""
    key = "sk-planted-0123456789"

    def answer(body):
        if body["messages"][-1]["content"] == "q1":
            return 400, {"type": "error", "error": {"type": "invalid_request_error", "message": f"bad {key}"}}
        return (chat if kind == "openai" else claude)(f"your key is {key}")

    async with batching(answer) as server:
        given = chosen(kind, server, api_key_env="PLANTED")
        async with opened(given, tmp_path, environment={"PLANTED": key}) as access:
            answers = await asked(access, 2)
    assert key not in answers[0].text + answers[1].detail
    for path in tmp_path.rglob("*"):
        assert key.encode() not in path.read_bytes(), path


async def test_results_that_were_booked_are_not_kept_twice(tmp_path):
    async with batching(echo) as server, opened(chosen("openai", server), tmp_path) as access:
        await asked(access, 3)
    with book(tmp_path) as journal:
        assert not journal.select("SELECT 1 FROM batch_requests WHERE result IS NOT NULL")
        assert BatchBook(journal).waiting() == (0, 0)
