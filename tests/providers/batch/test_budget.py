"""What waits in batches is in the budget, of this process and of the next one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from salitrap.errors import BatchesLeft, BudgetReached, Interrupted
from salitrap.providers.journal.schema import MIGRATIONS
from salitrap.providers.money import budget
from salitrap.providers.money.budget import BudgetGuard, worst_case
from salitrap.providers.money.price import MILLION
from salitrap.providers.money.spend import Ledger
from salitrap.settings.model import Budget
from tests.providers.batch.helpers import book, echo, opened, spec, until
from tests.providers.batch.servers import BatchServer, batching
from tests.providers.helpers import endpoint, settings


def limited(server: BatchServer, **budget: Any) -> Any:
    priced = endpoint(spec("openai", server), batch=True, price_input=2.0, price_output=4.0)
    return settings(priced, budget=budget, role={"max_tokens": 100})


async def visit(given: Any, folder: Any, server: BatchServer, *questions: str) -> list[Any]:
    """Ask, and leave once nothing more is submitted or all has come to its end."""
    async with opened(given, folder) as access:
        asking = asyncio.ensure_future(
            asyncio.gather(*(access.answer(question) for question in questions), return_exceptions=True)
        )
        await asyncio.wait({asking}, timeout=0.5)
        access.stop(Interrupted("stopped by Ctrl-C"))
        return await asyncio.wait_for(asking, 5)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "COLLECTED_WITHIN", 0.1)


@pytest.mark.parametrize("most", [{"calls": 5}, {"tokens": 5 * 130}, {"usd": 5 * 260 / MILLION}])
async def test_a_batch_that_waits_is_in_the_budget_of_the_next_process(tmp_path, most):
    """Guards the budget: leaving and coming back with other questions had it spent again at every visit."""
    async with batching(echo, hold=True) as server:
        given = limited(server, **most)
        for prefix in "abc":
            ended = await visit(given, tmp_path, server, *(f"{prefix}{number}" for number in range(5)))
        assert len(server.submitted) == 5
    assert {type(error) for error in ended} == {BudgetReached}
    assert "more for requests that wait in batches" in str(ended[0])


async def test_what_waits_is_collected_whatever_the_budget(tmp_path):
    """It is paid already: also when the budget was lowered meanwhile."""
    async with batching(echo, hold=True) as server:
        await visit(limited(server, calls=5), tmp_path, server, *"abcde")
        server.hold = False
        ended = await visit(limited(server, calls=2), tmp_path, server, *"abcde")
        assert [answer.text for answer in ended] == [f"to {letter}" for letter in "abcde"]
        assert len(server.batches) == 1


async def test_what_was_set_aside_is_free_once_the_replies_are_booked(tmp_path):
    """A question that comes before those that wait has to wait for them, not to end the run."""
    async with batching(echo, hold=True) as server:
        given = limited(server, tokens=5 * 130)
        await visit(given, tmp_path, server, *"abcde")
        server.hold = False
        ended = await visit(given, tmp_path, server, "new", *"abcde")
        assert [answer.text for answer in ended] == [f"to {text}" for text in ("new", *"abcde")]


async def test_without_waiting_a_budget_that_does_not_take_all_is_no_reason_to_stay(tmp_path):
    """Guards --no-wait: calls that waited for room counted as on their way, and it never left."""
    async with batching(echo, hold=True) as server:
        async with opened(limited(server, tokens=2 * 130), tmp_path, wait=False) as access:
            asking = asyncio.gather(*(access.answer(text) for text in "abcde"), return_exceptions=True)
            ended = await asyncio.wait_for(asking, 10)
        assert len(server.submitted) == 2
    assert {type(error) for error in ended} == {BatchesLeft}
    assert str(ended[0]).startswith("Submitted: 2 requests in 1 batch. The budget has no room for the others")


async def test_ctrl_c_ends_calls_that_wait_for_room(tmp_path):
    """Guards Ctrl-C: what waits stays set aside, so that no room is made by leaving it."""
    async with (
        batching(echo, hold=True) as server,
        opened(limited(server, tokens=2 * 130), tmp_path) as access,
    ):
        asking = asyncio.gather(*(access.answer(text) for text in "abcde"), return_exceptions=True)
        await until(lambda: server.batches)
        access.stop(Interrupted("stopped by Ctrl-C"))
        ended = await asyncio.wait_for(asking, 2)
    assert {type(error) for error in ended} == {Interrupted}


async def test_the_worst_case_of_a_request_is_in_the_journal(tmp_path):
    async with batching(echo, hold=True) as server:
        await visit(limited(server), tmp_path, server, "a")
    with book(tmp_path) as journal:
        (tokens, usd), *others = [
            tuple(row) for row in journal.select("SELECT tokens, usd FROM batch_requests")
        ]
    assert not others
    assert tokens > 100
    assert 200 / MILLION < usd < 250 / MILLION, "a hundred tokens of output and the prompt at half price"


class Left:
    """Requests at a provider: those that are there at the start, and those that stay."""

    def __init__(self, *keys: str) -> None:
        self.keys = keys

    def worst_cases(self) -> list[tuple[str, int, float]]:
        return [(key, 10, 0.0) for key in self.keys]

    def waits(self, key: str) -> bool:
        return key in self.keys


async def test_a_request_that_its_call_leaves_in_its_batch_stays_set_aside():
    """As where one endpoint of a role is given up and the run goes on."""
    guard = BudgetGuard(Budget(calls=1), Ledger(lambda model: None, ()), Left("k"))
    one = worst_case(5, 5, None)
    await guard.reserve(one, "k")
    guard.release(one, "k")
    with pytest.raises(BudgetReached):
        await guard.reserve(one, "other")


def test_the_migration_of_a_journal_with_batches_keeps_them():
    """A request of before has no worst case; one call it is all the same."""
    import sqlite3

    db = sqlite3.connect(":memory:")
    for script in MIGRATIONS[:3]:
        db.executescript(script)
    db.execute("INSERT INTO batch_requests VALUES ('tag', 0, 'key', 'id', NULL)")
    for script in MIGRATIONS[3:]:
        db.executescript(script)
    assert db.execute("SELECT key, tokens, usd FROM batch_requests").fetchall() == [("key", 0, 0.0)]
    db.close()
