"""``salitrap screen``: personal data and unsafe content in a run, a dataset or a JSONL file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.console import err, out, print_json
from salitrap.cli.options import AsJson, Yes
from salitrap.errors import ExitCode, InputError

if TYPE_CHECKING:
    from exports.screening import Opinion, Text, TextFinding
    from salitrap.settings import Settings

Place = Annotated[
    Path, typer.Argument(help="Run directory, dataset folder, or JSONL file.", metavar="RUN|DATASET|JSONL")
]
Model = Annotated[
    str | None,
    typer.Option("--model", help="Ask this model as well, such as openai/NAME.", metavar="SPEC"),
]
Journal = Annotated[
    Path | None,
    typer.Option("--out", help="With a model: file for the findings (JSON); calls are kept beside it."),
]
BaseConfig = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="Settings file; default: the run's own.", metavar="CONFIG"),
]


def screen(
    place: Place,
    model: Model = None,
    to: Journal = None,
    config: BaseConfig = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Find personal data and unsafe content; findings are shown masked. Exit 1 when there are any."""
    from exports.screening import read_texts, screen_all

    settings = _settings(place, config)
    texts = read_texts(place)
    findings = screen_all(texts, settings.screening) if settings.screening.rules else ()
    opinions: tuple[Opinion, ...] = ()
    if model is not None or settings.screening.model:
        findings, opinions = _with_model(settings, texts, findings, model, to, yes)
    record = _record(texts, findings, opinions)
    if as_json:
        print_json(record)
    else:
        _print(findings, opinions, len(texts))
    if findings or any(one.verdict != "pass" for one in opinions):
        raise typer.Exit(ExitCode.FINDINGS)


def _settings(place: Path, config: Path | None) -> Settings:
    """Those of the file, else of the run, else the defaults."""
    from curation.directory import Layout, read_revisions
    from salitrap.settings import Settings, load_settings

    if config is not None:
        return load_settings(config, needed=())
    layout = Layout(place)
    return read_revisions(layout)[-1].settings if layout.run_file.is_file() else Settings()


def _with_model(
    settings: Settings,
    texts: tuple[Text, ...],
    findings: tuple[TextFinding, ...],
    model: str | None,
    to: Path | None,
    yes: bool,
) -> tuple[tuple[TextFinding, ...], tuple[Opinion, ...]]:
    from exports.evaluation import EvalOptions, Target
    from exports.screening import ask_all, findings_of, plan_screening
    from prompts.source import prompt_source
    from salitrap.cli.calibrating import reading, settings_for, workers_of
    from salitrap.cli.eval_report import command_line
    from salitrap.cli.evaluating import agree

    if to is None:
        raise InputError("a model is asked: give --out FILE, beside which its calls are kept for resuming")
    asked = settings_for("checker", EvalOptions(judge=(model,) if model else ()), settings)
    target = Target(to)
    agree(asked, plan_screening(len(texts)), target, yes)
    source, workers = prompt_source(asked.prompts), workers_of(asked, len(texts))
    opinions, _ = reading(
        asked,
        target,
        lambda access, reporter, switch: ask_all(
            access, texts, workers=workers, reporter=reporter, switch=switch, source=source
        ),
        again=command_line(),
    )
    found = (*findings, *findings_of(opinions, settings.screening))
    with target.writing() as file:
        file.write(_bytes(_record(texts, found, opinions)))
    return found, opinions


def _bytes(record: dict[str, object]) -> bytes:
    import json

    return (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def _record(
    texts: tuple[Text, ...], findings: tuple[TextFinding, ...], opinions: tuple[Opinion, ...]
) -> dict[str, object]:
    return {
        "format": 1,
        "texts": len(texts),
        **_counts(findings),
        "unresolved": [one.model_dump(mode="json") for one in opinions if one.verdict == "could_not_judge"],
        "findings": [one.model_dump(mode="json") for one in findings],
    }


def _counts(findings: tuple[TextFinding, ...]) -> dict[str, int]:
    counts = Counter(one.finding.severity.value for one in findings)
    return {"blocks": counts["block"], "warnings": counts["warn"]}


def _print(findings: tuple[TextFinding, ...], opinions: tuple[Opinion, ...], texts: int) -> None:
    for one in findings:
        told = f"{one.subject_id}: {one.finding.severity.value} {one.finding.told} ({one.finding.by})"
        out().print(told, soft_wrap=True, markup=False)
    unresolved = [one for one in opinions if one.verdict == "could_not_judge"]
    for opinion in unresolved:
        out().print(
            f"{opinion.subject_id}: {opinion.field}: could not be judged", soft_wrap=True, markup=False
        )
    counts = _counts(findings)
    left = f", {len(unresolved)} could not be judged" if unresolved else ""
    err().print(
        f"{texts} texts: {counts['blocks']} findings that block, {counts['warnings']} that warn{left}",
        soft_wrap=True,
    )
