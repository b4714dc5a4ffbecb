"""The budget holds, however many calls are in flight, and the ledger adds up."""

from __future__ import annotations

import asyncio

import pytest

from salitrap.errors import BudgetReached, ConfigError
from salitrap.providers.open import open_access, read_spend
from salitrap.records import Outcome, Role
from tests.providers.helpers import GOOD, endpoint, journal_at, pacing, probe, settings
from tests.providers.servers import chat, serving


def ends(results):
    stops = [result for result in results if isinstance(result, BaseException)]
    assert all(isinstance(stop, BudgetReached) for stop in stops), stops
    return len(results) - len(stops), stops


async def test_call_budget_is_never_exceeded_with_64_in_flight(tmp_path):
    async with serving(lambda body, number: chat(GOOD), delay=0.01) as server:
        chosen = settings(f"openai/m@{server.url}", budget={"calls": 50})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            asks = [probe(access, f"q{number}") for number in range(64)]
            served, stops = ends(await asyncio.gather(*asks, return_exceptions=True))
        assert (server.requests, served, len(stops)) == (50, 50, 14)
    assert "50 of 50 calls" in str(stops[0])


async def test_spent_calls_count_on_resume_and_replies_paid_for_stay_free(tmp_path):
    async with serving(lambda body, number: chat("ok")) as server:
        chosen = settings(f"openai/m@{server.url}", budget={"calls": 3})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            for number in range(3):
                await access.answer(f"q{number}")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            assert (await access.answer("q1")).outcome is Outcome.OK
            with pytest.raises(BudgetReached, match="3 of 3 calls spent"):
                await access.answer("new")
        assert server.requests == 3


async def test_refused_requests_give_their_share_of_the_budget_back(tmp_path):
    async with serving(lambda body, number: chat("ok") if number % 2 else (429, {})) as server:
        chosen = settings(f"openai/m@{server.url}", budget={"calls": 5})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            served, _ = ends(
                await asyncio.gather(*(access.answer(f"q{n}") for n in range(8)), return_exceptions=True)
            )
    assert served == 5


async def test_token_budget_reserves_the_worst_case(tmp_path):
    async with serving(lambda body, number: chat("ok"), delay=0.01) as server:
        chosen = settings(f"openai/m@{server.url}", budget={"tokens": 400}, role={"max_tokens": 100})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            served, stops = ends(
                await asyncio.gather(*(access.answer(f"q{n}") for n in range(64)), return_exceptions=True)
            )
            spend = access.spend()
        assert server.busiest <= 3
    assert 0 < served < 64 and "tokens spent" in str(stops[0])
    assert spend.input_tokens + spend.output_tokens <= 400


async def test_usd_budget_and_spend_by_price(tmp_path):
    async with serving(lambda body, number: chat("ok")) as server:
        priced = endpoint(f"openai/m@{server.url}", price_input=1000.0, price_output=10_000.0)
        chosen = settings(priced, budget={"usd": 1.5}, role={"max_tokens": 100})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            with pytest.raises(BudgetReached, match=r"of 1\.5000 USD"):
                for number in range(64):
                    await access.answer(f"q{number}")
            spend = access.spend()
    one = (11 * 1000 + 7 * 10_000) / 1e6
    assert spend.usd == pytest.approx(one * spend.calls)
    assert spend.usd <= 1.5
    assert spend.by_role[Role.SOLVER].usd == spend.usd
    assert read_spend(journal_at(tmp_path), chosen) == spend.model_copy(update={"sent": 0})


async def test_usage_that_is_not_reported_is_estimated_for_the_budget(tmp_path):
    async with serving(lambda body, number: chat("x" * 300, usage=None)) as server:
        chosen = settings(f"openai/m@{server.url}", budget={"tokens": 1000}, role={"max_tokens": 100})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            with pytest.raises(BudgetReached):
                for number in range(64):
                    await access.answer(f"q{number}")
            assert access.spend().output_tokens == 0
        assert server.requests < 10


async def test_usd_budget_without_prices_is_refused_before_any_call(tmp_path):
    chosen = settings("openai/m@http://127.0.0.1:1/v1", budget={"usd": 1.0})
    with pytest.raises(ConfigError, match=r"price_input.*openai/m@"):
        async with open_access(chosen, journal_at(tmp_path)):
            pass


async def test_unknown_price_is_said_not_taken_for_zero(tmp_path):
    async with (
        serving(lambda body, number: chat("ok")) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path)) as access,
    ):
        assert access.spend().usd == 0.0
        await access.answer("q")
        assert (access.spend().usd, access.spend().unpriced) == (None, (f"openai/m@{server.url}",))


async def test_a_process_that_is_cut_off_leaves_its_requests_in_the_budget(tmp_path):
    """Five kills of sixteen requests each went unnoticed under a budget of twenty calls."""

    async def never(body, number):
        await asyncio.sleep(3600)
        return chat("late")

    async with serving(never) as server:
        chosen = settings(f"openai/m@{server.url}", budget={"calls": 20})
        for _ in range(3):
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                asking = [asyncio.create_task(access.answer(f"{number}?")) for number in range(16)]
                await asyncio.sleep(0.3)
                for task in asking:
                    task.cancel()
                await asyncio.gather(*asking, return_exceptions=True)
        assert server.requests == 20
    assert read_spend(journal_at(tmp_path), chosen).calls == 20
