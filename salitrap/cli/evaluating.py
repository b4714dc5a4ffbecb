"""What ``eval``, ``judge`` and the demo share: run an evaluation with progress and tell how it went."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from salitrap.cli.batches_left import telling_what_waits
from salitrap.cli.eval_report import Ended
from salitrap.cli.pipeline import agree_to_plan
from salitrap.cli.preflight import check_access
from salitrap.cli.progress import reporting
from salitrap.cli.quota_warnings import warn_of_quotas
from salitrap.cli.stopping import stopping_on_ctrl_c, telling_how_to_go_on

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from curation.stage import Reporter, StopSwitch
    from exports.evaluation import Evalset, GivenAnswer, Tally, Target
    from salitrap.plan import Plan
    from salitrap.providers.access import Access
    from salitrap.settings import Settings

    Work = Callable[["Bench"], Awaitable[Tally]]


def run_evaluation(
    settings: Settings, evalset: Evalset, target: Target, *, repeats: int, again: str, wait: bool = True
) -> Ended:
    """Answer and judge all items, and write ``target``.

    Raises:
        StoppedError: it stopped; ``again`` is the command that goes on, and the message has it. Where
            ``wait`` is False that is also so when nothing is left to do but to wait for batches.
    """
    return _run(settings, target, again, wait, lambda bench: bench.evaluate(evalset, repeats))


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
    return _run(settings, target, again, wait, lambda bench: bench.judge(evalset, answers))


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


def _run(settings: Settings, target: Target, again: str, wait: bool, work: Work) -> Ended:
    from salitrap.providers.build import blueprint_of

    blueprint_of(settings, os.environ)
    with telling_how_to_go_on(again), target.locked():
        return asyncio.run(_work(settings, target, wait, work))


async def _work(settings: Settings, target: Target, wait: bool, work: Work) -> Ended:
    from curation.stage import StopSwitch
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
            tally = await work(Bench(settings, access, file, reporter, switch))
        access.batches.complete()
        return Ended(target, tally.counts, tally.reasons, access.spend(), before, access.left_out())


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything an evaluation works with."""

    settings: Settings
    access: Access
    file: BinaryIO
    reporter: Reporter
    switch: StopSwitch

    async def evaluate(self, evalset: Evalset, repeats: int) -> Tally:
        """Answer and judge; see ``exports.evaluation.evaluate``."""
        from checkers.judge import labelling_judge
        from exports.evaluation import evaluate, judge_name, models_of

        return await evaluate(
            self.access,
            evalset,
            models_of(self.settings),
            judge_name(self.settings),
            self.file,
            repeats=repeats,
            workers=self._workers(len(evalset.items) * repeats),
            reporter=self.reporter,
            switch=self.switch,
            judge=labelling_judge(self.settings),
        )

    async def judge(self, evalset: Evalset, answers: tuple[GivenAnswer, ...]) -> Tally:
        """Judge alone; see ``exports.evaluation.judge_answers``."""
        from checkers.judge import labelling_judge
        from exports.evaluation import judge_answers, judge_name

        return await judge_answers(
            self.access,
            evalset,
            answers,
            judge_name(self.settings),
            self.file,
            workers=self._workers(len(answers)),
            reporter=self.reporter,
            switch=self.switch,
            judge=labelling_judge(self.settings),
        )

    def _workers(self, rows: int) -> int:
        """Answers under way for each model, of so many rows.

        While some are judged or wait to be tried again, others are asked. Where requests travel in batches
        all are under way, since a batch is sent when no further request comes.
        """
        from exports.evaluation import MOST_AT_ONCE, uses_batches

        if uses_batches(self.settings):
            return min(rows, MOST_AT_ONCE)
        return 2 * max(
            endpoint.in_flight for role in self.settings.roles.values() for endpoint in role.endpoints
        )
