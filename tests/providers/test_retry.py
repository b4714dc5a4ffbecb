"""Pauses, caps and giving up (case C16)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.errors import CredentialRejected, EndpointUnavailable, RateLimited
from salitrap.providers.open import open_access
from salitrap.providers.retry import LONGEST_DELAY, Pacing, retry_after_seconds
from salitrap.records import Outcome
from salitrap.settings import Policy
from tests.providers.helpers import Naps, endpoint, journal_at, pacing, settings
from tests.providers.servers import chat, serving

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def slow_down(value):
    return 429, {"error": {"message": "slow down"}}, {} if value is None else {"Retry-After": value}


@pytest.mark.parametrize(
    ("header", "shortest", "longest"),
    [
        ("3", 3.0, 4.0),
        ("90", 90.0, 91.0),
        ("0", 0.0, 1.0),
        ("inf", 0.0, 1.0),
        ("nan", 0.0, 1.0),
        ("-1", 0.0, 1.0),
        ("soon", 0.0, 1.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0, 1.0),
        (None, 0.0, 1.0),
        ("1e400", 0.0, 1.0),
    ],
)
async def test_c16_sensible_pauses_are_kept_and_odd_ones_fall_back(tmp_path, header, shortest, longest):
    naps = Naps()
    async with (
        serving(lambda body, number: chat("ok") if number else slow_down(header)) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing(naps)) as access,
    ):
        assert (await access.answer("How?")).outcome is Outcome.OK
        assert access.spend().calls == 1, "a 429 is no call"
    assert len(naps.taken) == 1
    assert shortest <= naps.taken[0] <= longest


async def test_c16_pause_above_the_cap_stops_the_run_when_nothing_else_can_answer(tmp_path):
    naps = Naps()
    async with serving(lambda body, number: slow_down("86400")) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing(naps)
        ) as access:
            with pytest.raises(RateLimited, match=r"86400 s.*retry_after_cap.*same command"):
                await access.answer("How?")
        assert (server.requests, naps.taken) == (1, [])


async def test_c16_pause_above_the_cap_fails_the_call_when_the_pool_has_others(tmp_path):
    async with (
        serving(lambda body, number: slow_down("86400")) as busy,
        serving(lambda body, number: chat("ok")) as free,
    ):
        chosen = settings(f"openai/a@{busy.url}", f"openai/b@{free.url}", role={"policy": Policy.ROUND_ROBIN})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            failed = await access.answer("How?", slot=0)
            served = await access.answer("How?", slot=1)
    assert (failed.outcome, failed.family) == (Outcome.API_ERROR, "a")
    assert (served.outcome, served.family) == (Outcome.OK, "b")


def test_c16_workers_do_not_retry_at_one_instant():
    pauses = {round(Pacing().after(3.0), 6) for _ in range(50)} | {
        round(Pacing().backoff(5), 6) for _ in range(50)
    }
    assert len(pauses) > 90


@given(st.one_of(st.text(), st.floats().map(str), st.integers().map(str)))
def test_no_header_makes_an_endless_or_negative_pause(value):
    seconds = retry_after_seconds(value, NOW)
    assert seconds is None or 0.0 < seconds < float("inf")


@given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True))
def test_backoff_stays_within_its_ceiling(failures, drawn):
    assert 0.0 <= Pacing(draw=lambda: drawn).backoff(failures) <= LONGEST_DELAY


async def test_a_429_storm_is_speed_not_an_error(tmp_path):
    async with (
        serving(lambda body, number: chat("ok") if number >= 30 else slow_down(None)) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()) as access,
    ):
        assert (await access.answer("How?")).outcome is Outcome.OK
        spend = access.spend()
    assert (spend.attempts, spend.calls, spend.failed) == (31, 1, 0)


async def test_attempts_are_bounded(tmp_path):
    async with serving(lambda body, number: (503, {"error": {"message": "down"}})) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"attempts": 4})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            answer = await access.answer("How?")
        assert server.requests == 4
    assert (answer.outcome, answer.provenance.model) == (
        Outcome.API_ERROR,
        chosen.roles["solver"].endpoints[0].spec,
    )
    assert "4 attempts" in answer.detail


async def test_deadline_ends_a_call_before_a_pause_that_would_pass_it(tmp_path):
    async with serving(lambda body, number: slow_down("100")) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"deadline": 250.0})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            answer = await access.answer("How?")
        assert server.requests == 3
    assert "deadline of 250 s" in answer.detail


async def test_attempt_that_takes_too_long_is_a_timeout_and_tried_again(tmp_path):
    async def say(body, number):
        if number == 0:
            await asyncio.sleep(5)
        return chat("ok")

    async with serving(say) as server:
        chosen = settings(f"openai/m@{server.url}", role={"attempt_timeout": 0.2})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await access.answer("How?")).outcome is Outcome.OK
            assert access.spend().outcomes == {Outcome.OK: 1, Outcome.TIMEOUT: 1}


async def test_timeouts_to_the_end_are_that_outcome(tmp_path):
    async with serving(lambda body, number: chat("ok"), delay=5) as server:
        chosen = settings(f"openai/m@{server.url}", role={"attempt_timeout": 0.05}, limits={"attempts": 2})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await access.answer("How?")).outcome is Outcome.TIMEOUT


@pytest.mark.parametrize("status", [401, 403])
async def test_wrong_key_stops_at_once_and_names_the_variable(tmp_path, status):
    async with serving(
        lambda body, number: (status, {"error": {"message": "bad key sk-secret-123"}})
    ) as server:
        chosen = settings(endpoint(f"openai/m@{server.url}", api_key_env="MY_KEY"))
        environment = {"MY_KEY": "sk-secret-123"}
        async with open_access(chosen, journal_at(tmp_path), environment=environment) as access:
            with pytest.raises(CredentialRejected, match="MY_KEY") as caught:
                await access.answer("How?")
        assert server.requests == 1
        assert server.seen[0].headers["Authorization"] == "Bearer sk-secret-123"
    assert "sk-secret" not in str(caught.value)


async def test_unknown_model_stops_with_a_clear_line(tmp_path):
    async with serving(lambda body, number: (404, {"error": {"message": "no model m"}})) as server:
        async with open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path)) as access:
            with pytest.raises(
                EndpointUnavailable, match=r"does not know the model.*no model m.*check the model name"
            ):
                await access.answer("How?")
        assert server.requests == 1


@pytest.mark.parametrize(
    "spec",
    [
        "openai/m@http://127.0.0.1:1/v1",
        "anthropic/m@http://127.0.0.1:1",
        "openai/m@http://no-such-host.invalid/v1",
    ],
)
async def test_unreachable_endpoint_stops_after_a_few_failures(tmp_path, spec):
    naps = Naps()
    async with open_access(settings(spec), journal_at(tmp_path), pacing=pacing(naps)) as access:
        with pytest.raises(EndpointUnavailable, match=r"could not be reached.*same command"):
            await access.answer("How?")
        assert access.spend().calls == 0
    assert len(naps.taken) == 4


async def test_server_that_refuses_everything_stops_instead_of_failing_each_item(tmp_path):
    async with serving(lambda body, number: (400, {"error": {"message": "account not enabled"}})) as server:
        async with open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path)) as access:
            with pytest.raises(EndpointUnavailable, match="account not enabled"):
                for number in range(20):
                    await access.answer(f"How {number}?")
        assert server.requests == 10
