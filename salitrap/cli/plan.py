"""``salitrap plan``: what a run expects to spend, before anything is paid."""

from __future__ import annotations

from typing import Annotated

import typer

from salitrap.cli.console import out, print_json
from salitrap.cli.options import AsJson, Config
from salitrap.cli.preflight import check_models, warn_of_self_judging

Latency = Annotated[
    float | None,
    typer.Option(min=0.001, max=86_400.0, help="Seconds a call, for every role; else an assumption a role."),
]


def plan(config: Config, latency: Latency = None, as_json: AsJson = False) -> None:
    """Calls, tokens, wall time and USD by stage and role, as ranges; sends nothing and needs no keys."""
    from curation.estimates import plan_run
    from salitrap.cli.plan_tables import plan_record, print_plan
    from salitrap.providers.money.costing import cost_of
    from salitrap.settings import load_settings
    from seeds import load_domains

    settings = load_settings(config)
    check_models(settings)
    warn_of_self_judging(settings)
    cost = cost_of(plan_run(settings, load_domains(settings.domains)), settings, latency)
    if as_json:
        print_json(plan_record(cost, settings))
        return
    print_plan(out(), cost, settings)
