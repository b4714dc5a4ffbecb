"""What a call and an endpoint do when holds, budgets, deadlines and failures meet."""

from __future__ import annotations

import asyncio
import contextlib
import time

from aiohttp import web

from salitrap.errors import BudgetReached, Interrupted
from salitrap.providers.open import open_access
from salitrap.providers.pacing.retry import Pacing
from salitrap.records import Outcome, Role
from tests.providers.helpers import Naps, endpoint, journal_at, pacing, settings
from tests.providers.servers import chat, serving


def slow_down(seconds: str | None) -> object:
    headers = {} if seconds is None else {"Retry-After": seconds}
    return 429, {"error": {"message": "slow down"}}, headers


async def test_backup_that_asks_for_an_hour_does_not_stop_a_run_whose_first_endpoint_rests(tmp_path):
    """The order came round to the first one, and that was taken for the end of the pool."""
    resting = True

    def first(body, number):
        return slow_down("0.4") if resting else chat("A")

    async with serving(first) as a, serving(lambda body, number: slow_down("3600")) as b:
        chosen = settings(f"openai/a@{a.url}", f"openai/b@{b.url}")
        async with open_access(chosen, journal_at(tmp_path)) as access:
            asking = asyncio.create_task(access.answer("How?"))
            await asyncio.sleep(0.2)
            resting = False
            assert (await asking).text == "A"


async def test_calls_that_wait_for_the_budget_are_not_sent_after_a_stop(tmp_path):
    """One after the other went out as those before them ended."""
    async with serving(lambda body, number: chat("ok"), 0.3) as server:
        chosen = settings(f"openai/m@{server.url}", budget={"tokens": 5000})
        async with open_access(chosen, journal_at(tmp_path)) as access:
            asking = [asyncio.create_task(access.answer(f"{number}?")) for number in range(10)]
            await asyncio.sleep(0.15)
            sent = server.requests
            access.stop(Interrupted("Ctrl-C"))
            results = await asyncio.gather(*asking, return_exceptions=True)
        assert 0 < sent < 10 and server.requests == sent
    assert sum(isinstance(result, Interrupted) for result in results) == 10 - sent


async def test_attempt_is_not_begun_when_the_deadline_is_over(tmp_path):
    """It had a time-out of nothing, was never sent, and was charged in full to the next endpoint."""

    async def late(body, number):
        await asyncio.sleep(3.0)
        return chat("late")

    async with serving(late) as slow, serving(lambda body, number: chat("B")) as backup:
        role = {"attempt_timeout": 0.4, "deadline": 1.2}
        chosen = settings(f"openai/a@{slow.url}", f"openai/b@{backup.url}", role=role)
        async with open_access(chosen, journal_at(tmp_path), pacing=Pacing(draw=lambda: 0.0)) as access:
            answer = await access.answer("How?")
            spend = access.spend()
        assert (answer.outcome, backup.requests) == (Outcome.TIMEOUT, 0)
        assert spend.attempts == slow.requests
    assert "deadline of 1.2 s" in answer.detail


async def test_failure_before_an_idle_time_does_not_count_with_those_after_it(tmp_path):
    """A backup failed once, was not needed for 20 minutes, and a blip of a second closed it for good."""
    jump, works = 0.0, True
    blip = (502, {"error": {"message": "blip"}})
    async with serving(lambda body, number: chat("B") if works else blip) as server:
        chosen = settings(f"openai/b@{server.url}", limits={"attempts": 3})
        clock = Pacing(sleep=Naps(), clock=lambda: time.monotonic() + jump, draw=lambda: 0.5)
        async with open_access(chosen, journal_at(tmp_path), pacing=clock) as access:
            assert (await access.answer("First?")).text == "B"
            works = False
            assert (await access.answer("Second?")).outcome is Outcome.API_ERROR
            jump = 1200.0
            blipped = await asyncio.gather(*(access.answer(f"{number}?") for number in range(4)))
            assert {answer.outcome for answer in blipped} == {Outcome.API_ERROR}
            works = True
            assert (await access.answer("Last?")).text == "B"


async def test_calls_that_wait_for_their_quota_wait_out_a_hold_too(tmp_path):
    began, times = time.monotonic(), []

    def say(body, number):
        times.append(time.monotonic() - began)
        return slow_down("1.5") if number == 9 else chat("ok")

    async with serving(say) as server:
        chosen = settings(endpoint(f"openai/m@{server.url}", rpm=300))
        async with open_access(chosen, journal_at(tmp_path)) as access:
            await asyncio.gather(*(access.answer(f"{number}?") for number in range(40)))
    asked = times[9]
    assert not [when for when in times if asked + 0.3 < when < asked + 1.4], "those under way aside"


async def test_refusals_do_not_make_an_endpoint_rest_that_is_busy_serving(tmp_path):
    """They come at once and replies after seconds: eight in a row were taken for a dead endpoint."""
    at_once, latency, calls, working = 24, 0.5, 240, 0

    async def say(body, number):
        nonlocal working
        if working >= at_once:
            return slow_down(None)
        working += 1
        await asyncio.sleep(latency)
        working -= 1
        return chat("ok")

    async with (
        serving(say) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path)) as access,
    ):
        began = time.monotonic()
        await asyncio.gather(*(access.answer(f"{number}?") for number in range(calls)))
        seconds = time.monotonic() - began
        slots = access._pools[Role.SOLVER].endpoints[0].limiter.slots
    ideal = calls / at_once * latency
    assert seconds <= 1.6 * ideal, f"{seconds:.1f} s where {ideal:.1f} were possible"
    assert slots > at_once // 2


async def test_connections_cut_in_mid_request_count_against_the_budget(tmp_path):
    """The request may have been served and billed; dozens were sent under a budget of five."""
    seen = 0

    async def cut(request: web.Request) -> web.Response:
        nonlocal seen
        await request.json()
        seen += 1
        if seen > 1 and request.transport is not None:
            request.transport.abort()
        return web.json_response(chat("ok"))

    app = web.Application()
    app.router.add_post("/{tail:.*}", cut)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        chosen = settings(f"openai/m@http://127.0.0.1:{runner.addresses[0][1]}/v1", budget={"calls": 5})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            await access.answer("First?")
            with contextlib.suppress(BudgetReached):
                await access.answer("Second?")
            assert (seen, access.spend().calls) == (5, 5)
    finally:
        await runner.cleanup()
