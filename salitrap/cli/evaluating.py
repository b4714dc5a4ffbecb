"""What ``eval``, ``judge`` and the demo share: run an evaluation with progress and tell how it went."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from salitrap.cli.console import err, out, print_json
from salitrap.cli.pipeline import agree_to_plan
from salitrap.cli.progress import reporting
from salitrap.cli.stopping import stopping_on_ctrl_c, telling_how_to_go_on
from salitrap.cli.tables import spend_line
from salitrap.errors import FindingsError

if TYPE_CHECKING:
    from exports.evaluation import Evalset, GivenAnswer, Target
    from salitrap.plan import Plan
    from salitrap.providers.spend import Spend
    from salitrap.settings import Settings


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished evaluation: counts by label or status, and what it took."""

    target: Target
    counts: Mapping[str, int]
    spend: Spend


def run_evaluation(
    settings: Settings, evalset: Evalset, target: Target, *, repeats: int, again: str
) -> Ended:
    """Answer and judge all items, and write ``target``.

    Raises:
        StoppedError: it stopped; ``again`` is the command that goes on, and the message has it.
    """
    return _run(settings, target, again, lambda session: session.evaluate(evalset, repeats))


def run_judging(
    settings: Settings, evalset: Evalset, answers: tuple[GivenAnswer, ...], target: Target, *, again: str
) -> Ended:
    """Judge answers made elsewhere, and write ``target``; see ``run_evaluation``."""
    return _run(settings, target, again, lambda session: session.judge(evalset, answers))


def agree(settings: Settings, plan: Plan, target: Target, yes: bool) -> None:
    """Show the plan and ask, unless all models are simulated; see ``agree_to_plan``."""
    agree_to_plan(settings, lambda: plan, yes=yes, again=target.journal.exists())


def command_line() -> str:
    """The command as given, quoted for a shell."""
    return shlex.join(["salitrap", *sys.argv[1:]])


def tell(ended: Ended, as_json: bool) -> None:
    """Print the counts, the spend and what to do next.

    Raises:
        FindingsError: not one answer got a label.
    """
    from salitrap.records import LabelStatus

    total = sum(ended.counts.values())
    statuses = {status.value for status in LabelStatus}
    unscored = {name: count for name, count in ended.counts.items() if name in statuses}
    scored = total - sum(unscored.values())
    if as_json:
        print_json(_report(ended, total, unscored))
    else:
        out().print(f"{ended.target.out}: {total} rows, {scored} labelled.", soft_wrap=True)
        out().print(spend_line(ended.spend))
    if unscored:
        told = ", ".join(f"{count} {name}" for name, count in sorted(unscored.items()))
        err().print(f"Without a label: {told}. The same command asks again for failed calls.", soft_wrap=True)
    if not scored:
        raise FindingsError(f"{ended.target.out}: no answer got a label; the field detail or reason says why")
    if not as_json:
        err().print(f"Next: salitrap analyze {shlex.quote(str(ended.target.out))}", soft_wrap=True)


def _report(ended: Ended, total: int, unscored: Mapping[str, int]) -> dict[str, Any]:
    return {
        "out": str(ended.target.out),
        "rows": total,
        "unscored": dict(unscored),
        "counts": dict(ended.counts),
        "spend": ended.spend.model_dump(mode="json"),
    }


def _run(settings: Settings, target: Target, again: str, work: Any) -> Ended:
    from salitrap.providers.build import blueprint_of

    blueprint_of(settings, os.environ)
    with telling_how_to_go_on(again), target.locked():
        return asyncio.run(_session(settings, target, work))


async def _session(settings: Settings, target: Target, work: Any) -> Ended:
    from curation.stage import StopSwitch
    from salitrap.providers.open import open_access

    switch = StopSwitch()
    async with open_access(settings, target.journal) as access:
        with reporting(access.spend) as reporter, stopping_on_ctrl_c(switch), target.writing() as file:
            counts = await work(Session(settings, access, file, reporter, switch))
        return Ended(target, counts, access.spend())


@dataclass(frozen=True, slots=True)
class Session:
    """Everything an evaluation works with."""

    settings: Settings
    access: Any
    file: Any
    reporter: Any
    switch: Any

    async def evaluate(self, evalset: Evalset, repeats: int) -> Mapping[str, int]:
        """Answer and judge; see ``exports.evaluation.evaluate``."""
        from exports.evaluation import evaluate, judge_name, model_names

        return await evaluate(
            self.access,
            evalset,
            model_names(self.settings),
            judge_name(self.settings),
            self.file,
            repeats=repeats,
            workers=self._workers(),
            reporter=self.reporter,
            switch=self.switch,
        )

    async def judge(self, evalset: Evalset, answers: tuple[GivenAnswer, ...]) -> Mapping[str, int]:
        """Judge alone; see ``exports.evaluation.judge_answers``."""
        from exports.evaluation import judge_answers, judge_name

        return await judge_answers(
            self.access,
            evalset,
            answers,
            judge_name(self.settings),
            self.file,
            workers=self._workers(),
            reporter=self.reporter,
            switch=self.switch,
        )

    def _workers(self) -> int:
        """As many answers under way, for each model, as its endpoint takes calls."""
        return max(endpoint.in_flight for role in self.settings.roles.values() for endpoint in role.endpoints)
