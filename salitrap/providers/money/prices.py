"""What a token costs: the settings' own prices, else a dated table, else unknown. Never a guess.

Prices are USD per million tokens. The table (``prices.yaml``) holds what providers ask at their own
address; a model behind any other address has the price its settings give, or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date as Day
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from salitrap.errors import ConfigError
from salitrap.providers.money.price import FREE_OF_CHARGE, Price, Prices
from salitrap.providers.money.spend import PriceOf
from salitrap.providers.spec import DEFAULT_BASE_URLS, FREE, ModelSpec, parse_spec
from salitrap.records.base import Record
from salitrap.settings.endpoints import EndpointSettings
from salitrap.settings.model import Settings
from salitrap.yaml_source import read_yaml

TABLE_FILE = Path(__file__).with_name("prices.yaml")
BATCH_SHARE = 0.5
"""What both providers ask for a request in a batch, as a share of the price alone."""

Usd = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
_SNAPSHOT = re.compile(r"-20\d{2}-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])$")


class TablePrice(Record):
    """One row: USD per million tokens, and a day on which ``source`` showed it.

    ``cached_input`` is None where nobody looked for it; ``cached_source`` is where it is from, with the day,
    when that is not ``source``. ``note`` says what the price does not cover.
    """

    input: Usd
    output: Usd
    cached_input: Usd | None = None
    date: Day
    source: str
    cached_source: str = ""
    note: str = ""


@cache
def price_table() -> Mapping[str, Mapping[str, TablePrice]]:
    """Rows by provider and model name."""
    form = TypeAdapter(dict[str, dict[str, TablePrice]])
    return form.validate_python(read_yaml(TABLE_FILE).value)


def table_price(spec: ModelSpec) -> TablePrice | None:
    """The row of a model at its provider's own address.

    The exact name counts first; then a dated snapshot (``NAME-2026-01-31``, ``NAME-20260131``) has the
    price of ``NAME``. No other ending is taken off.
    """
    if spec.base_url is not None:
        return None
    rows = price_table().get(spec.provider.value, {})
    return rows.get(spec.name) or rows.get(_SNAPSHOT.sub("", spec.name))


def known_price(endpoint: EndpointSettings) -> Price | None:
    """Price of an endpoint, None when unknown; the settings' price wins, figure by figure.

    Cached input has the table's price for it only where the table gives the input price too; else it costs
    what input costs, which is an upper bound.
    """
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    if spec.provider in FREE:
        return FREE_OF_CHARGE
    whole, cached = _full_price(endpoint, spec), endpoint.price_cached_input
    return whole if whole is None or cached is None else whole._replace(cached_input=cached)


def charged_price(endpoint: EndpointSettings) -> Price | None:
    """The price at which a request to ``endpoint`` is charged, as its journal row records it for good.

    A discount on whole requests belongs here (``Price.times``), so that sums over rows need not know it.
    """
    price = known_price(endpoint)
    return price.times(BATCH_SHARE) if price is not None and endpoint.batch else price


def recorded_price(model: str, address: str) -> Price | None:
    """Price of a model as the journal has it, from the table alone; ``address`` is where it was asked."""
    try:
        spec = parse_spec(model)
    except ConfigError:
        return None
    if spec.provider in FREE:
        return FREE_OF_CHARGE
    row = table_price(spec) if address == DEFAULT_BASE_URLS[spec.provider.value] else None
    return None if row is None else _listed(row)


def price_lookup(settings: Settings | None = None) -> PriceOf:
    """Prices for rows that recorded none: of the endpoints in ``settings``, else of the table.

    So a model that was taken out of the settings is still counted.
    """
    known = {} if settings is None else known_prices(settings)

    @cache
    def price_of(model: str, address: str) -> Price | None:
        return known.get((model, address)) or recorded_price(model, address)

    return price_of


def endpoint_prices(endpoint: EndpointSettings) -> Prices | None:
    """USD per million input and output tokens of one endpoint at full price, None when unknown."""
    known = known_price(endpoint)
    return None if known is None else known.pair


def known_prices(settings: Settings) -> dict[tuple[str, str], Price]:
    """Known prices by model spec and address, as the journal has both.

    Where two endpoints share them, the price is unknown if either is, else the higher of each figure.
    """
    found: dict[tuple[str, str], Price | None] = {}
    for endpoint in endpoints_of(settings):
        spec, price = parse_spec(endpoint.spec, endpoint.base_url), known_price(endpoint)
        if spec.provider not in FREE:
            site = spec.text, spec.base_url or DEFAULT_BASE_URLS[spec.provider.value]
            found[site] = _both(found[site], price) if site in found else price
    return {site: price for site, price in found.items() if price is not None}


def unpriced_specs(endpoints: Iterable[EndpointSettings]) -> tuple[str, ...]:
    """Specs without a known price, sorted."""
    return tuple(sorted({recorded_as(endpoint) for endpoint in endpoints if known_price(endpoint) is None}))


def unpriced_in(settings: Settings) -> tuple[str, ...]:
    """Specs of a run without a known price, that of filter f5 among them, sorted."""
    meaning, found = settings.scale.similarity.meaning, set(unpriced_specs(endpoints_of(settings)))
    if meaning is not None and embeddings_price(meaning.endpoint) is None:
        found.add(recorded_as(meaning.endpoint))
    return tuple(sorted(found))


def require_prices(settings: Settings) -> None:
    """Check that a budget in USD can be kept.

    Raises:
        ConfigError: there is one, and an endpoint has no known price.
    """
    if settings.budget.usd is not None and (unpriced := unpriced_in(settings)):
        raise ConfigError(
            "budget.usd needs the prices of every endpoint; give price_input and price_output for "
            f"{', '.join(unpriced)}, or limit calls or tokens instead"
        )


def embeddings_price(endpoint: EndpointSettings) -> Price | None:
    """Price of an embeddings endpoint: ``price_input`` alone is enough, since nothing is written."""
    if endpoint.price_input is None:
        return known_price(endpoint)
    return Price(endpoint.price_input, 0.0, endpoint.price_input)


def recorded_as(endpoint: EndpointSettings) -> str:
    """The spec as journal and reports have it."""
    return parse_spec(endpoint.spec, endpoint.base_url).text


def endpoints_of(settings: Settings) -> list[EndpointSettings]:
    """Every endpoint of every role."""
    return [endpoint for role in settings.roles.values() for endpoint in role.endpoints]


def _full_price(endpoint: EndpointSettings, spec: ModelSpec) -> Price | None:
    """Input and output by the settings or else the table, with what follows from them for cached input."""
    tokens_in, tokens_out = endpoint.price_input, endpoint.price_output
    if tokens_in is not None and tokens_out is not None:
        return Price(tokens_in, tokens_out, tokens_in)
    row = table_price(spec)
    if row is None:
        return None
    listed = _listed(row)
    if tokens_in is not None:
        listed = listed._replace(input=tokens_in, cached_input=tokens_in)
    return listed if tokens_out is None else listed._replace(output=tokens_out)


def _listed(row: TablePrice) -> Price:
    cached = row.input if row.cached_input is None else row.cached_input
    return Price(row.input, row.output, cached, row.date.isoformat())


def _both(one: Price | None, other: Price | None) -> Price | None:
    if one is None or other is None:
        return None
    dates = [price.dated for price in (one, other) if price.dated is not None]
    return Price(
        max(one.input, other.input),
        max(one.output, other.output),
        max(one.cached_input, other.cached_input),
        min(dates, default=None),
    )
