"""Pauses, caps and giving up (case C16)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.errors import CredentialRejected, EndpointUnavailable, RateLimited
from salitrap.providers.open import open_access
from salitrap.providers.pacing.retry import LONGEST_DELAY, Pacing, retry_after_seconds
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


async def test_deadline_of_a_role_stands_before_the_one_of_all(tmp_path):
    async with serving(lambda body, number: slow_down("100")) as server:
        chosen = settings(f"openai/m@{server.url}", role={"deadline": 150.0})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            answer = await access.answer("How?")
        assert server.requests == 2
    assert "deadline of 150 s" in answer.detail


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


@pytest.mark.parametrize(
    "reply",
    ["<html>sign in</html>", {"status": "ok"}, [], (302, "", {"Location": "/"})],
    ids=["page", "other shape", "list", "moved"],
)
async def test_what_is_no_reply_at_all_stops_after_a_few_attempts(tmp_path, reply):
    """A sign-in page was asked 40 times for every candidate, and the reason stood in the rejects only."""
    async with serving(lambda body, number: reply) as server:
        naps = Naps()
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing(naps)
        ) as access:
            with pytest.raises(EndpointUnavailable, match=r"role solver: endpoint openai/m@.*same command"):
                await access.answer("How?")
        assert server.requests == 5
    assert sum(naps.taken) < 7, "seconds, with no luck 7"


async def test_failures_of_another_kind_do_not_count_towards_giving_up(tmp_path):
    said = [(503, {}), (503, {}), (503, {}), (503, {}), "<html>", "<html>", "<html>", "<html>", chat("ok")]
    async with serving(lambda body, number: said[number]) as server:
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await access.answer("How?")).outcome is Outcome.OK


async def test_page_in_mid_run_gets_a_minute_before_the_run_stops(tmp_path):
    ticks = iter(range(0, 100_000, 3))
    time = Pacing(sleep=Naps(), draw=lambda: 0.5, clock=lambda: float(next(ticks)))
    async with serving(lambda body, number: "<html>" if number else chat("ok")) as server:
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=time) as access:
            await access.answer("How?")
            with pytest.raises(EndpointUnavailable, match="failed since it last served one"):
                await access.answer("How now?")
        assert 10 < server.requests < 40


@pytest.mark.parametrize(
    ("status", "error"), [(500, EndpointUnavailable), (429, RateLimited)], ids=["broken", "busy"]
)
async def test_endpoint_that_never_served_anything_stops_the_run_once_a_call_gives_up(
    tmp_path, status, error
):
    async with serving(lambda body, number: (status, {"error": {"message": "no GPU"}})) as server:
        async with open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing(),
        ) as access:  # fmt: skip
            with pytest.raises(error, match=r"no GPU.*none was served"):
                await access.answer("How?")
        assert 20 <= server.requests <= 40, "the attempts of a failure that may pass are kept"


async def test_refused_key_of_one_endpoint_leaves_the_others_of_the_pool(tmp_path, caplog):
    async with (
        serving(lambda body, number: (401, {"error": {"message": "bad key"}})) as refused,
        serving(lambda body, number: chat("ok")) as open_one,
    ):
        chosen = settings(f"openai/a@{refused.url}", f"openai/b@{open_one.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            for number in range(3):
                assert (await access.answer(f"How {number}?")).family == "b"
        assert refused.requests == 1
    assert "refused the key" in caplog.text


async def test_403_of_an_endpoint_that_works_is_about_one_request_until_it_lasts(tmp_path):
    """Some providers answer 403 when their moderation objects to a prompt; that ended the whole run."""
    async with (
        serving(lambda body, number: (403, {"error": {"message": "flagged"}}) if number else chat("ok")) as s,
        open_access(settings(f"openai/m@{s.url}"), journal_at(tmp_path), pacing=pacing()) as access,
    ):
        assert (await access.answer("a")).outcome is Outcome.OK
        for number in range(3):
            assert "flagged" in (await access.answer(f"b{number}")).detail
        with pytest.raises(CredentialRejected):
            await access.answer("c")


@pytest.mark.parametrize("header", ["1e9", "1750000000", "Fri, 01 Jan 2999 00:00:00 GMT"])
async def test_pause_of_years_is_no_pause_but_a_mistake(tmp_path, header):
    naps = Naps()
    async with (
        serving(lambda body, number: chat("ok") if number else slow_down(header)) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing(naps)) as access,
    ):
        assert (await access.answer("How?")).outcome is Outcome.OK
    assert naps.taken[0] <= 1.0


async def test_long_pause_of_a_failing_server_is_capped_and_not_the_end(tmp_path):
    busy = (503, {"error": {"message": "later"}}, {"Retry-After": "7200"})
    naps = Naps()
    async with (
        serving(lambda body, number: chat("ok") if number else busy) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing(naps)) as access,
    ):
        assert (await access.answer("How?")).outcome is Outcome.OK
    assert 120.0 <= naps.taken[0] <= 121.0


async def test_reason_in_the_message_is_short_on_one_line_and_steers_no_terminal(tmp_path):
    page = "<html>\n\x1b[2J" + "a\r\n" * 5_000
    async with (
        serving(lambda body, number: page) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()) as access,
    ):
        with pytest.raises(EndpointUnavailable) as caught:
            await access.answer("How?")
    text = str(caught.value)
    assert text.isprintable() and len(text) < 700
