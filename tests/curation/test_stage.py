"""Bounded work and a stop that wastes no call."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from curation.stage import DrainingAccess, StopSwitch, for_each, gather_all
from salitrap.errors import BudgetReached, Interrupted
from tests.fakes import ScriptedAccess


async def test_no_more_than_the_given_workers_and_no_unit_before_its_time() -> None:
    busy, most, taken = 0, 0, 0

    def units() -> Iterator[int]:
        nonlocal taken
        for number in range(20):
            taken += 1
            assert taken <= busy_limit + done
            yield number

    async def work(unit: int) -> None:
        nonlocal busy, most, done
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0.001 * (unit % 3))
        busy -= 1
        done += 1

    busy_limit, done = 4, 0
    await for_each(units(), work, workers=busy_limit, switch=StopSwitch())
    assert (most, done) == (4, 20)


async def test_a_failure_lets_the_others_end_and_takes_nothing_more() -> None:
    ended = list[int]()

    async def work(unit: int) -> None:
        if unit == 1:
            await asyncio.sleep(0)
            raise BudgetReached("spent")
        await asyncio.sleep(0.005)
        ended.append(unit)

    with pytest.raises(BudgetReached):
        await for_each(iter(range(50)), work, workers=3, switch=StopSwitch())
    assert ended == [0, 2]


async def test_a_stop_between_units_is_raised_when_all_have_ended() -> None:
    switch, ended = StopSwitch(), list[int]()

    async def work(unit: int) -> None:
        if unit == 3:
            switch.stop(Interrupted("Ctrl-C"))
        ended.append(unit)

    with pytest.raises(Interrupted):
        await for_each(iter(range(50)), work, workers=1, switch=switch)
    assert ended == [0, 1, 2, 3]


async def test_a_call_under_way_ends_and_the_next_does_not_begin() -> None:
    switch = StopSwitch()

    class Slow(ScriptedAccess):
        async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Any:
            await asyncio.sleep(0.01)
            return await super().answer(message, slot=slot, repeat=repeat)

    inner = Slow(answers=lambda message, slot, repeat: "kept")
    access = DrainingAccess(inner, switch)
    under_way = asyncio.create_task(access.answer("first"))
    await asyncio.sleep(0)
    switch.stop(Interrupted("Ctrl-C"))
    assert (await under_way).text == "kept"
    with pytest.raises(Interrupted):
        await access.answer("second")
    assert [message for message, _, _ in inner.messages] == ["first"]


async def test_the_first_stop_is_the_reason_for_all() -> None:
    switch = StopSwitch()
    access = DrainingAccess(ScriptedAccess(answers=lambda *args: BudgetReached("spent")), switch)
    with pytest.raises(BudgetReached):
        await access.answer("first")
    with pytest.raises(BudgetReached):
        await access.answer("second")


async def test_gathering_waits_for_all_and_keeps_the_order() -> None:
    ended = list[str]()

    async def late(name: str, pause: float) -> str:
        await asyncio.sleep(pause)
        ended.append(name)
        return name

    assert await gather_all([late("slow", 0.01), late("fast", 0.0)]) == ["slow", "fast"]

    async def fails() -> str:
        raise BudgetReached("spent")

    with pytest.raises(BudgetReached):
        await gather_all([fails(), late("paid", 0.01)])
    assert ended[-1] == "paid"
