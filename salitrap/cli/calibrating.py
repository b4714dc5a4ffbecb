"""Run a calibration: its settings, its place, and the calls with progress."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from salitrap.cli.progress import reporting
from salitrap.cli.stopping import stopping_on_ctrl_c, telling_how_to_go_on
from salitrap.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from checkers.calibration import Calibration, CheckerCalibration, GoldUsed
    from checkers.gold import CandidateSet, GoldSet
    from curation.stage import Reporter, StopSwitch
    from exports.evaluation import EvalOptions, Target
    from salitrap.providers.access import Access
    from salitrap.providers.money.spend import Spend
    from salitrap.settings import Settings

Read = TypeVar("Read")


def calibration_target(run: Path | None, to: Path | None) -> Path:
    """The file that keeps the result.

    Raises:
        InputError: neither or both are given, it is a folder, or ``run`` is no run.
    """
    from curation.directory import Layout
    from exports.calibration.store import FILE, read_calibrations

    if (run is None) == (to is None):
        raise InputError("say where to keep the result: --run DIR for a run's judge, or --out FILE")
    if run is not None:
        Layout(run).require()
    path = run / FILE if run is not None else to
    assert path is not None
    if path.is_dir():
        raise InputError(f"{path}: is a folder; give a file, such as {path / FILE}")
    read_calibrations(path)
    return path


def base_settings(config: Path | None, run: Path | None) -> Settings | None:
    """Settings of the file, else those of the run; None without either."""
    from curation.directory import Layout, read_revisions
    from salitrap.settings import load_settings

    if config is not None:
        return load_settings(config, needed=())
    return read_revisions(Layout(run))[-1].settings if run is not None else None


def settings_for(role: str, options: EvalOptions, base: Settings | None) -> Settings:
    """Settings with one pool, that of the judge or of the checker, and the gold answers for the lab.

    Raises:
        ConfigError: no model is named, or a spec is not understood.
    """
    from exports.calibration import with_lab_gold
    from exports.evaluation import judging_settings
    from salitrap.errors import ConfigError
    from salitrap.records import Role
    from salitrap.settings import EndpointSettings, RoleSettings, Settings

    if role == "judge":
        return with_lab_gold(judging_settings(options, base))
    given = base.roles.get(Role.CHECKER) if base is not None else None
    if given is None and not options.judges:
        raise ConfigError("no checker is named; give --checker SPEC, or a settings file with -c")
    pool = given or RoleSettings(endpoints=(EndpointSettings(spec="lab/none"),))
    lent = (base or Settings(name="calibration")).model_copy(update={"roles": {Role.JUDGE: pool}})
    settings = judging_settings(options, lent)
    return settings.model_copy(update={"roles": {Role.CHECKER: settings.roles[Role.JUDGE]}})


def run_calibration(
    settings: Settings, gold: GoldSet, used: GoldUsed, target: Target, *, again: str, wait: bool = True
) -> tuple[Calibration, Spend]:
    """Have the judge read ``gold``; the result and what all calls took.

    Raises:
        StoppedError: it stopped; ``again`` is the command that goes on, and the message has it. Where
            ``wait`` is False that is also so when nothing is left to do but to wait for batches.
    """
    from checkers.judge import judge_for
    from exports.calibration import identity_of, judge_gold, made_calibration

    workers, judge = workers_of(settings, len(gold.answers)), judge_for(settings)
    identity = identity_of(settings, used.languages)

    async def work(access: Access, reporter: Reporter, switch: StopSwitch) -> Calibration:
        read = await judge_gold(
            access, judge, gold.answers, workers=workers, reporter=reporter, switch=switch
        )
        return made_calibration(identity, used, read, settings.calibration)

    return reading(settings, target, work, again=again, wait=wait)


def run_checking(
    settings: Settings, gold: CandidateSet, used: GoldUsed, target: Target, *, again: str, wait: bool = True
) -> tuple[CheckerCalibration, Spend]:
    """Have the checkers look at ``gold``; see ``run_calibration``."""
    from exports.calibration import check_gold, checkers_identity, made_checker_calibration
    from prompts.source import prompt_source

    workers, identity = workers_of(settings, len(gold.candidates)), checkers_identity(settings, gold)
    source = prompt_source(settings.prompts)

    async def work(access: Access, reporter: Reporter, switch: StopSwitch) -> CheckerCalibration:
        found = await check_gold(
            access, gold.candidates, workers=workers, reporter=reporter, switch=switch, source=source
        )
        return made_checker_calibration(identity, used, found, settings)

    return reading(settings, target, work, again=again, wait=wait)


def reading(
    settings: Settings,
    target: Target,
    work: Callable[[Access, Reporter, StopSwitch], Awaitable[Read]],
    *,
    again: str,
    wait: bool = True,
) -> tuple[Read, Spend]:
    """Do ``work`` with model access whose journal lies beside ``target``."""
    from exports.dataset.disk import disk_faults
    from salitrap.providers.build import blueprint_of

    blueprint_of(settings, os.environ)
    with disk_faults(target.out):
        target.out.parent.mkdir(parents=True, exist_ok=True)
    with telling_how_to_go_on(again), target.locked():
        return asyncio.run(_work(settings, target, work, wait))


def workers_of(settings: Settings, texts: int) -> int:
    """Of so many texts, those under way at a time; all where requests travel in batches."""
    from exports.evaluation import MOST_AT_ONCE, uses_batches

    if uses_batches(settings):
        return min(texts, MOST_AT_ONCE)
    return 2 * max(endpoint.in_flight for pool in settings.roles.values() for endpoint in pool.endpoints)


async def _work(
    settings: Settings,
    target: Target,
    work: Callable[[Access, Reporter, StopSwitch], Awaitable[Read]],
    wait: bool,
) -> tuple[Read, Spend]:
    from curation.stage import StopSwitch
    from salitrap.cli.batches_left import telling_what_waits
    from salitrap.providers.open import open_access

    async with open_access(settings, target.journal, wait=wait) as access:
        switch = StopSwitch(access.stop)
        with (
            telling_what_waits(access.batches),
            reporting(access.spend, access.trouble, access.batches.view) as reporter,
            stopping_on_ctrl_c(switch),
        ):
            made = await work(access, reporter, switch)
        access.batches.complete()
        return made, access.spend()
