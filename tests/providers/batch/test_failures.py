"""What fails in a batch, or to a batch, ends as it does without one, and harms nothing else."""

from __future__ import annotations

import json
import time

import pytest
from aiohttp import web

from salitrap.errors import EndpointUnavailable
from salitrap.providers.open import open_access
from salitrap.providers.pacing.retry import Pacing
from salitrap.records import Outcome
from tests.providers.batch.helpers import FAST, KINDS, asked, chosen, echo, opened, rows
from tests.providers.batch.servers import BatchServer, batching
from tests.providers.helpers import Naps, journal_at
from tests.providers.servers import chat, claude


@pytest.mark.parametrize("kind", KINDS)
async def test_one_bad_request_fails_alone(tmp_path, kind):
    def answer(body):
        if body["messages"][-1]["content"] == "q1":
            return 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "too odd"}}
        return echo(body)

    async with batching(answer) as server, opened(chosen(kind, server), tmp_path) as access:
        answers = await asked(access, 3)
    assert [answer.outcome for answer in answers] == [Outcome.OK, Outcome.API_ERROR, Outcome.OK]
    assert "refused the request (HTTP 400): too odd" in answers[1].detail
    assert len(server.batches) == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_an_expired_request_goes_into_the_next_batch(tmp_path, kind):
    expired: list[str] = []

    def fate(body):
        text = body["messages"][-1]["content"]
        if text in ("q1", "q2") and text not in expired:
            expired.append(text)
            return "expired"
        return None

    async with batching(echo, fate=fate) as server, opened(chosen(kind, server), tmp_path) as access:
        answers = await asked(access, 4)
    assert [answer.text for answer in answers] == ["to q0", "to q1", "to q2", "to q3"]
    assert [len(batch.requests) for batch in server.batches.values()] == [4, 2]
    charged = [row for row in rows(tmp_path, "outcome, charged_input, detail") if row[0] != "ok"]
    assert [row[1] for row in charged] == [0, 0], "an expired request is not paid"
    assert "expired" in charged[0][2]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_cancelled_request_is_not_sent_again_by_itself(tmp_path, kind):
    async with (
        batching(echo, fate=lambda body: "cancelled") as server,
        opened(chosen(kind, server), tmp_path) as access,
    ):
        answers = await asked(access, 2)
    assert {answer.outcome for answer in answers} == {Outcome.API_ERROR}
    assert "cancelled at the provider" in answers[0].detail
    assert len(server.batches) == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_a_parameter_that_is_refused_is_left_out_of_the_next_batch(tmp_path, kind):
    def answer(body):
        if "temperature" in body:
            text = "`temperature` is deprecated for this model."
            return 400, {"type": "error", "error": {"type": "invalid_request_error", "message": text}}
        return echo(body)

    async with batching(answer) as server, opened(chosen(kind, server), tmp_path) as access:
        answers = await asked(access, 3)
    assert {answer.outcome for answer in answers} == {Outcome.OK}
    assert [len(batch.requests) for batch in server.batches.values()] == [3, 3]


@pytest.mark.parametrize("kind", KINDS)
async def test_odd_lines_of_results_harm_only_their_own_request(tmp_path, kind):
    """A line that is no JSON, one that is doubled, a foreign one, a blank one, one with a line separator."""

    def spoil(lines):
        foreign = lines[1].replace(b'"custom_id": "', b'"custom_id": "x')
        again = lines[2].replace(b"to q2", b"to something else")
        return [lines[0][: len(lines[0]) // 2], b"", *lines[1:], again, foreign]

    def answer(body):
        text = body["messages"][-1]["content"]
        return echo(body) if text != "q3" else (chat if kind == "openai" else claude)("a\u2028b\x85c")

    first = [spoil]
    async with (
        batching(answer, spoil=lambda lines: first.pop()(lines) if first else lines) as server,
        opened(chosen(kind, server), tmp_path) as access,
    ):
        answers = await asked(access, 4)
    assert [answer.text for answer in answers] == ["to q0", "to q1", "to q2", "a\u2028b\x85c"]
    assert [len(batch.requests) for batch in server.batches.values()] == [4, 1]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_line_without_a_reply_is_a_failure_of_its_request(tmp_path, kind):
    def spoil(lines):
        name = json.loads(lines[0])["custom_id"]
        odd = {"custom_id": name, "response": {"status_code": 200, "body": []}, "result": {"type": "new"}}
        return [json.dumps(odd).encode(), *lines[1:]]

    async with batching(echo, spoil=spoil) as server, opened(chosen(kind, server), tmp_path) as access:
        answers = await asked(access, 2)
    assert [answer.outcome for answer in answers] == [Outcome.API_ERROR, Outcome.OK]
    assert len(server.batches) == 3, "as many attempts as the settings allow"


@pytest.mark.parametrize("kind", KINDS)
async def test_results_that_are_gone_are_failures_not_a_hang(tmp_path, kind):
    async with (
        batching(echo, lose_files=True) as server,
        opened(chosen(kind, server), tmp_path) as access,
    ):
        answers = await asked(access, 2)
    assert {answer.outcome for answer in answers} == {Outcome.API_ERROR}
    assert "without a readable result" in answers[0].detail


async def test_a_batch_without_an_output_file_is_read_from_its_error_file(tmp_path):
    error = {"error": {"message": "bad", "code": None}}
    async with (
        batching(lambda body: (400, error)) as server,
        opened(chosen("openai", server), tmp_path) as access,
    ):
        answers = await asked(access, 2)
    assert {answer.outcome for answer in answers} == {Outcome.API_ERROR}
    assert "(HTTP 400): bad" in answers[0].detail


async def test_an_expired_batch_keeps_what_was_done(tmp_path):
    """OpenAI ends such a batch with fewer lines than requests."""
    gone = ["q1"]

    def fate(body):
        text = body["messages"][-1]["content"]
        return "missing" if text in gone and not gone.remove(text) else None

    async with (
        batching(echo, fate=fate, state="expired") as server,
        opened(chosen("openai", server), tmp_path) as access,
    ):
        answers = await asked(access, 3)
    assert [answer.text for answer in answers] == ["to q0", "to q1", "to q2"]
    assert [len(batch.requests) for batch in server.batches.values()] == [3, 1]


async def test_a_refused_line_fails_and_the_others_go_again(tmp_path):
    fault = {"code": "invalid_value", "message": "line 2 is odd", "line": 2, "param": None}
    async with batching(echo, refused=[[fault]]) as server:

        async def second(batch):
            if len(server.batches) > 1:
                server.refused.clear()

        server.creating = second
        async with opened(chosen("openai", server), tmp_path) as access:
            answers = await asked(access, 3)
    assert [answer.outcome for answer in answers] == [Outcome.OK, Outcome.API_ERROR, Outcome.OK]
    assert "line 2 is odd" in answers[1].detail
    assert [len(batch.requests) for batch in server.batches.values()] == [3, 2]


@pytest.mark.parametrize(
    ("code", "told"),
    [("model_not_found", "does not know the model"), ("billing_hard_limit_reached", "credit")],
)
async def test_a_batch_that_is_refused_as_a_whole_stops_where_a_request_would(tmp_path, code, told):
    fault = {"code": code, "message": "so it is", "line": None}
    async with (
        batching(echo, refused=[[fault]]) as server,
        opened(chosen("openai", server), tmp_path) as access,
    ):
        with pytest.raises(Exception, match=told) as caught:
            await asked(access, 3)
    assert caught.value.exit_code == 3
    assert len(server.batches) == 1


async def test_a_full_queue_at_the_provider_is_waited_for(tmp_path):
    """OpenAI refuses a batch when too many tokens are enqueued: that is no failure of its requests."""
    fault = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached", "line": None}
    async with batching(echo, refused=[[fault]]) as server:

        async def later(batch):
            if len(server.batches) > 1:
                server.refused.clear()

        server.creating = later
        async with opened(chosen("openai", server), tmp_path) as access:
            answers = await asked(access, 201)
    assert {answer.outcome for answer in answers} == {Outcome.OK}
    sizes = [len(batch.requests) for batch in server.batches.values()]
    assert (sizes[:2], sum(sizes)) == ([201, 100], 402)
    assert len(rows(tmp_path)) == 201, "no attempt was booked for it"


@pytest.mark.parametrize("kind", KINDS)
async def test_an_address_without_the_interface_is_told(tmp_path, kind):
    async with batching(echo, plain=True) as server, opened(chosen(kind, server), tmp_path) as access:
        with pytest.raises(EndpointUnavailable, match="has no batch interface"):
            await access.answer("q")
    assert not server.singles


def drop_upload(monkeypatch, number):
    """Servers drop the connection under that upload, counted from 0."""
    coming, upload = iter(range(100)), BatchServer.upload

    async def dropping(server, request):
        if next(coming) == number:
            request.transport.abort()
            return web.Response()
        return await upload(server, request)

    monkeypatch.setattr(BatchServer, "upload", dropping)


@pytest.mark.parametrize("dropped", [None, 0, 2])
async def test_requests_that_expire_again_and_again_do_not_give_the_endpoint_up(
    tmp_path, monkeypatch, dropped
):
    """Guards batches against rules made for seconds: two expired ones ended the run, hours apart.

    So did one dropped submission before or after batches that had expired.
    """
    drop_upload(monkeypatch, dropped)
    seen: dict[str, int] = {}

    def fate(body):
        text = body["messages"][-1]["content"]
        seen[text] = seen.get(text, 0) + 1
        return "expired" if seen[text] <= 4 else None

    async with batching(echo, fate=fate) as server:
        hours_pass = Pacing(Naps(), lambda: time.monotonic() + 43_200 * len(server.batches), draw=lambda: 0.5)
        given = chosen("openai", server, limits={"attempts": 6})
        async with open_access(given, journal_at(tmp_path), pacing=hours_pass, batches=FAST) as access:
            answers = await asked(access, 8)
    assert {answer.outcome for answer in answers} == {Outcome.OK}
    assert [len(batch.requests) for batch in server.batches.values()] == [8] * 5


async def test_many_cancelled_requests_are_rows_not_a_wrong_address(tmp_path):
    """Guards against ten of them in a first batch being taken for an endpoint that never works."""
    async with (
        batching(echo, fate=lambda body: "cancelled") as server,
        opened(chosen("openai", server), tmp_path) as access,
    ):
        answers = await asked(access, 30)
    assert {answer.outcome for answer in answers} == {Outcome.API_ERROR}


async def test_a_connection_that_drops_under_a_first_batch_counts_once(tmp_path, monkeypatch):
    """Guards a large first batch: one dropped upload counted for each of its requests, and ended the run."""
    drop_upload(monkeypatch, 0)
    async with batching(echo) as server, opened(chosen("openai", server), tmp_path) as access:
        answers = await asked(access, 30)
    assert {answer.outcome for answer in answers} == {Outcome.OK}
    assert sum("could not be submitted" in row[0] for row in rows(tmp_path, "detail")) == 30


async def test_an_address_that_takes_no_batch_at_all_is_given_up(tmp_path):
    async with batching(echo) as server:
        given = chosen("openai", server, limits={"attempts": 5})
    async with opened(given, tmp_path) as access:
        with pytest.raises(EndpointUnavailable, match=r"could not be submitted.*Check the address"):
            await asked(access, 8)


async def test_a_request_that_is_too_large_for_the_provider_fails_in_the_end(tmp_path):
    """Guards against a request larger than the queue of its account: it was tried once a minute for ever."""
    told = "Enqueued token limit reached. Limit: 90,000 enqueued tokens."
    fault = {"code": "token_limit_exceeded", "message": told, "line": None}
    async with batching(echo) as server:

        async def too_large(batch):
            texts = [body["messages"][-1]["content"] for body in batch.requests.values()]
            server.refused[:] = [[fault]] if "q1" in texts else []

        server.creating = too_large
        async with opened(chosen("openai", server), tmp_path) as access:
            answers = await asked(access, 5)
    assert [answer.outcome for answer in answers].count(Outcome.OK) == 4
    assert answers[1].outcome is Outcome.API_ERROR
    assert told in answers[1].detail
