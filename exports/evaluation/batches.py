"""Evaluations whose requests travel in batches."""

from __future__ import annotations

from salitrap.errors import ConfigError
from salitrap.providers.spec import FREE, parse_spec
from salitrap.settings import EndpointSettings, Settings

MOST_AT_ONCE = 50_000
"""Answers that one process waits for at a time."""


def in_batches(settings: Settings) -> Settings:
    """Return ``settings`` with every endpoint asked through its provider's batch interface.

    Raises:
        ConfigError: an endpoint is on this machine and has none.
    """
    roles = {
        role: pool.model_copy(update={"endpoints": tuple(_batched(end) for end in pool.endpoints)})
        for role, pool in settings.roles.items()
    }
    return settings.model_copy(update={"roles": roles})


def refuse_not_waiting(settings: Settings) -> None:
    """Without batches there is nothing to leave behind.

    Raises:
        ConfigError: no endpoint is asked in batches.
    """
    if not uses_batches(settings):
        raise ConfigError("--no-wait leaves batches at the provider; give --batch too")


def uses_batches(settings: Settings) -> bool:
    """True when an endpoint is asked in batches."""
    return any(endpoint.batch for pool in settings.roles.values() for endpoint in pool.endpoints)


def _batched(endpoint: EndpointSettings) -> EndpointSettings:
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    if spec.provider in FREE:
        raise ConfigError(
            f"--batch: {spec.text} runs on this machine and has no batch interface; leave --batch away, or "
            "give 'batch: true' to the endpoints that have one in a settings file (-c)"
        )
    return endpoint.model_copy(update={"batch": True})
