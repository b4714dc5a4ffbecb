"""Run stages with progress, a plan to agree to, and a Ctrl-C that saves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from salitrap.cli.asking import ask_to_go_on
from salitrap.cli.batches_left import telling_what_waits
from salitrap.cli.changes import given_now, journal_lines, tell_changes
from salitrap.cli.console import err
from salitrap.cli.interrupts import exit_at_once, raise_interrupt
from salitrap.cli.preflight import check_access, check_models, warn_of_self_judging
from salitrap.cli.progress import reporting
from salitrap.cli.quota_warnings import has_quotas, warn_of_quotas
from salitrap.cli.stopping import stopping_on_ctrl_c, telling_how_to_go_on

if TYPE_CHECKING:
    from curation.changing import Outlook
    from curation.dedup.semantic import EmbeddingsFilter
    from curation.funnel import Funnel
    from curation.run import Run
    from salitrap.plan import Plan
    from salitrap.providers.model_access import ModelAccess
    from salitrap.providers.money.spend import Spend
    from salitrap.records import Domain, Stage
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
    from curation.changing import differs, outlook_of
    from curation.directory import Layout
    from curation.run import open_run
    from curation.whole_plan import plan_run
    from salitrap.providers.wire.gguf_file import with_digests
    from seeds import load_domains

    settings = with_digests(settings)
    Layout(directory).refuse_foreign()
    domains = load_domains(settings.domains)
    _warn_of_missing_journal(directory)
    asks = not yes and not all_simulated(settings)
    given = given_now(settings, domains)
    found = outlook_of(directory, given) if asks or differs(directory, given) else None
    tell_changes(found)
    if has_quotas(settings):
        left = found or outlook_of(directory, given)
        warn_of_quotas(settings, plan_run(settings, domains) if left is None else left.plan)
    if asks:
        warn_of_self_judging(settings)
        check_access(settings)
        _agree(settings, domains, directory, found)
    raise_interrupt()
    with open_run(directory, settings, domains) as run:
        try:
            with telling_how_to_go_on(again):
                spend = asyncio.run(_stages(run, stages, warn=not asks))
        finally:
            raise_interrupt()
        return run.funnel, spend


async def _stages(run: Run, stages: Sequence[Stage], *, warn: bool) -> Spend:
    """Run ``stages``; ``warn`` when nobody was asked, once it is known that there are keys to call with."""
    from curation.run import run_stages
    from curation.stage import StopSwitch
    from salitrap.providers.open import open_access

    async with open_access(run.settings, run.layout.journal) as access, meaning_of(run, access) as meaning:
        if warn:
            warn_of_self_judging(run.settings)
        switch = StopSwitch(access.stop)
        with (
            telling_what_waits(access.batches),
            reporting(access.spend, access.trouble, access.batches.view) as reporter,
            stopping_on_ctrl_c(switch),
        ):
            await run_stages(run, access, stages, reporter, switch, meaning)
        access.batches.complete()
        if (left_out := access.left_out()) is not None:
            raise left_out
        return access.spend()


def meaning_of(run: Run, access: ModelAccess) -> AbstractAsyncContextManager[EmbeddingsFilter | None]:
    """Filter f5 where the settings switch it on; where they do not, what it cost before still counts."""
    chosen, path = run.settings.scale.similarity.meaning, run.layout.embeddings
    if chosen is not None:
        from curation.dedup.opening import open_meaning

        return open_meaning(chosen, (access.ledger, access.guard), path)
    from curation.dedup.vectors import past_requests

    for entry in past_requests(path):
        access.ledger.add(entry)
    return nullcontext()


def _warn_of_missing_journal(directory: Path) -> None:
    from salitrap.cli.journal_state import JournalState, journal_of, missing_journal

    if (directory / "run.yaml").exists() and journal_of(directory)[0] is JournalState.MISSING:
        err().print(f"note: {missing_journal(directory)}", soft_wrap=True)


def _agree(settings: Settings, domains: tuple[Domain, ...], directory: Path, found: Outlook | None) -> None:
    """Show the plan, that of what is left when a run is there, and ask; nothing left, nothing asked."""
    from curation.whole_plan import plan_run

    if found is None:
        agree_to_plan(settings, lambda: plan_run(settings, domains), yes=False)
    elif not found.idle:
        err().print(f"{directory}: what follows is still to be paid; replies that serve are not in it.")
        agree_to_plan(settings, lambda: found.plan, yes=False)


def agree_to_plan(
    settings: Settings, plan: Callable[[], Plan], *, yes: bool, journal: Path | None = None
) -> None:
    """Show ``plan`` and ask, unless ``yes`` or every model is the lab's.

    ``journal`` is one whose replies ``plan`` does not know of; it need not be there.

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
    for line in journal_lines(journal, settings):
        err().print(line, soft_wrap=True)
    ask_to_go_on()


def all_simulated(settings: Settings) -> bool:
    """True when every endpoint is the lab or the rules, which are free, and filter f5 is off."""
    from salitrap.providers.spec import Provider, parse_spec

    endpoints = [endpoint for role in settings.roles.values() for endpoint in role.endpoints]
    specs = [parse_spec(endpoint.spec, endpoint.base_url) for endpoint in endpoints]
    paid = settings.scale.similarity.meaning is not None
    return not paid and all(spec.provider in (Provider.LAB, Provider.RULES) for spec in specs)
