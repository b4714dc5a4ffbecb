"""``salitrap plan``: what a run expects to spend, before anything is paid."""

from __future__ import annotations

from salitrap.cli.console import out, print_json
from salitrap.cli.options import AsJson, Config
from salitrap.cli.preflight import check_models
from salitrap.cli.tables import plan_table


def plan(config: Config, as_json: AsJson = False) -> None:
    """Calls and tokens by stage and role, as a range; sends nothing and needs no keys."""
    from curation.estimates import plan_run
    from salitrap.settings import load_settings
    from seeds import load_domains

    settings = load_settings(config)
    check_models(settings)
    expected = plan_run(settings, load_domains(settings.domains))
    if as_json:
        print_json({**expected.model_dump(mode="json"), "calls": [expected.calls_low, expected.calls_high]})
        return
    out().print(plan_table(expected))
    out().print(
        "Tokens are typical sizes times the most calls: an order of magnitude. Cost comes with prices."
    )
