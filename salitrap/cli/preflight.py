"""What can be known to be wrong with a run before anything is made, sent or paid."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from salitrap.cli.console import err

if TYPE_CHECKING:
    from salitrap.settings import Settings


def check_models(settings: Settings) -> None:
    """Check the specs of all endpoints, their files and proxies, and that a budget in USD can be kept.

    Needs no keys.

    Raises:
        ConfigError: a spec is not understood, a model file, ``ca`` file or proxy is missing or unusable, or
            an endpoint lacks the prices that ``budget.usd`` needs.
    """
    from salitrap.providers.money.prices import require_prices
    from salitrap.providers.network import checked_network, places_of
    from salitrap.providers.spec import parse_spec
    from salitrap.providers.wire.gguf_file import check_endpoints

    endpoints = [endpoint for role in settings.roles.values() for endpoint in role.endpoints]
    check_endpoints(endpoints)
    for endpoint, where in places_of(settings).items():
        checked_network(endpoint, parse_spec(endpoint.spec, endpoint.base_url), os.environ, where)
    require_prices(settings)


def check_access(settings: Settings) -> None:
    """Check everything that ``check_models`` does, and that every key is there: for what is about to pay.

    Raises:
        ConfigError: as ``check_models`` says, or a key is missing.
    """
    from salitrap.providers.build import blueprint_of

    check_models(settings)
    blueprint_of(settings, os.environ)


def warn_of_self_judging(settings: Settings) -> None:
    """Say which models judge their own answers; ``eval`` refuses that (method, stage 2)."""
    for judge, solver in self_judges(settings):
        err().print(
            f"warning: {judge} judges and {solver} solves: a model may be kind to its own answers; "
            "choose another judge",
            soft_wrap=True,
        )


def self_judges(settings: Settings) -> list[tuple[str, str]]:
    """Specs of a judge and of a solver that are one model, whatever the provider or address."""
    from exports.evaluation.models import bare_name
    from salitrap.records import Role

    judges, solvers = settings.roles[Role.JUDGE].endpoints, settings.roles[Role.SOLVER].endpoints
    named = {bare_name(endpoint.spec): endpoint.spec for endpoint in solvers}
    return [(judge.spec, named[bare_name(judge.spec)]) for judge in judges if bare_name(judge.spec) in named]
