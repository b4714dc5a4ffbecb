"""Run a hardening with progress, a plan to agree to, and a Ctrl-C that saves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from salitrap.cli.batches_left import telling_what_waits
from salitrap.cli.interrupts import exit_at_once, raise_interrupt
from salitrap.cli.pipeline import agree_to_plan, all_simulated, meaning_of
from salitrap.cli.preflight import check_access, check_models, warn_of_self_judging
from salitrap.cli.progress import reporting
from salitrap.cli.stopping import stopping_on_ctrl_c, telling_how_to_go_on

if TYPE_CHECKING:
    from curation.hardening import Release
    from curation.run import Run
    from salitrap.providers.money.spend import Spend
    from salitrap.settings import Settings


def execute_hardening(
    settings: Settings, directory: Path, release: Release, *, yes: bool, again: str
) -> Spend:
    """Harden ``release`` in ``directory`` and return what was spent.

    Raises:
        InputError: something the user gave cannot be used.
        StoppedError: it stopped; ``again`` is the command that goes on, and the message has it.
    """
    check_models(settings)
    exit_at_once()
    from curation.directory import Layout
    from curation.hardening import open_hardening
    from curation.hardening.entry import refuse_others
    from curation.hardening.plan import plan_hardening
    from salitrap.providers.wire.gguf_file import with_digests
    from seeds import load_domains

    settings, layout = with_digests(settings), Layout(directory)
    layout.refuse_foreign()
    refuse_others(layout, release)
    domains = load_domains(settings.domains)
    plan = plan_hardening(settings, release, domains)
    asks = not yes and not all_simulated(settings)
    if asks:
        warn_of_self_judging(settings)
        check_access(settings)
        agree_to_plan(settings, lambda: plan, yes=False, journal=layout.journal)
    raise_interrupt()
    with open_hardening(directory, settings, domains, release) as run:
        try:
            with telling_how_to_go_on(again):
                return asyncio.run(_hardened(run, release, warn=not asks))
        finally:
            raise_interrupt()


async def _hardened(run: Run, release: Release, *, warn: bool) -> Spend:
    from curation.hardening import run_hardening
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
            await run_hardening(run, access, release, reporter, switch, meaning)
        access.batches.complete()
        if (left_out := access.left_out()) is not None:
            raise left_out
        return access.spend()
