"""Order, bounds and rests of one endpoint's slots."""

from __future__ import annotations

import asyncio
import time

import pytest

from salitrap.providers.pacing.limiter import WIDEN_EVERY, Limiter
from salitrap.providers.pacing.retry import Pacing
from salitrap.providers.pacing.window import MOST_AT_ONCE, Window


class Job:
    """Calls that hold a slot until they are told to let go."""

    def __init__(self, limiter: Limiter) -> None:
        self.limiter = limiter
        self.let_go = asyncio.Event()
        self.began: list[int] = []
        self.turned_away: list[int] = []
        self.busiest = 0

    async def call(self, number: int, tokens: int = 1, patient: bool = False) -> None:
        async with self.limiter.slot(tokens, asyncio.sleep, patient=patient) as admitted:
            (self.began if admitted else self.turned_away).append(number)
            self.busiest = max(self.busiest, self.limiter.in_flight)
            if admitted:
                await self.let_go.wait()


async def soon() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_patient_calls_go_last_in_order_of_arrival_among_themselves():
    job = Job(Limiter(1, Pacing()))
    order = [("a", False), ("b", True), ("c", True), ("d", False), ("e", False)]
    tasks = [
        asyncio.create_task(job.call(number, patient=patient)) for number, (_, patient) in enumerate(order)
    ]
    await soon()
    job.let_go.set()
    await asyncio.gather(*tasks)
    assert [order[number][0] for number in job.began] == ["a", "d", "e", "b", "c"]
    assert job.limiter.in_flight == 0


async def test_a_patient_call_that_gives_up_waiting_frees_its_place_and_no_slot():
    job = Job(Limiter(1, Pacing()))
    tasks = [asyncio.create_task(job.call(number, patient=number > 0)) for number in range(3)]
    await soon()
    tasks[1].cancel()
    await soon()
    job.let_go.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (job.began, job.limiter.in_flight) == ([0, 2], 0)


async def test_calls_go_out_in_order_of_arrival_and_no_more_than_the_window():
    job = Job(Limiter(2, Pacing()))
    tasks = [asyncio.create_task(job.call(number)) for number in range(6)]
    await soon()
    assert job.began == [0, 1]
    job.let_go.set()
    await asyncio.gather(*tasks)
    assert (job.began, job.busiest, job.limiter.in_flight) == ([0, 1, 2, 3, 4, 5], 2, 0)


async def test_a_large_window_opens_without_waiting_for_replies():
    """A thousand slots at ten seconds a reply would take a minute to open by round trips."""
    job = Job(Limiter(1000, Pacing()))
    tasks = [asyncio.create_task(job.call(number)) for number in range(1000)]
    await soon()
    assert len(job.began) == Window(1000).slots
    await asyncio.sleep(4.5 * WIDEN_EVERY)
    assert 100 < len(job.began) <= Window(1000).slots + 5 * MOST_AT_ONCE
    job.let_go.set()
    await asyncio.gather(*tasks)


async def test_refusals_shrink_what_is_let_out():
    limiter = Limiter(64, Pacing(), start=64)
    job = Job(limiter)
    first = [asyncio.create_task(job.call(number)) for number in range(64)]
    await soon()
    limiter.refused(time.monotonic())
    job.let_go.set()
    await asyncio.gather(*first)
    job.let_go.clear()
    job.began.clear()
    second = [asyncio.create_task(job.call(number)) for number in range(64)]
    await soon()
    assert len(job.began) == 48
    job.let_go.set()
    await asyncio.gather(*second)


async def test_nothing_goes_out_during_a_hold_and_calls_come_back_spread_out():
    limiter = Limiter(64, Pacing(), start=64)
    limiter.hold(0.4)
    began: list[float] = []

    async def call() -> None:
        async with limiter.slot(1, asyncio.sleep):
            began.append(time.monotonic())

    start = time.monotonic()
    await asyncio.gather(*(call() for _ in range(40)))
    assert min(began) - start >= 0.4
    assert max(began) - min(began) > 0.02, "all at one instant"


async def test_a_rest_turns_away_who_waits_and_lets_one_probe():
    limiter = Limiter(2, Pacing())
    job = Job(limiter)
    tasks = [asyncio.create_task(job.call(number)) for number in range(5)]
    await soon()
    limiter.rest(0.05)
    await soon()
    assert (job.began, sorted(job.turned_away)) == ([0, 1], [2, 3, 4])
    assert limiter.held
    job.let_go.set()
    await asyncio.gather(*tasks)
    job.let_go.clear()
    job.began.clear()
    tasks = [asyncio.create_task(job.call(number)) for number in range(3)]
    await asyncio.sleep(0.2)
    assert len(job.began) == 1 and limiter.full
    job.let_go.set()
    await asyncio.gather(*tasks)


async def test_a_shorter_hold_does_not_shorten_a_longer_one():
    limiter = Limiter(1, Pacing())
    limiter.hold(30.0)
    until = limiter.free_at
    limiter.hold(1.0)
    assert limiter.free_at == until


@pytest.mark.parametrize("admitted", [False, True])
async def test_a_cancelled_call_leaves_no_slot_behind(admitted):
    job = Job(Limiter(1, Pacing()))
    holder = asyncio.create_task(job.call(0))
    await soon()
    waiting = [asyncio.create_task(job.call(number)) for number in (1, 2)]
    await soon()
    if admitted:
        job.let_go.set()
        await holder
    waiting[0].cancel()
    job.let_go.set()
    await asyncio.gather(holder, *waiting, return_exceptions=True)
    assert job.limiter.in_flight == 0
    assert 2 in job.began


async def test_rpm_spaces_requests():
    limiter = Limiter(64, Pacing(), start=64, rpm=1300)
    began: list[float] = []

    async def call() -> None:
        async with limiter.slot(1, asyncio.sleep):
            began.append(time.monotonic())

    start = time.monotonic()
    await asyncio.gather(*(call() for _ in range(110)))
    seconds = max(began) - start
    assert 0.4 <= seconds <= 1.5, "a hundred at once, then one every 50 ms"


async def test_tokens_that_were_not_used_are_given_back():
    limiter = Limiter(8, Pacing(), tpm=65_000)
    start = time.monotonic()
    for _ in range(20):
        async with limiter.slot(5000, asyncio.sleep) as admitted:
            assert admitted
            limiter.served(5000, 10)
    assert time.monotonic() - start < 1.0, "a hundred thousand claimed, two hundred used"


async def test_an_endpoint_that_is_given_up_lets_go_of_who_waits_for_its_rest():
    """They slept on for up to a minute, only to learn that nothing would be sent."""
    limiter = Limiter(2, Pacing())
    limiter.hold(3600.0)
    job = Job(limiter)
    task = asyncio.create_task(job.call(0))
    await soon()
    assert not job.began
    limiter.release()
    await soon()
    assert job.began == [0]
    job.let_go.set()
    await task


async def test_a_call_that_waits_for_its_quota_is_counted_as_one():
    """Progress called it a request under way, for minutes in which nothing was sent."""
    job = Job(Limiter(4, Pacing(), rpm=13))  # one call goes at once, the next after five seconds
    tasks = [asyncio.create_task(job.call(number)) for number in range(3)]
    await soon()
    assert (job.began, job.limiter.in_flight, job.limiter.waiting_for_quota) == ([0], 3, 2)
    for task in tasks[1:]:
        task.cancel()
    await soon()
    assert (job.limiter.in_flight, job.limiter.waiting_for_quota) == (1, 0)
    job.let_go.set()
    await tasks[0]
