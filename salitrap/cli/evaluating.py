"""What ``eval``, ``judge`` and the demo share: run an evaluation with progress and tell how it went."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from salitrap.cli.batches_left import telling_what_waits
from salitrap.cli.eval_report import Ended
from salitrap.cli.pipeline import agree_to_plan
from salitrap.cli.preflight import check_access
from salitrap.cli.progress import reporting
from salitrap.cli.quota_warnings import warn_of_quotas
from salitrap.cli.stopping import stopping_on_ctrl_c, telling_how_to_go_on

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from exports.evaluation import Bench, Evalset, GivenAnswer, Subset, Tally, Target
    from salitrap.plan import Plan
    from salitrap.settings import Settings

    Work = Callable[[Bench], Awaitable[Tally]]


def run_evaluation(
    settings: Settings, asked: Subset, target: Target, *, repeats: int, again: str, wait: bool = True
) -> Ended:
    """Answer and judge all that is ``asked``, and write ``target``.

    Raises:
        StoppedError: it stopped; ``again`` is the command that goes on, and the message has it. Where
            ``wait`` is False that is also so when nothing is left to do but to wait for batches.
    """
    size = len(asked) * repeats
    return _run(settings, target, again, wait, size, lambda bench: asked.evaluate(bench, repeats))


def run_judging(
    settings: Settings,
    evalset: Evalset,
    answers: tuple[GivenAnswer, ...],
    target: Target,
    *,
    again: str,
    wait: bool = True,
) -> Ended:
    """Judge answers made elsewhere, and write ``target``; see ``run_evaluation``."""

    async def work(bench: Bench) -> Tally:
        from exports.evaluation import judge_answers, judge_name

        return await judge_answers(
            bench.access,
            evalset,
            answers,
            judge_name(bench.settings),
            bench.file,
            workers=bench.workers,
            reporter=bench.reporter,
            switch=bench.switch,
            judge=bench.judge,
        )

    return _run(settings, target, again, wait, len(answers), work)


def agree(settings: Settings, plan: Plan, target: Target, yes: bool) -> None:
    """Show the plan and ask, unless all models are simulated; see ``agree_to_plan``.

    What would stop the work at once is said before the question. Limits of endpoints that do not suit the
    plan are told in any case.

    Raises:
        ConfigError: a model file, key, proxy or file of certificates cannot be used; see ``check_access``.
    """
    check_access(settings)
    warn_of_quotas(settings, plan)
    agree_to_plan(settings, lambda: plan, yes=yes, journal=target.journal)


def _run(  # the parts of a command
    settings: Settings, target: Target, again: str, wait: bool, size: int, work: Work
) -> Ended:
    from salitrap.providers.build import blueprint_of

    blueprint_of(settings, os.environ)
    with telling_how_to_go_on(again), target.locked():
        return asyncio.run(_work(settings, target, wait, size, work))


async def _work(settings: Settings, target: Target, wait: bool, size: int, work: Work) -> Ended:
    from checkers.judge import labelling_judge
    from curation.stage import StopSwitch
    from exports.evaluation import Bench
    from salitrap.providers.open import open_access

    async with open_access(settings, target.journal, wait=wait) as access:
        switch = StopSwitch(access.stop)
        before = access.spend().calls
        with (
            telling_what_waits(access.batches),
            reporting(access.spend, access.trouble, access.batches.view) as reporter,
            stopping_on_ctrl_c(switch),
            target.writing() as file,
        ):
            workers, judge = _workers(settings, size), labelling_judge(settings)
            tally = await work(Bench(settings, access, file, reporter, switch, workers, judge))
        access.batches.complete()
        return Ended(target, tally.counts, tally.reasons, access.spend(), before, access.left_out())


def _workers(settings: Settings, rows: int) -> int:
    """Answers under way for each model, of so many rows.

    While some are judged or wait to be tried again, others are asked. Where requests travel in batches
    all are under way, since a batch is sent when no further request comes.
    """
    from exports.evaluation import MOST_AT_ONCE, uses_batches

    if uses_batches(settings):
        return min(rows, MOST_AT_ONCE)
    return 2 * max(endpoint.in_flight for role in settings.roles.values() for endpoint in role.endpoints)
