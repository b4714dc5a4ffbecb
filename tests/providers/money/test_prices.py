"""Prices: the settings' own, else the dated table, else unknown; never a guess and never zero."""

from __future__ import annotations

import re
from datetime import date

import pytest

from salitrap.cli.preflight import check_models
from salitrap.cli.tables import spend_line
from salitrap.errors import ConfigError
from salitrap.providers.money.price import Price
from salitrap.providers.money.prices import (
    charged_price,
    endpoint_prices,
    known_price,
    known_prices,
    price_lookup,
    price_table,
    recorded_price,
    unpriced_specs,
)
from salitrap.providers.money.spend import dated
from salitrap.providers.open import open_access, read_spend
from salitrap.providers.spec import Provider
from salitrap.records import Role
from salitrap.settings.endpoint_faults import endpoint_faults
from tests.providers.helpers import endpoint, journal_at, settings
from tests.providers.journal.test_journal import row

OPENAI = "https://api.openai.com/v1"


def test_every_row_is_dated_and_has_a_source():
    rows = [(name, row) for models in price_table().values() for name, row in models.items()]
    assert set(price_table()) == {"openai", "anthropic"}
    assert len(rows) > 20
    for name, found in rows:
        assert 0 < found.input <= found.output, name
        assert found.cached_input is None or 0 < found.cached_input < found.input, name
        assert date(2025, 1, 1) <= found.date <= date(2026, 12, 31), name
        assert found.source.startswith("https://"), name


@pytest.mark.parametrize(
    ("spec", "prices"),
    [
        ("openai/gpt-5-mini", (0.25, 2.0)),
        ("openai/gpt-5-mini-2025-08-07", (0.25, 2.0)),
        ("anthropic/claude-haiku-4-5-20251001", (1.0, 5.0)),
        ("openai/gpt-5-mini-2025-13-07", None),
        ("openai/gpt-5-mini-high", None),
        ("openai/gpt-5-min", None),
        ("openai/GPT-5-mini", None),
        ("anthropic/gpt-5-mini", None),
        ("openai/org/gpt-5-mini", None),
        ("lab/gpt-5-mini", (0.0, 0.0)),
    ],
)
def test_a_model_is_matched_by_name_or_by_name_and_date(spec, prices):
    assert endpoint_prices(endpoint(spec)) == prices


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000/v1", OPENAI])
def test_a_model_with_an_address_of_its_own_never_takes_a_table_price(address):
    assert endpoint_prices(endpoint(f"openai/gpt-5-mini@{address}")) is None
    assert endpoint_prices(endpoint("openai/gpt-5-mini", base_url=address)) is None


def test_prices_of_the_settings_win_figure_by_figure():
    both = known_price(endpoint("openai/gpt-5-mini", price_input=7, price_output=9))
    assert both is not None and both.pair == (7.0, 9.0) and both.dated is None
    one = known_price(endpoint("openai/gpt-5-mini", price_input=7))
    assert one is not None and one.pair == (7.0, 2.0) and one.dated == "2025-11-13"
    assert known_price(endpoint("openai/unheard-of", price_input=7)) is None
    assert (both.cached_input, one.cached_input) == (7.0, 7.0), "the table's figure belongs to its own price"
    other = known_price(endpoint("openai/gpt-5-mini", price_output=9))
    assert other is not None and (other.pair, other.cached_input) == ((0.25, 9.0), 0.025)
    zero = known_price(endpoint("openai/gpt-5-mini", price_input=0, price_output=0))
    assert zero is not None and zero.pair == (0.0, 0.0)


def test_cached_input_has_a_price_of_its_own_in_the_settings():
    """It counted as input wherever the settings gave prices, though the provider asks a tenth."""
    given = known_price(
        endpoint("openai/m@http://h/v1", price_input=2, price_output=9, price_cached_input=0.2)
    )
    assert given == Price(2.0, 9.0, 0.2)
    assert given.cost(1_000_000, 0, cached=500_000) == pytest.approx(1.1)
    listed = known_price(endpoint("openai/gpt-5-mini", price_cached_input=0.01))
    assert listed is not None and (listed.pair, listed.cached_input) == ((0.25, 2.0), 0.01)
    assert known_price(endpoint("openai/unheard-of", price_cached_input=0.1)) is None
    halved = charged_price(endpoint("openai/gpt-5-mini", price_cached_input=0.01, batch=True))
    assert halved is not None and halved.cached_input == pytest.approx(0.005)


def test_cached_input_that_costs_more_than_input_is_refused():
    """A budget reserves the price of input."""
    wrong = endpoint("openai/m", price_input=1, price_output=2, price_cached_input=1.5)
    assert [field for field, _ in endpoint_faults(wrong, Provider.OPENAI)] == ["price_cached_input"]
    right = endpoint("openai/m", price_input=1, price_output=2, price_cached_input=1)
    assert not list(endpoint_faults(right, Provider.OPENAI))


def test_a_figure_from_another_page_names_it_with_its_day():
    rows = [row for models in price_table().values() for row in models.values() if row.cached_source]
    assert rows
    for found in rows:
        assert found.cached_input is not None
        assert re.fullmatch(r"https://\S+ \(20\d\d-\d\d-\d\d\)", found.cached_source)


HERE = "http://127.0.0.1:1/v1"


def test_a_twin_at_another_address_has_a_price_of_its_own():
    """A local twin must neither look priced nor make the provider's own model look free."""
    here = endpoint("openai/gpt-5-mini", base_url=HERE)
    assert set(known_prices(settings("openai/gpt-5-mini", here))) == {("openai/gpt-5-mini", OPENAI)}
    free = endpoint("openai/gpt-5-mini", base_url=HERE, price_input=0, price_output=0)
    price_of = price_lookup(settings(free))
    assert price_of("openai/gpt-5-mini", HERE) == Price(0.0, 0.0, 0.0)
    at_home = price_of("openai/gpt-5-mini", OPENAI)
    assert at_home is not None and at_home.pair == (0.25, 2.0)


def test_two_endpoints_of_one_spec_and_address_have_a_price_only_if_both_have():
    cheap = endpoint("openai/m", base_url=HERE, price_input=1, price_output=8)
    dear = endpoint("openai/m", base_url=HERE, price_input=9, price_output=2)
    assert known_prices(settings(cheap, dear)) == {("openai/m", HERE): Price(9.0, 8.0, 9.0)}
    assert known_prices(settings(cheap, endpoint("openai/m", base_url=HERE))) == {}


def test_unknown_prices_are_named():
    assert unpriced_specs([endpoint("openai/b"), endpoint("openai/gpt-5"), endpoint("openai/a")]) == (
        "openai/a",
        "openai/b",
    )


async def test_spend_uses_the_table_and_tells_its_date(tmp_path):
    chosen = settings("openai/gpt-5-mini-2025-08-07")
    async with open_access(chosen, journal_at(tmp_path), environment={"OPENAI_API_KEY": "k" * 8}) as access:
        books = access._caller._books
        books.journal.add(
            row(
                model="openai/gpt-5-mini-2025-08-07",
                endpoint=OPENAI,
                charged_input=1_000_000,
                charged_output=500_000,
            )
        )
    spend = read_spend(journal_at(tmp_path), chosen)
    assert spend.usd == pytest.approx(0.25 + 1.0)
    assert spend.price_dates == ("2025-11-13",)
    assert "1.25 USD (prices of 2025-11-13)" in spend_line(spend)


async def test_an_unknown_price_is_said_and_is_not_zero(tmp_path):
    chosen = settings("openai/unheard-of@http://127.0.0.1:1/v1")
    async with open_access(chosen, journal_at(tmp_path), environment={}) as access:
        access._caller._books.journal.add(row(model="openai/unheard-of@http://127.0.0.1:1/v1"))
    spend = read_spend(journal_at(tmp_path), chosen)
    assert spend.usd is None
    told = spend_line(spend)
    assert "cost unknown: no price for openai/unheard-of." in told
    assert "USD" not in told


async def test_a_budget_in_usd_rests_on_the_table(tmp_path):
    """A request reserved nothing in USD when its price came from the table alone."""
    chosen = settings("openai/gpt-5-mini", budget={"usd": 1.0})
    check_models(chosen)
    async with open_access(chosen, journal_at(tmp_path), environment={"OPENAI_API_KEY": "k" * 8}) as access:
        assert access._pools[Role.JUDGE].endpoints[0].prices == (0.25, 2.0)
    with pytest.raises(ConfigError, match="openai/unheard-of"):
        check_models(settings("openai/unheard-of", budget={"usd": 1.0}))


def test_a_recorded_model_has_a_table_price_only_at_its_providers_address():
    at_home = recorded_price("openai/gpt-5-mini", OPENAI)
    assert at_home is not None and at_home.pair == (0.25, 2.0)
    assert recorded_price("openai/gpt-5-mini", "http://127.0.0.1:8000/v1") is None
    assert recorded_price("something else", OPENAI) is None
    free = recorded_price("lab/judge", "lab")
    assert free is not None and free.pair == (0.0, 0.0)


def test_dates_are_told_as_one_or_as_a_range():
    assert dated(()) == ""
    assert dated(("2026-01-31",)) == " (prices of 2026-01-31)"
    assert dated(("2026-01-31", "2025-02-01")) == " (prices of 2025-02-01 to 2026-01-31)"
