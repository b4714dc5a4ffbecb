"""``salitrap eval``: put a dataset's items to models and have the answers labelled."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from salitrap.cli.callbacks import Callbacks, observing
from salitrap.cli.datasets import DATASET_HELP, dataset_folder
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

Dataset = Annotated[Path, typer.Argument(help=DATASET_HELP, metavar="DATASET")]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", help="Spec of a model to evaluate; may be given several times.", metavar="SPEC"),
]


def evaluate(  # noqa: PLR0913  # one parameter an option
    dataset: Dataset,
    to: Out,
    model: Models = None,
    judge: Judge = None,
    judge_mode: JudgeMode = None,
    config: BaseConfig = None,
    key_env: KeyEnv = None,
    subset: Annotated[
        Literal["items", "dialogues"], typer.Option(help="What to ask: single questions, or conversations.")
    ] = "items",
    split: Annotated[str, typer.Option(help="Split to use: test, dev or all.")] = "test",
    language: Annotated[Literal["en", "zh"] | None, typer.Option(help="Only this language.")] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="Only so many items, or dialogues with their controls; a fixed choice."),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option(help="The items that version X.Y.Z had, later retired ones included.")
    ] = None,
    added_since: Annotated[
        str | None, typer.Option(help="Only what was added on this day (YYYY-MM-DD) or later.")
    ] = None,
    repeats: Annotated[
        int, typer.Option(min=1, max=1000, help="Answers to each item, or playings of each dialogue.")
    ] = 1,
    temperature: Annotated[float | None, typer.Option(min=0.0, max=2.0, help="Default 0.2.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Longest answer; default 8192.")] = None,
    in_flight: Annotated[
        int | None, typer.Option(min=1, max=50_000, help="Calls at once, a model; default 64.")
    ] = None,
    prompts: OwnPrompts = None,
    calibration: Calibrations = None,
    max_calls: MaxCalls = None,
    batch: Batch = False,
    no_wait: NoWait = False,
    yes: Yes = False,
    callback: Callbacks = None,
    as_json: AsJson = False,
) -> None:
    """Ask models all items, or hold all dialogues with them, and label the answers.

    The same command resumes, and repeats failed calls.
    """
    from exports.evaluation import (
        EvalOptions,
        evaluation_settings,
        in_batches,
        load_subset,
        model_names,
        open_target,
        refuse_not_waiting,
        refuse_self_judging,
    )
    from salitrap.cli.eval_report import command_line, tell, warn_of_simulated
    from salitrap.cli.evaluating import agree, run_evaluation
    from salitrap.cli.judge_standing import known_calibrations, record_judge
    from salitrap.records import Language
    from salitrap.settings import load_settings

    options = EvalOptions(
        models=tuple(model or ()),
        judge=tuple(judge or ()),
        judge_mode=judge_mode,
        key_env=key_env,
        temperature=temperature,
        max_tokens=max_tokens,
        max_calls=max_calls,
        in_flight=in_flight,
        prompts=prompts_folder(prompts),
    )
    settings = evaluation_settings(options, load_settings(config, needed=()) if config else None)
    settings = in_batches(settings) if batch else settings
    if no_wait:
        refuse_not_waiting(settings)
    names = model_names(settings)
    refuse_self_judging(names, settings)
    chosen = Language(language) if language else None
    asked = load_subset(
        subset,
        dataset_folder(dataset),
        split=split,
        language=chosen,
        limit=limit,
        as_of=as_of,
        added_since=added_since,
    )
    asked.refuse(settings)
    warn_of_simulated(asked, list(names))
    target = open_target(to, asked.promised(settings, repeats))
    known = known_calibrations(calibration)
    with observing(callback):
        agree(settings, asked.plan(len(names), repeats, settings), target, yes)
        ended = run_evaluation(
            settings, asked, target, repeats=repeats, again=command_line(), wait=not no_wait
        )
    standing = record_judge(settings, asked.languages, target, known)
    tell(ended, as_json, asks_models=True, judge=standing)
