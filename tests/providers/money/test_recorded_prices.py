"""A call keeps what it cost: settings that change afterwards make nothing cheaper, dearer or unknown."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from salitrap.cli.calls_source import price_source
from salitrap.errors import BudgetReached, ConfigError
from salitrap.providers.journal import opening
from salitrap.providers.journal.schema import MIGRATIONS
from salitrap.providers.journal.store import Journal
from salitrap.providers.journal.view import CallFilter, calls_in
from salitrap.providers.money.price import Price, price_from
from salitrap.providers.money.prices import price_lookup
from salitrap.providers.open import open_access, read_spend
from tests.providers.helpers import endpoint, journal_at, pacing, settings
from tests.providers.journal.test_journal import row
from tests.providers.servers import chat, claude, serving

OPENAI = "https://api.openai.com/v1"
HERE = "http://127.0.0.1:9/v1"
ONE = (11 * 1000 + 7 * 10_000) / 1e6
"""USD of one reply of the test server at 1,000 and 10,000 a million."""


async def asked(tmp_path, server, questions, *, budget=None, **price):
    """Ask each question of a model at ``server`` that has ``price``; returns the settings."""
    chosen = settings(endpoint(f"openai/m@{server.url}", **price), **({"budget": budget} if budget else {}))
    async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
        for question in questions:
            await access.answer(question)
    return chosen


def stored(tmp_path, *rows, version=None, monkeypatch=None):
    with closing(Journal(journal_at(tmp_path))) as journal:
        for one in rows:
            journal.add(one)


async def test_a_changed_price_is_for_calls_to_come(tmp_path):
    """What was paid went up or down with every edit of the settings."""
    async with serving(lambda body, number: chat("ok")) as server:
        await asked(tmp_path, server, ["a"], price_input=1000, price_output=10_000)
        chosen = await asked(tmp_path, server, ["a", "b"], price_input=2000, price_output=20_000)
    assert read_spend(journal_at(tmp_path), chosen).usd == pytest.approx(ONE + 2 * ONE)


async def test_a_removed_model_is_still_counted(tmp_path):
    """A budget of 1 USD could be spent once a model: those that were taken out counted nothing."""
    async with serving(lambda body, number: chat("ok")) as server:
        await asked(tmp_path, server, ["a", "b"], price_input=1000, price_output=10_000)
        other = endpoint(f"openai/other@{server.url}", price_input=0, price_output=0.001)
        chosen = settings(other, budget={"usd": 1.5 * ONE})
        assert read_spend(journal_at(tmp_path), chosen).usd == pytest.approx(2 * ONE)
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            with pytest.raises(BudgetReached, match=rf"budget reached: {2 * ONE:.4f} of"):
                await access.answer("c")


async def test_a_price_that_was_taken_out_of_the_settings_still_counts(tmp_path):
    async with serving(lambda body, number: chat("ok")) as server:
        await asked(tmp_path, server, ["a"], price_input=1000, price_output=10_000)
        chosen = await asked(tmp_path, server, ["a"])
        assert read_spend(journal_at(tmp_path), chosen).usd == pytest.approx(ONE)
        chosen = await asked(tmp_path, server, ["b"])
        spend = read_spend(journal_at(tmp_path), chosen)
    assert (spend.usd, spend.unpriced) == (None, (f"openai/m@{server.url}",)), "b was made without one"


async def test_a_call_made_without_a_price_takes_the_one_that_is_given_later(tmp_path):
    async with serving(lambda body, number: chat("ok")) as server:
        await asked(tmp_path, server, ["a"])
        chosen = await asked(tmp_path, server, ["a"], price_input=1000, price_output=10_000)
    assert read_spend(journal_at(tmp_path), chosen).usd == pytest.approx(ONE)


def test_old_rows_of_a_removed_model_have_the_price_of_the_table_at_its_own_address(tmp_path):
    charged = {"charged_input": 1_000_000, "charged_output": 500_000}
    stored(tmp_path, row("a", model="openai/gpt-5-mini", endpoint=OPENAI, **charged))
    spend = read_spend(journal_at(tmp_path), settings("lab/judge"))
    assert (spend.usd, spend.price_dates) == (pytest.approx(1.25), ("2025-11-13",))
    stored(tmp_path, row("b", model="openai/gpt-5-mini", endpoint=HERE, **charged))
    assert read_spend(journal_at(tmp_path), settings("lab/judge")).usd is None


async def test_a_budget_in_usd_is_refused_while_past_calls_have_no_price(tmp_path):
    """Taken for nothing, they would let the run spend more than its budget."""
    stored(tmp_path, row(model=f"openai/gone@{HERE}", endpoint=HERE))
    limited = settings("lab/judge", budget={"usd": 1.0})
    with pytest.raises(ConfigError, match=rf"openai/gone@{HERE}, whose price is not known.*price_input"):
        async with open_access(limited, journal_at(tmp_path)):
            pass
    backup = endpoint(f"openai/gone@{HERE}", price_input=1, price_output=1)
    chosen = settings("lab/judge", backup, budget={"usd": 1.0})
    async with open_access(chosen, journal_at(tmp_path)) as access:
        assert access.spend().usd == pytest.approx(8 / 1e6)


def test_a_free_model_that_was_removed_does_not_make_the_cost_unknown(tmp_path):
    stored(
        tmp_path,
        row("a", model="lab/judge", endpoint="lab"),
        row("b", model="gguf/m.gguf", endpoint="sha256:0"),
    )
    assert read_spend(journal_at(tmp_path), settings("openai/gpt-5")).usd == 0.0


def test_rows_of_one_model_at_several_prices_are_summed_each_at_its_own(tmp_path):
    """As for requests at a discount beside requests at full price."""
    full = Price(2.0, 10.0, 0.5, "2026-01-31")
    half = full.times(0.5)
    for key, price in (("a", full), ("b", half)):
        prices = dict(
            zip(("price_input", "price_output", "price_cached", "price_date"), _columns(price), strict=True)
        )
        stored(tmp_path, row(key, charged_input=1_000_000, charged_output=100_000, **prices))
    with closing(Journal(journal_at(tmp_path), read_only=True)) as journal:
        spend = journal.spend(price_lookup())
        lines = {line.key: line for line in calls_in(journal, CallFilter(), price_source(journal.path))}
    assert spend.usd == pytest.approx(3.0 + 1.5)
    assert spend.price_dates == ("2026-01-31",)
    assert (lines["a"].usd, lines["b"].usd) == (pytest.approx(3.0), pytest.approx(1.5))
    assert lines["a"].price_date == "2026-01-31"


def _columns(price):
    return price.input, price.output, price.cached_input, price.dated


def test_a_price_survives_its_columns():
    price = Price(2.0, 10.0, 0.5, "2026-01-31")
    assert price_from(*_columns(price)) == price
    assert price_from(None, None, None, None) is None
    assert price_from(2.0, 10.0, None, None) == Price(2.0, 10.0, 2.0)


@pytest.fixture
def old_journal(tmp_path, monkeypatch):
    """A journal of the first version with one row of a model that the table prices."""
    columns = {
        "model": "openai/gpt-5-mini",
        "endpoint": OPENAI,
        "charged_input": 1_000_000,
        "charged_output": 0,
    }
    names = [name for name in row().__dataclass_fields__ if name in MIGRATIONS[0]]
    monkeypatch.setattr(opening, "MIGRATIONS", MIGRATIONS[:1])
    with closing(Journal(journal_at(tmp_path))):
        pass
    monkeypatch.undo()
    old = row(**columns)
    with closing(sqlite3.connect(journal_at(tmp_path))) as db, db:
        marks = ", ".join("?" * len(names))
        db.execute(
            f"INSERT INTO calls ({', '.join(names)}) VALUES ({marks})", [getattr(old, name) for name in names]
        )
    return journal_at(tmp_path)


def test_a_journal_of_the_first_version_is_read_without_being_changed(old_journal):
    before = old_journal.read_bytes()
    assert read_spend(old_journal, settings("lab/judge")).usd == pytest.approx(0.25)
    with closing(Journal(old_journal, read_only=True)) as journal:
        (line,) = calls_in(journal, CallFilter(), price_source(old_journal))
    assert line.usd == pytest.approx(0.25)
    assert old_journal.read_bytes() == before


def test_a_journal_of_the_first_version_goes_on_in_this_one(old_journal):
    with closing(Journal(old_journal)) as journal:
        journal.add(replace(row("new"), price_input=1.0, price_output=1.0))
        assert journal.spend(price_lookup()).usd == pytest.approx(0.25 + 8 / 1e6)


async def test_cached_input_counts_as_input_and_costs_what_the_table_says(tmp_path):
    """Of gpt-5-mini: 0.25 USD a million tokens of input, 0.025 of cached input, 2 of output."""
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 800}}
    async with serving(lambda body, number: chat("ok", usage=usage)) as server:
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            await access.answer("q")
            assert access.spend().input_tokens == 1000
    listed = Price(0.25, 2.0, 0.025)
    with closing(Journal(journal_at(tmp_path), read_only=True)) as journal:
        assert journal.select("SELECT cached_input FROM calls")[0]["cached_input"] == 800
        assert journal.spend(lambda model, address: listed).usd == pytest.approx(
            (200 * 0.25 + 80 * 0.25 + 200) / 1e6
        )


async def test_cached_input_is_paid_in_full_where_no_price_for_it_is_known(tmp_path):
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 10}}
    async with serving(lambda body, number: chat("ok", usage=usage)) as server:
        chosen = await asked(tmp_path, server, ["a"], price_input=1000, price_output=10_000)
    assert read_spend(journal_at(tmp_path), chosen).usd == pytest.approx(ONE)


async def test_the_messages_interface_reports_cached_input_beside_the_rest(tmp_path):
    """Its ``input_tokens`` are those alone that had nothing to do with the cache."""
    reply = claude("ok")
    reply["usage"] |= {"cache_read_input_tokens": 700, "cache_creation_input_tokens": 200}
    async with serving(lambda body, number: reply) as server:
        chosen = settings(endpoint(f"anthropic/c@{server.root}"))
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            await access.answer("q")
            assert access.spend().input_tokens == 913
    with closing(Journal(journal_at(tmp_path), read_only=True)) as journal:
        found = dict(
            journal.select("SELECT input_tokens, charged_input, cached_input, cache_written FROM calls")[0]
        )
        usd = journal.spend(lambda model, address: Price(1.0, 5.0, 0.1)).usd
    assert found == {"input_tokens": 913, "charged_input": 913, "cached_input": 700, "cache_written": 200}
    assert usd == pytest.approx((13 + 200 * 1.25 + 70 + 25) / 1e6), "what is put into the cache costs more"
