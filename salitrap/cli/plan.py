"""``salitrap plan``: what a run expects to spend, or has still to spend, before anything is paid."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from salitrap.cli.console import out, print_json
from salitrap.cli.options import AsJson, Config
from salitrap.cli.preflight import check_models, warn_of_self_judging
from salitrap.cli.quota_warnings import warn_of_quotas
from salitrap.errors import RunDirectoryError

Latency = Annotated[
    float | None,
    typer.Option(min=0.001, max=86_400.0, help="Seconds a call, for every role; else an assumption a role."),
]
Going = Annotated[
    Path | None,
    typer.Option(
        "--run", help="Run directory that would go on: what changes there, and is still to be paid."
    ),
]


def plan(config: Config, run: Going = None, latency: Latency = None, as_json: AsJson = False) -> None:
    """Calls, tokens, wall time and USD by stage and role, as ranges; sends nothing and needs no keys."""
    from curation.changing import outlook_of
    from curation.whole_plan import plan_run
    from salitrap.cli.changes import given_now, outlook_record, print_outlook
    from salitrap.cli.plan_tables import plan_record, print_plan
    from salitrap.providers.money.costing import cost_of
    from salitrap.providers.wire.gguf_file import with_digests
    from salitrap.settings import load_settings
    from seeds import load_domains

    settings = load_settings(config)
    check_models(settings)
    warn_of_self_judging(settings)
    domains = load_domains(settings.domains)
    found = None if run is None else outlook_of(run, given_now(with_digests(settings), domains))
    if run is not None and found is None:
        raise RunDirectoryError(
            f"{run}: no run here (run.yaml is missing); check the path, or leave --run out"
        )
    cost = cost_of(plan_run(settings, domains) if found is None else found.plan, settings, latency)
    warn_of_quotas(settings, cost.plan)
    if as_json:
        going = {} if found is None else {"run": outlook_record(found)}
        print_json({**plan_record(cost, settings), **going})
        return
    if found is not None:
        print_outlook(out(), found)
    if cost.rows:
        print_plan(out(), cost, settings)
