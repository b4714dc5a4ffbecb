"""What can be known to be wrong with a run before anything is made, sent or paid; needs no keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from salitrap.errors import ConfigError

if TYPE_CHECKING:
    from salitrap.settings import Settings


def check_models(settings: Settings) -> None:
    """Check the specs of all endpoints, and that a budget in USD can be kept.

    Raises:
        ConfigError: a spec is not understood, or an endpoint lacks the prices that ``budget.usd`` needs.
    """
    from salitrap.providers.prices import unpriced_specs
    from salitrap.providers.spec import parse_spec

    endpoints = [endpoint for role in settings.roles.values() for endpoint in role.endpoints]
    for endpoint in endpoints:
        parse_spec(endpoint.spec, endpoint.base_url)
    if settings.budget.usd is None:
        return
    if unpriced := unpriced_specs(endpoints):
        raise ConfigError(
            "budget.usd needs the prices of every endpoint; give price_input and price_output for "
            f"{', '.join(unpriced)}, or limit calls or tokens instead"
        )
