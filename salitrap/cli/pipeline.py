"""Run stages with progress, a plan to agree to, and a Ctrl-C that saves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from salitrap.cli.asking import ask_to_go_on
from salitrap.cli.changes import tell_changes
from salitrap.cli.console import err
from salitrap.cli.interrupts import exit_at_once, raise_interrupt
from salitrap.cli.preflight import check_models, warn_of_self_judging
from salitrap.cli.progress import reporting
from salitrap.cli.stopping import stopping_on_ctrl_c
from salitrap.errors import Interrupted, StoppedError

if TYPE_CHECKING:
    from curation.funnel import Funnel
    from curation.run import Run
    from salitrap.plan import Plan
    from salitrap.providers.money.spend import Spend
    from salitrap.records import Stage
    from salitrap.settings import Settings


def run_directory(settings: Settings, chosen: Path | None) -> Path:
    """Directory to work in: the chosen one, or ``runs/NAME``."""
    return chosen if chosen is not None else Path("runs") / settings.name


def execute(
    settings: Settings, directory: Path, stages: Sequence[Stage], *, yes: bool, again: str
) -> tuple[Funnel, Spend]:
    """Run ``stages`` and return the funnel and what was spent.

    Raises:
        InputError: something the user gave cannot be used.
        StoppedError: the run stopped; ``again`` is the command that goes on, and the message has it.
    """
    check_models(settings)
    exit_at_once()
    from curation.run import open_run
    from seeds import load_domains

    domains = load_domains(settings.domains)
    _warn_of_missing_journal(directory)
    tell_changes(directory, settings)
    asks = not yes and not all_simulated(settings)
    if asks:
        warn_of_self_judging(settings)
        _agree(settings, directory)
    raise_interrupt()
    with open_run(directory, settings, domains) as run:
        try:
            spend = asyncio.run(_stages(run, stages, warn=not asks))
        except StoppedError as error:
            raise type(error)(f"{error}\nEverything so far is saved. To go on: {again}") from error
        except (asyncio.CancelledError, KeyboardInterrupt) as error:
            raise Interrupted(
                f"stopped by Ctrl-C or SIGTERM\nEverything answered is saved. To go on: {again}"
            ) from error
        finally:
            raise_interrupt()
        return run.funnel, spend


async def _stages(run: Run, stages: Sequence[Stage], *, warn: bool) -> Spend:
    """Run ``stages``; ``warn`` when nobody was asked, once it is known that there are keys to call with."""
    from curation.run import run_stages
    from curation.stage import StopSwitch
    from salitrap.providers.open import open_access

    async with open_access(run.settings, run.layout.journal) as access:
        if warn:
            warn_of_self_judging(run.settings)
        switch = StopSwitch(access.stop)
        with reporting(access.spend, access.trouble) as reporter, stopping_on_ctrl_c(switch):
            await run_stages(run, access, stages, reporter, switch)
        return access.spend()


def _warn_of_missing_journal(directory: Path) -> None:
    from salitrap.cli.journal_state import JournalState, journal_of, missing_journal

    if (directory / "run.yaml").exists() and journal_of(directory)[0] is JournalState.MISSING:
        err().print(f"note: {missing_journal(directory)}", soft_wrap=True)


def _agree(settings: Settings, directory: Path) -> None:
    """Show the plan and ask."""
    from curation.estimates import plan_run
    from seeds import load_domains

    again = (directory / "journal.sqlite").exists()
    plan = plan_run(settings, load_domains(settings.domains))
    agree_to_plan(settings, lambda: plan, yes=False, again=again)


def agree_to_plan(settings: Settings, plan: Callable[[], Plan], *, yes: bool, again: bool) -> None:
    """Show ``plan`` and ask, unless ``yes`` or every model is the lab's; ``again``: there is a journal.

    Raises:
        InputError: nobody is there to answer.
        Interrupted: Ctrl-C at the question.
        typer.Exit: the answer is no.
    """
    if yes or all_simulated(settings):
        return
    from salitrap.cli.plan_tables import print_plan
    from salitrap.providers.money.costing import cost_of

    print_plan(err(), cost_of(plan(), settings), settings)
    if again:
        err().print("There is a journal already: replies that are in it are not paid again.")
    ask_to_go_on()


def all_simulated(settings: Settings) -> bool:
    """True when every endpoint is the lab, which is free."""
    from salitrap.providers.spec import Provider, parse_spec

    endpoints = [endpoint for role in settings.roles.values() for endpoint in role.endpoints]
    specs = [parse_spec(endpoint.spec, endpoint.base_url) for endpoint in endpoints]
    return all(spec.provider is Provider.LAB for spec in specs)
