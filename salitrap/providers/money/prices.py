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
from salitrap.providers.money.spend import Prices
from salitrap.providers.spec import DEFAULT_BASE_URLS, FREE, ModelSpec, parse_spec
from salitrap.records.base import Record
from salitrap.settings.model import EndpointSettings, Settings
from salitrap.yaml_source import read_yaml

TABLE_FILE = Path(__file__).with_name("prices.yaml")
Usd = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
_SNAPSHOT = re.compile(r"-20\d{2}-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])$")


class TablePrice(Record):
    """One row: USD per million tokens, and a day on which ``source`` showed it.

    ``cached_input`` is None where it was not read. ``note`` says what the price does not cover.
    """

    input: Usd
    output: Usd
    cached_input: Usd | None = None
    date: Day
    source: str
    note: str = ""


class KnownPrice(Record):
    """The price of an endpoint; ``dated`` is the date of the table row that gave a part of it."""

    input: float
    output: float
    dated: Day | None = None

    @property
    def pair(self) -> Prices:
        """Input and output, as the ledger counts them."""
        return self.input, self.output


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


def known_price(endpoint: EndpointSettings) -> KnownPrice | None:
    """Price of an endpoint, None when unknown; the settings' price wins, figure by figure."""
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    if spec.provider in FREE:
        return KnownPrice(input=0.0, output=0.0)
    given = endpoint.price_input, endpoint.price_output
    if given[0] is not None and given[1] is not None:
        return KnownPrice(input=given[0], output=given[1])
    row = table_price(spec)
    if row is None:
        return None
    return KnownPrice(
        input=row.input if given[0] is None else given[0],
        output=row.output if given[1] is None else given[1],
        dated=row.date,
    )


def recorded_price(model: str, address: str) -> KnownPrice | None:
    """Price of a model as the journal has it, from the table alone; ``address`` is where it was asked."""
    try:
        spec = parse_spec(model)
    except ConfigError:
        return None
    if spec.provider in FREE:
        return KnownPrice(input=0.0, output=0.0)
    row = table_price(spec) if address == DEFAULT_BASE_URLS[spec.provider.value] else None
    return None if row is None else KnownPrice(input=row.input, output=row.output, dated=row.date)


def endpoint_prices(endpoint: EndpointSettings) -> Prices | None:
    """USD per million input and output tokens of one endpoint, None when unknown."""
    known = known_price(endpoint)
    return None if known is None else known.pair


def prices_of(settings: Settings) -> dict[str, Prices]:
    """Prices by model spec, as far as known; see ``known_prices``."""
    return {spec: known.pair for spec, known in known_prices(settings).items()}


def price_dates_of(settings: Settings) -> dict[str, str]:
    """Date of the table row (ISO) by model spec, where the table was used."""
    return {
        spec: known.dated.isoformat()
        for spec, known in known_prices(settings).items()
        if known.dated is not None
    }


def known_prices(settings: Settings) -> dict[str, KnownPrice]:
    """Known prices by model spec.

    The journal tells endpoints apart by spec alone: where two share one, the price is unknown if
    either is, else the higher of each figure.
    """
    found: dict[str, KnownPrice | None] = {}
    for endpoint in endpoints_of(settings):
        name, price = recorded_as(endpoint), known_price(endpoint)
        found[name] = _both(found[name], price) if name in found else price
    return {spec: price for spec, price in found.items() if price is not None}


def unpriced_specs(endpoints: Iterable[EndpointSettings]) -> tuple[str, ...]:
    """Specs without a known price, sorted."""
    return tuple(sorted({recorded_as(endpoint) for endpoint in endpoints if known_price(endpoint) is None}))


def recorded_as(endpoint: EndpointSettings) -> str:
    """The spec as journal and reports have it."""
    return parse_spec(endpoint.spec, endpoint.base_url).text


def endpoints_of(settings: Settings) -> list[EndpointSettings]:
    """Every endpoint of every role."""
    return [endpoint for role in settings.roles.values() for endpoint in role.endpoints]


def _both(one: KnownPrice | None, other: KnownPrice | None) -> KnownPrice | None:
    if one is None or other is None:
        return None
    dates = [price.dated for price in (one, other) if price.dated is not None]
    return KnownPrice(
        input=max(one.input, other.input),
        output=max(one.output, other.output),
        dated=min(dates) if dates else None,
    )
