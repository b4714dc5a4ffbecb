"""``salitrap optimize``: better instructions for a judge, as a new version in a folder of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from salitrap.cli.calibrate import Gold
from salitrap.cli.console import print_json
from salitrap.cli.eval_options import BaseConfig, KeyEnv, OwnPrompts, prompts_folder
from salitrap.cli.options import AsJson, Yes
from salitrap.errors import FindingsError

if TYPE_CHECKING:
    from exports.evaluation import Target
    from exports.optimize import Improvement, Method, Parts
    from salitrap.providers.money.spend import Spend
    from salitrap.records import Language
    from salitrap.settings import Settings

MOST_AT_ONCE = 32
"""Answers under way at a time: each is waited for in a thread."""

RoleName = Annotated[Literal["judge"], typer.Option("--role", help="Whose instructions to improve.")]
JudgeSpec = Annotated[
    str | None, typer.Option("--judge", help="Spec of the judge, such as openai/NAME.", metavar="SPEC")
]
MethodName = Annotated[
    Literal["bootstrap", "gepa"],
    typer.Option("--method", help="Add examples that it judged rightly, or have the text rewritten."),
]
Out = Annotated[
    Path, typer.Option("--out", help="Folder for the new LANGUAGE/judge.md and the journal.", metavar="DIR")
]
OneLanguage = Annotated[
    Literal["en", "zh"] | None,
    typer.Option("--language", help="Only this language; default all of the gold."),
]
BudgetCalls = Annotated[
    int | None, typer.Option("--budget-calls", "--max-calls", min=1, help="Stop before more calls than this.")
]


def optimize(  # noqa: PLR0913  # one parameter an option
    out: Out,
    judge: JudgeSpec = None,
    role: RoleName = "judge",
    method: MethodName = "bootstrap",
    gold: Gold = None,
    language: OneLanguage = None,
    config: BaseConfig = None,
    prompts: OwnPrompts = None,
    key_env: KeyEnv = None,
    budget_calls: BudgetCalls = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Improve a judge's instructions on labelled answers. Exit 1 when the held half shows no gain."""
    from exports.calibration import with_lab_gold
    from exports.evaluation import EvalOptions, Target
    from exports.optimize import optimizing_settings, plan_optimization
    from salitrap.cli.evaluating import agree
    from salitrap.cli.optimize_report import print_improvements, refused, report
    from salitrap.settings import load_settings

    options = EvalOptions(
        judge=judge, key_env=key_env, max_calls=budget_calls, prompts=prompts_folder(prompts)
    )
    base = load_settings(config, needed=()) if config else None
    settings = with_lab_gold(optimizing_settings(options, base, method))
    parts = chosen_parts(tuple(gold or ()), language)
    target = Target(out / "optimize")
    _refuse_existing(out, settings, parts)
    agree(settings, plan_optimization(parts, method, settings), target, yes)
    made, spend = _improved(settings, parts, method, target)
    saved = _save(out, settings, made)
    if as_json:
        print_json(report(made, saved, out, spend))
    else:
        print_improvements(made, saved, out, spend)
    if not all(one.better for one in made):
        raise FindingsError(refused(made))


def chosen_parts(gold: tuple[Path, ...], language: str | None) -> tuple[Parts, ...]:
    """The gold answers of each language, split; the shipped ones without files.

    Raises:
        InputError: a file cannot be used, or a part is missing.
    """
    from checkers.gold import load_gold, shipped_gold
    from exports.optimize import parts_of
    from salitrap.records import Language

    whole = load_gold(gold) if gold else shipped_gold()
    found = sorted({answer.language for answer in whole.answers})
    languages: list[Language] = [Language(language)] if language else found
    return tuple(parts_of(whole, one) for one in languages)


def _improved(
    settings: Settings, parts: tuple[Parts, ...], method: Method, target: Target
) -> tuple[list[Improvement], Spend]:
    from curation.stage import Reporter, StopSwitch
    from exports.optimize import Workshop, improve
    from salitrap.cli.calibrating import reading, workers_of
    from salitrap.cli.eval_report import command_line
    from salitrap.providers.access import Access

    workers = min(MOST_AT_ONCE, workers_of(settings, MOST_AT_ONCE))

    async def work(access: Access, reporter: Reporter, switch: StopSwitch) -> list[Improvement]:
        shop = Workshop(settings, access, reporter, switch, workers, method)
        return [await improve(shop, part) for part in parts]

    again = command_line().replace("--budget-calls", "--max-calls")
    return reading(settings, target, work, again=again)


def _refuse_existing(out: Path, settings: Settings, parts: tuple[Parts, ...]) -> None:
    from exports.optimize import refuse_existing

    refuse_existing(out, [_file(out, settings, part.language) for part in parts])


def _save(out: Path, settings: Settings, made: list[Improvement]) -> dict[Language, Path]:
    from exports.optimize import save_prompts

    contents = {one.language: one.content for one in made if one.content is not None}
    saved = {language: _file(out, settings, language) for language in contents}
    save_prompts(out, {saved[language]: content for language, content in contents.items()})
    return saved


def _file(out: Path, settings: Settings, language: Language) -> Path:
    from exports.optimize import parent_of, prompt_file

    return prompt_file(out, language, parent_of(settings, language).id)
