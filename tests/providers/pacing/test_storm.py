"""Three endpoints in trouble: one always answers 429, one never answers, one fails every fifth time."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from salitrap.errors import RateLimited, StoppedError
from salitrap.providers.access import Answered
from salitrap.providers.open import open_access
from salitrap.records import Outcome, Role
from salitrap.settings import EndpointSettings, Policy, RoleSettings, Settings
from tests.providers.helpers import GOOD, journal_at, probe
from tests.providers.servers import Server, chat, serving

LATENCY, SLOTS, WORKERS = 0.2, 16, 48
FLOOR = 0.85
"""Share of the calls a second that are served without the two others, measured at the same time of day."""

ROUNDS = 3

SLOW_DOWN = (429, {"error": {"message": "slow down"}})
FAILED = (503, {"error": {"message": "try again"}})


@dataclass
class Storm:
    busy: Server
    stalling: Server
    flaky: Server
    times: list[float] = field(default_factory=list)

    def endpoints(self) -> tuple[EndpointSettings, ...]:
        servers = {"busy": self.busy, "stalling": self.stalling, "flaky": self.flaky}
        return tuple(
            EndpointSettings(spec=f"openai/{name}@{server.url}", in_flight=SLOTS)
            for name, server in servers.items()
        )

    def most_within(self, seconds: float) -> int:
        """The most requests that the busy server got in any stretch of so many seconds."""
        return max(sum(first <= one < first + seconds for one in self.times) for first in self.times)


@asynccontextmanager
async def storm() -> AsyncIterator[Storm]:
    times: list[float] = []

    def refuse(body: object, number: int) -> object:
        times.append(time.monotonic())
        return SLOW_DOWN

    async def stall(body: object, number: int) -> object:
        await asyncio.sleep(3600.0)
        return SLOW_DOWN

    failures: Counter[str] = Counter()

    def sometimes(body: dict[str, Any], number: int) -> object:
        question = body["messages"][-1]["content"]
        failures[question] += number % 5 == 4
        return FAILED if number % 5 == 4 and failures[question] <= 2 else chat(GOOD)

    async with serving(refuse) as busy, serving(stall) as stalling, serving(sometimes, LATENCY) as flaky:
        yield Storm(busy, stalling, flaky, times)


def settings(endpoints: tuple[EndpointSettings, ...], policy: Policy, deadline: float) -> Settings:
    role = RoleSettings(endpoints=endpoints, policy=policy, attempt_timeout=1.0)
    return Settings(roles={Role.CHECKER: role, Role.SOLVER: role}, limits={"deadline": deadline})


async def work(call: Callable[[int], Awaitable[object]], numbers: range, workers: int) -> list[object]:
    """What came of every call, in the order of ``numbers``."""
    results: dict[int, object] = {}
    waiting = iter(numbers)

    async def one() -> None:
        for number in waiting:
            results[number] = await call(number)

    await asyncio.gather(*(one() for _ in range(workers)))
    return [results[number] for number in numbers]


async def rate_of_the_healthy(folder: Path, calls: int) -> float:
    """Calls a second with the usable endpoint alone: what the storm is measured by."""
    async with storm() as around:
        chosen = settings(around.endpoints()[2:], Policy.FAILOVER, 900.0)
        async with open_access(chosen, folder / "healthy.sqlite") as access:
            began = time.monotonic()
            await work(lambda number: probe(access, f"Question {number}?"), range(calls), WORKERS)
            return calls / (time.monotonic() - began)


async def test_calls_of_a_failover_pool_find_the_endpoint_that_works(tmp_path):
    """All are served, at the pace of the one endpoint that serves, and nobody besieges the others."""
    calls = 1000
    healthy = await rate_of_the_healthy(tmp_path, 300)
    async with storm() as around:
        chosen = settings(around.endpoints(), Policy.FAILOVER, 900.0)
        async with open_access(chosen, journal_at(tmp_path)) as access:
            began = time.monotonic()
            asked = await work(lambda number: probe(access, f"Question {number}?"), range(calls), WORKERS)
            seconds = time.monotonic() - began
            spend = access.spend()
    assert {answer.fields["answer"] for answer in asked} == {"walk"}
    assert calls / seconds >= FLOOR * healthy, f"{calls / seconds:.0f} of {healthy:.0f} calls a second"
    assert spend.outcomes[Outcome.OK] == calls
    requests = around.busy.requests + around.stalling.requests + around.flaky.requests
    assert spend.attempts == requests, "every request is in the journal"
    assert around.flaky.busiest <= SLOTS
    assert around.busy.requests <= 2 * SLOTS and around.stalling.requests <= 2 * SLOTS
    assert around.most_within(0.1) <= 2 * SLOTS


async def test_rest_of_a_round_robin_pool_goes_on_and_every_answer_is_accounted_for(tmp_path):
    """Two dead models of three stop neither the third nor the run; nobody answers in their name.

    Everything must hold in every round; the pace in one of three, since other processes disturb it.
    """
    shares: list[float] = []
    while len(shares) < ROUNDS and max(shares, default=0.0) < FLOOR:
        folder = tmp_path / str(len(shares))
        folder.mkdir()
        shares.append(await pace_beside_dead_models(folder))
    assert max(shares) >= FLOOR, f"shares of the pace alone: {shares}"


async def pace_beside_dead_models(tmp_path: Path) -> float:
    """One round; the pace of the usable model as a share of what it is alone."""
    each = 300
    healthy = await rate_of_the_healthy(tmp_path, 300)
    async with storm() as around:
        chosen = settings(around.endpoints(), Policy.ROUND_ROBIN, 5.0)
        async with open_access(chosen, journal_at(tmp_path)) as access:
            finished: dict[int, float] = {}

            async def one_model(slot: int) -> list[Answered]:
                async def call(number: int) -> Answered:
                    return await access.answer(f"Question {number}?", slot=slot)

                began = time.monotonic()
                answers = await work(call, range(each), WORKERS)
                finished[slot] = time.monotonic() - began
                return answers  # type: ignore[return-value]

            busy, stalling, flaky = await asyncio.gather(*(one_model(slot) for slot in range(3)))
            left_out = access.left_out()
    assert {answer.outcome for answer in flaky} == {Outcome.OK}
    assert Counter(answer.family for answer in busy + stalling + flaky) == dict.fromkeys(
        ("busy", "stalling", "flaky"), each
    )
    assert {answer.outcome for answer in busy} == {Outcome.API_ERROR}
    assert {answer.outcome for answer in stalling} <= {Outcome.API_ERROR, Outcome.TIMEOUT}
    assert isinstance(left_out, StoppedError) and "same command" in str(left_out)
    assert around.busy.requests + around.stalling.requests <= 4 * SLOTS
    return each / finished[2] / healthy


async def test_one_model_that_only_says_429_ends_the_run_with_advice_when_it_is_alone(tmp_path):
    async with storm() as around:
        chosen = settings(around.endpoints()[:1], Policy.ROUND_ROBIN, 3.0)
        async with open_access(chosen, journal_at(tmp_path)) as access:
            try:
                await work(lambda number: access.answer(f"{number}?"), range(200), 50)
            except RateLimited as error:
                said = str(error)
            else:
                raise AssertionError("it went on for ever")
    assert "slow down" in said and "in_flight" in said and "same command" in said
    assert around.busy.requests <= 3 * SLOTS
