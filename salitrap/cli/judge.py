"""``salitrap judge``: label answers made elsewhere, or label answers again with another judge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from salitrap.cli.callbacks import Callbacks, observing
from salitrap.cli.datasets import dataset_folder
from salitrap.cli.eval_options import (
    BaseConfig,
    Batch,
    Calibrations,
    Judge,
    JudgeMode,
    KeyEnv,
    MaxCalls,
    NoWait,
    Out,
    OwnPrompts,
    prompts_folder,
)
from salitrap.cli.options import AsJson, Yes

Answers = Annotated[
    Path, typer.Argument(help="Answers, one JSON object a line: model, item_id, answer.", metavar="FILE")
]
Dataset = Annotated[
    Path,
    typer.Option(
        "--dataset",
        help="Dataset that was asked: a folder, or ORG/NAME@v1.0.0 on the Hub.",
        metavar="DATASET",
    ),
]


def judge(  # noqa: PLR0913  # one parameter an option
    answers: Answers,
    dataset: Dataset,
    to: Out,
    judge: Judge = None,
    judge_mode: JudgeMode = None,
    config: BaseConfig = None,
    key_env: KeyEnv = None,
    prompts: OwnPrompts = None,
    calibration: Calibrations = None,
    max_calls: MaxCalls = None,
    batch: Batch = False,
    no_wait: NoWait = False,
    yes: Yes = False,
    callback: Callbacks = None,
    as_json: AsJson = False,
) -> None:
    """Label answers made elsewhere; label rows of an evaluation are answers too. Resumes what is there."""
    from exports.evaluation import (
        EvalOptions,
        in_batches,
        judging_settings,
        load_evalset,
        open_target,
        plan_judging,
        promised_for,
        read_answers,
        refuse_not_waiting,
        refuse_self_judging,
    )
    from salitrap.cli.eval_report import command_line, tell
    from salitrap.cli.evaluating import agree, run_judging
    from salitrap.cli.judge_standing import known_calibrations, record_judge
    from salitrap.settings import load_settings

    options = EvalOptions(
        judge=tuple(judge or ()),
        judge_mode=judge_mode,
        key_env=key_env,
        max_calls=max_calls,
        prompts=prompts_folder(prompts),
    )
    settings = judging_settings(options, load_settings(config, needed=()) if config else None)
    settings = in_batches(settings) if batch else settings
    if no_wait:
        refuse_not_waiting(settings)
    evalset = load_evalset(dataset_folder(dataset), split="all")
    given = read_answers(answers, {item.item_id: item for item in evalset.items})
    refuse_self_judging({answer.model for answer in given}, settings)
    target = open_target(to, promised_for(evalset, given, settings))
    known = known_calibrations(calibration)
    with observing(callback):
        agree(settings, plan_judging(given, evalset.items, settings), target, yes)
        ended = run_judging(settings, evalset, given, target, again=command_line(), wait=not no_wait)
    asked = {answer.item_id for answer in given}
    languages = {item.language for item in evalset.items if item.item_id in asked}
    standing = record_judge(settings, languages, target, known)
    tell(ended, as_json, asks_models=False, judge=standing)
