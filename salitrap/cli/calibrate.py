"""``salitrap calibrate``: measure a judge, or the checkers, on labelled answers, and the gate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from salitrap.cli.console import err, print_json
from salitrap.cli.eval_options import (
    Batch,
    Judge,
    JudgeMode,
    KeyEnv,
    MaxCalls,
    NoWait,
    OwnPrompts,
    prompts_folder,
)
from salitrap.cli.options import AsJson, Yes
from salitrap.errors import FindingsError, InputError

if TYPE_CHECKING:
    from exports.calibration.store import Kept
    from exports.evaluation import Target
    from salitrap.providers.money.spend import Spend
    from salitrap.records import Language
    from salitrap.settings import Settings

CheckerSpec = Annotated[
    str | None,
    typer.Option("--checker", help="With --role checker: spec of the model that checks.", metavar="SPEC"),
]
RoleName = Annotated[
    Literal["judge", "checker"],
    typer.Option("--role", help="What to measure: the judge, or the checkers truth, align and nat."),
]
Gold = Annotated[
    list[Path] | None,
    typer.Option(
        "--gold", help="Labelled answers (YAML, JSONL, a folder); default: shipped.", metavar="FILE"
    ),
]
HalfName = Annotated[
    Literal["held", "train", "fresh", "all"] | None,
    typer.Option("--half", help="Half of the gold set; default held, where it has halves."),
]
RunPlace = Annotated[
    Path | None,
    typer.Option("--run", help="Run directory; the result is kept there, calibration.json.", metavar="DIR"),
]
Out = Annotated[Path | None, typer.Option("--out", help="File to keep the result in (JSON).", metavar="FILE")]
BaseConfig = Annotated[
    Path | None,
    typer.Option(
        "--config", "-c", help="Settings file; with --run default: the run's own.", metavar="CONFIG"
    ),
]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for, as far as both roles share it."""

    settings: Settings
    target: Target
    gold: tuple[Path, ...]
    half: str | None
    languages: tuple[Language, ...]
    limit: int | None
    yes: bool
    wait: bool


def calibrate(  # noqa: PLR0913  # one parameter an option
    judge: Judge = None,
    judge_mode: JudgeMode = None,
    checker: CheckerSpec = None,
    role: RoleName = "judge",
    gold: Gold = None,
    half: HalfName = None,
    language: Annotated[Literal["en", "zh"] | None, typer.Option(help="Only this language.")] = None,
    run: RunPlace = None,
    to: Out = None,
    config: BaseConfig = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many answers, a fixed choice.")] = None,
    key_env: KeyEnv = None,
    prompts: OwnPrompts = None,
    max_calls: MaxCalls = None,
    batch: Batch = False,
    no_wait: NoWait = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Measure how far a judge agrees with labelled answers. Exit 1 when it must not be used."""
    from exports.calibration import add_calibration
    from exports.evaluation import EvalOptions, Target, in_batches, refuse_not_waiting
    from salitrap.cli.calibrating import base_settings, calibration_target, settings_for
    from salitrap.cli.calibration_report import print_calibration
    from salitrap.records import Language

    named = tuple(judge or ()) if role == "judge" else (checker,) if checker else ()
    _refuse_other_role(role, judge, checker)
    target = Target(calibration_target(run, to))
    options = EvalOptions(
        judge=named,
        judge_mode=judge_mode,
        key_env=key_env,
        max_calls=max_calls,
        prompts=prompts_folder(prompts),
    )
    settings = settings_for(role, options, base_settings(config, run))
    settings = in_batches(settings) if batch else settings
    if no_wait:
        refuse_not_waiting(settings)
    languages = (Language(language),) if language else ()
    wanted = Wanted(settings, target, tuple(gold or ()), half, languages, limit, yes, not no_wait)
    made, spend = _judge(wanted) if role == "judge" else _checkers(wanted)
    add_calibration(target.out, made)
    if as_json:
        print_json({**made.model_dump(mode="json"), "spend": spend.model_dump(mode="json")})
    else:
        print_calibration(made, spend)
    err().print(f"Kept in {target.out}", soft_wrap=True)
    _tell_what_still_counts(made, target)
    if not made.gate.passed:
        raise FindingsError(_refused(made))


def _tell_what_still_counts(made: Kept, target: Target) -> None:
    """Say so when a trial is too small to displace a calibration that passed."""
    from exports.calibration import read_calibrations
    from exports.calibration.store import newest_of

    if made.role != "judge" or made.gate.passed:
        return
    counts = newest_of(read_calibrations(target.out), [made.judge])
    if counts is not None and counts.gate.passed:
        told = f"refused for its size alone, it does not displace the calibration of {counts.date[:10]}"
        err().print(f"A trial: {told}, which passed on {counts.figures.overall.n} answers", soft_wrap=True)


def _judge(wanted: Wanted) -> tuple[Kept, Spend]:
    from exports.calibration import chosen_gold, plan_calibration
    from salitrap.cli.calibrating import run_calibration
    from salitrap.cli.eval_report import command_line
    from salitrap.cli.evaluating import agree

    settings, target = wanted.settings, wanted.target
    chosen, used = chosen_gold(wanted.gold, wanted.half, wanted.languages, wanted.limit)
    agree(settings, plan_calibration(chosen.answers, settings), target, wanted.yes)
    return run_calibration(settings, chosen, used, target, again=command_line(), wait=wanted.wait)


def _checkers(wanted: Wanted) -> tuple[Kept, Spend]:
    from exports.calibration import chosen_candidates, plan_checking
    from salitrap.cli.calibrating import run_checking
    from salitrap.cli.eval_report import command_line
    from salitrap.cli.evaluating import agree

    settings, target = wanted.settings, wanted.target
    chosen, used = chosen_candidates(wanted.gold, wanted.half, wanted.languages, wanted.limit)
    agree(settings, plan_checking(len(chosen.candidates)), target, wanted.yes)
    return run_checking(settings, chosen, used, target, again=command_line(), wait=wanted.wait)


def _refuse_other_role(role: str, judge: list[str] | None, checker: str | None) -> None:
    if (checker is not None) if role == "judge" else bool(judge):
        meant = "checker" if role == "judge" else "judge"
        raise InputError(f"--{meant} belongs to --role {meant}; this command measures the {role}")


def _refused(made: Kept) -> str:
    reasons = "; ".join(made.gate.reasons)
    if made.role == "checker":
        return f"the checkers of {made.judge.name} do not pass the gate: {reasons}"
    return f"{made.judge.name} does not pass the gate: {reasons}; its labels count as uncalibrated"
