"""The bridge from an optimiser's threads to the loop: results, faults, stops, and no deadlock."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn

import pytest

from exports.optimize import Bridge, Halted
from salitrap.errors import BudgetReached, CallFailed, Interrupted
from salitrap.records.enums import Outcome

SOON = 20.0


async def test_calls_run_in_the_loop_and_come_back_to_the_thread() -> None:
    bridge, loop_thread = Bridge(), threading.current_thread()

    async def twice(number: int) -> int:
        assert threading.current_thread() is loop_thread
        await asyncio.sleep(0)
        return 2 * number

    def work() -> list[int]:
        assert threading.current_thread() is not loop_thread
        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(lambda number: bridge.call(number, lambda: twice(number)), range(50)))

    assert await asyncio.wait_for(bridge.run(work), SOON) == [2 * number for number in range(50)]


async def test_an_equal_question_under_way_is_asked_once() -> None:
    """DSPy sends what takes long a second time; it would be paid for twice."""
    bridge, asked, together = Bridge(), list[int](), asyncio.Event()

    async def slow() -> str:
        asked.append(1)
        await together.wait()
        return "reply"

    async def let_go() -> str:
        together.set()
        return ""

    def work() -> list[str]:
        with ThreadPoolExecutor(2) as pool:
            pair = [pool.submit(bridge.call, "same", slow) for _ in range(2)]
            while not asked or sum(future.running() for future in pair) < 2:
                pass
            bridge.call("let go", let_go)
            return [future.result() for future in pair]

    assert await asyncio.wait_for(bridge.run(work), SOON) == ["reply", "reply"]
    assert len(asked) == 1


async def test_a_failed_call_is_the_callers_and_does_not_halt() -> None:
    bridge = Bridge()

    async def failing() -> NoReturn:
        raise CallFailed(Outcome.UNPARSABLE, "no JSON")

    def work() -> str:
        with pytest.raises(CallFailed):
            bridge.call(1, failing)
        return "went on"

    assert await asyncio.wait_for(bridge.run(work), SOON) == "went on"


async def test_a_stop_ends_an_optimiser_that_swallows_exceptions_and_lets_calls_end() -> None:
    """Optimisers score an exception as a wrong answer and go on; a reached budget must end them."""
    bridge, ended, begun = Bridge(), list[str](), asyncio.Event()

    async def under_way() -> None:
        begun.set()
        await asyncio.sleep(0.2)
        ended.append("under way")

    async def refused() -> NoReturn:
        await begun.wait()
        raise BudgetReached("no more calls")

    def work() -> None:
        with ThreadPoolExecutor(2) as pool:
            pool.submit(bridge.call, "slow", under_way)
            for number in range(1000):
                try:
                    bridge.call(number, refused)
                except Exception:
                    continue

    with pytest.raises(BudgetReached, match="no more calls"):
        await asyncio.wait_for(bridge.run(work), SOON)
    assert ended == ["under way"]


async def test_a_fault_of_a_metric_is_told_and_not_scored() -> None:
    bridge = Bridge()

    def metric() -> float:
        raise KeyError("label")

    def work() -> None:
        try:
            bridge.guarded(metric)()
        except Exception:
            return

    with pytest.raises(KeyError, match="label"):
        await asyncio.wait_for(bridge.run(work), SOON)


async def no_thread_left() -> None:
    """Return once the optimiser's thread has ended; it takes a moment to unwind."""
    while any(thread.name.startswith("optimiser") for thread in threading.enumerate()):
        await asyncio.sleep(0.01)


async def test_a_cancelled_run_ends_at_once_with_threads_that_wait() -> None:
    """A second Ctrl-C cancels; threads that wait for a reply would have kept the process for ever."""
    bridge, cancelled = Bridge(), list[int]()

    async def for_ever(number: int) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(number)

    def work() -> None:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: bridge.call(number, lambda: for_ever(number)), range(4)))

    task = asyncio.create_task(bridge.run(work))
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, SOON)
    assert sorted(cancelled) == [0, 1, 2, 3]
    await asyncio.wait_for(no_thread_left(), SOON)


async def test_nothing_is_asked_after_the_end() -> None:
    bridge, late = Bridge(), threading.Event()

    async def never() -> None:
        raise AssertionError("asked after the end")

    def work() -> threading.Thread:
        def later() -> None:
            late.wait()
            with pytest.raises(Halted):
                bridge.call(1, never)

        straggler = threading.Thread(target=later)
        straggler.start()
        return straggler

    straggler = await asyncio.wait_for(bridge.run(work), SOON)
    late.set()
    straggler.join(SOON)
    assert not straggler.is_alive() and not isinstance(bridge.failure, Interrupted)
