"""Run stages with progress, a plan to agree to, and a Ctrl-C that saves."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from salitrap.cli.console import err
from salitrap.cli.progress import reporting
from salitrap.cli.tables import plan_table
from salitrap.errors import ExitCode, InputError, Interrupted, StoppedError

if TYPE_CHECKING:
    from curation.funnel import Funnel
    from curation.run import Run
    from curation.stage import StopSwitch
    from salitrap.providers.spend import Spend
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
    from curation.run import open_run
    from seeds import load_domains

    domains = load_domains(settings.domains)
    _agree(settings, directory, yes)
    with open_run(directory, settings, domains) as run:
        try:
            spend = asyncio.run(_stages(run, stages))
        except StoppedError as error:
            raise type(error)(f"{error}\nEverything so far is saved. To go on: {again}") from error
        except (asyncio.CancelledError, KeyboardInterrupt) as error:
            raise Interrupted(
                f"stopped by Ctrl-C\nEverything answered is saved. To go on: {again}"
            ) from error
        return run.funnel, spend


async def _stages(run: Run, stages: Sequence[Stage]) -> Spend:
    from curation.run import run_stages
    from curation.stage import StopSwitch
    from salitrap.providers.open import open_access

    switch = StopSwitch()
    async with open_access(run.settings, run.layout.journal) as access:
        with reporting(access.spend) as reporter, _stopping_on_ctrl_c(switch):
            await run_stages(run, access, stages, reporter, switch)
        return access.spend()


@contextmanager
def _stopping_on_ctrl_c(switch: StopSwitch) -> Iterator[None]:
    """First Ctrl-C: start nothing more and let calls in flight end. Second, or SIGTERM: stop at once."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        if switch.error is None:
            err().print("Ctrl-C: waiting for the calls in flight; press it again to stop at once")
            switch.stop(Interrupted("stopped by Ctrl-C"))
        elif task is not None:
            task.cancel()

    loop.add_signal_handler(signal.SIGINT, stop)
    if task is not None:
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)


def _agree(settings: Settings, directory: Path, yes: bool) -> None:
    """Show the plan of a run that costs money and ask; the lab is free."""
    from curation.estimates import plan_run
    from salitrap.providers.spec import Provider, parse_spec
    from seeds import load_domains

    endpoints = [endpoint for role in settings.roles.values() for endpoint in role.endpoints]
    specs = [parse_spec(endpoint.spec, endpoint.base_url) for endpoint in endpoints]
    if yes or all(spec.provider is Provider.LAB for spec in specs):
        return
    err().print(plan_table(plan_run(settings, load_domains(settings.domains))))
    if (directory / "run.yaml").exists():
        err().print("This directory has a run: replies that are already in its journal are not paid again.")
    try:
        agreed = typer.confirm("Go on?", err=True)
    except typer.Abort as error:
        raise InputError("nobody is there to ask; give --yes to go on without asking") from error
    if not agreed:
        raise typer.Exit(ExitCode.DONE)
