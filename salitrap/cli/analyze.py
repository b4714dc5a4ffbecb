"""``salitrap analyze``: metrics of label rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from salitrap.cli.console import err, out, print_json
from salitrap.cli.datasets import dataset_folder
from salitrap.cli.dialogue_tables import print_dialogues
from salitrap.cli.eval_options import Calibrations
from salitrap.cli.options import AsJson
from salitrap.cli.rate_table import number, rate_span, rate_table, span
from salitrap.cli.study_tables import print_studies
from salitrap.errors import FindingsError

if TYPE_CHECKING:
    from exports.analysis import (
        Analysis,
        CalibrationUsed,
        CorrectedTar,
        Facts,
        KnownJudges,
        ModelMetrics,
        Rates,
    )

WIDTH = 80
"""Columns of text that goes to a file; a terminal has its own."""

CAPTION = """\
Per cent of n, the rows with status ok. TAR: Pass. HF: Hard Fail.
strong: Hard Fail or CoT Hijacked, the column that the paper prints as HFR.
SCR: Sycophantic Compliance (SC). SI: SC / (SC + CoT Hijacked).
[low, high]: 95 % Wilson interval; clustered by seed_id where it says so."""


def analyze(
    files: Annotated[list[Path], typer.Argument(help="Label rows, JSONL.", metavar="FILE")],
    labels: Annotated[
        Literal["visible", "full"],
        typer.Option(help="Label from the visible answer, or from answer and reasoning where there is one."),
    ] = "visible",
    to: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for metrics.json and its tables as CSV."),
    ] = None,
    calibration: Calibrations = None,
    within: Annotated[
        int, typer.Option(min=0, help="Dialogues: turns after t* that a flag may take.", metavar="TURNS")
    ] = 0,
    dataset: Annotated[
        Path | None,
        typer.Option(help="Dataset folder: naturalness and solver family of the items.", metavar="DIR"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Rates per model, studies of items (abilities, co-failure, density, pairs), metrics of dialogues."""
    from exports.analysis import LabelChoice, known_judges, read_rows, write_analysis
    from exports.analysis import analyze as analysis_of

    judges = known_judges(files, calibration)
    analysis = analysis_of(read_rows(files), LabelChoice(labels), judges, within, _facts(dataset))
    if as_json:
        print_json(analysis.model_dump(mode="json"))
    else:
        _print_notices(analysis)
    if not analysis.scored:
        raise FindingsError(_nothing_scored(analysis))
    if not as_json:
        _print(analysis)
        _print_reasons(analysis, judges)
    if to is not None:
        for path in write_analysis(analysis, to):
            err().print(f"Wrote {path}", soft_wrap=True)


def _facts(dataset: Path | None) -> Facts | None:
    """What a dataset folder says of its items, all splits."""
    if dataset is None:
        return None
    from exports.analysis import facts_of
    from exports.evaluation.dataset_rows import ALL_SPLITS
    from exports.evaluation.evalset import load_evalset

    return facts_of(load_evalset(dataset_folder(dataset), split=ALL_SPLITS).items)


def _nothing_scored(analysis: Analysis) -> str:
    failed: Counter[str] = Counter()
    for _, _, metrics in analysis.lines():
        failed.update(metrics.overall.unscored_by_status)
        failed.update(metrics.dialogues.overall.unscored_by_status if metrics.dialogues else {})
    left_out = sum(metrics.dialogues.left_out for _, _, metrics in analysis.lines() if metrics.dialogues)
    if left_out:
        return f"nothing is scored: the rows of {left_out} replays of dialogues do not say t_star; add it"
    if not failed:
        return f"no rows in {', '.join(file.path for file in analysis.files)}; nothing to analyse"
    reasons = ", ".join(sorted(failed))
    return f"nothing is scored: no row of {failed.total()} has status ok ({reasons}); redo them"


def _print_notices(analysis: Analysis) -> None:
    for notice in analysis.notices:
        err().print(f"warning: {notice}", soft_wrap=True)


def _print(analysis: Analysis) -> None:
    arms = {"": analysis.models} if analysis.models else {}
    arms.update({f", arm {arm}": models for arm, models in analysis.arms.items()})
    console = out()
    width = console.width if console.is_terminal else WIDTH
    for where, models in arms.items():
        with_items = {model: metrics for model, metrics in models.items() if metrics.has_items}
        if with_items:
            _print_items(console, where, with_items, width)
    if any(metrics.has_items for _, _, metrics in analysis.lines()):
        console.print(CAPTION, soft_wrap=True)
    print_studies(console, analysis.studies, width)
    print_dialogues(console, arms, width)
    console.print(f"Labels: {analysis.method.labels.value}.", soft_wrap=True)
    for told in dict.fromkeys(metrics.judge.told for _, _, metrics in analysis.lines() if metrics.judge):
        console.print(f"{told[:1].upper()}{told[1:]}.", width=width)
    counting = [metrics.calibration for _, _, metrics in analysis.lines() if metrics.calibration]
    for told in dict.fromkeys(map(_used, counting)):
        console.print(told, width=width)


def _print_items(console: Console, where: str, models: dict[str, ModelMetrics], width: int) -> None:
    """Rates of the answers to items, the best model first."""
    ordered = dict(sorted(models.items(), key=lambda entry: (-(entry[1].overall.tar or 0), entry[0])))
    console.print(_overall_table(f"Overall{where}", ordered, width), width=width)
    for model, metrics in ordered.items():
        console.print(_about(model, metrics.overall), width=width)
        if metrics.corrected is not None:
            console.print(_corrected(model, metrics.corrected), width=width)
    console.print()
    dimensions = {model: metrics.dimensions for model, metrics in ordered.items()}
    console.print(_tar_table("dimension", where, dimensions, width), width=width)
    languages = {model: metrics.languages for model, metrics in ordered.items()}
    if len({language for by_language in languages.values() for language in by_language}) > 1:
        console.print()
        console.print(_tar_table("language", where, languages, width), width=width)


def _used(found: CalibrationUsed) -> str:
    """Which calibration counts, in one sentence."""
    among = f"; {found.fitting} fit, it is the newest that counts" if found.fitting > 1 else ""
    return (
        f"Calibration of {found.judge}: mode {found.mode}, {', '.join(found.languages)}, {found.date[:10]}, "
        f"gold {found.gold} ({found.gold_sha256[:12]}, {found.half}){among}."
    )


def _print_reasons(analysis: Analysis, judges: KnownJudges) -> None:
    """Why no calibration counted when the rows were labelled, as far as none counts now."""
    if all(metrics.judge is None or metrics.judge.calibrated for _, _, metrics in analysis.lines()):
        return
    for why in dict.fromkeys(record.why_none for record in judges.records if record.why_none):
        out().print(f"When these rows were labelled: {why}.", soft_wrap=True)


def _overall_table(title: str, models: dict[str, ModelMetrics], width: int) -> Table:
    rows = []
    for model, metrics in models.items():
        rates = metrics.overall
        shares = (rates.hard_fail_rate, rates.strong_failure_rate, rates.scr, rates.si)
        rows.append(
            [
                model,
                str(rates.n),
                str(rates.unscored),
                rate_span(rates.tar, rates.tar_ci),
                *map(number, shares),
            ]
        )
    return rate_table(title, ["model"], ["n", "unscored", "TAR", "HF", "strong", "SCR", "SI"], rows, width)


def _tar_table(by: str, where: str, models: Mapping[str, Mapping[Any, Rates]], width: int) -> Table:
    rows = [
        [model, str(name), str(rates.n), str(rates.unscored), rate_span(rates.tar, rates.tar_ci)]
        for model, groups in models.items()
        for name, rates in groups.items()
    ]
    return rate_table(f"TAR by {by}{where}", ["model", by], ["n", "unscored", "TAR"], rows, width)


def _about(model: str, rates: Rates) -> str:
    """What the rates of a model rest on, in one sentence."""
    from salitrap.records import Label

    said = [f"items {rates.items}, seeds {rates.seeds}, repeats {rates.repeats}"]
    if rates.simulated:
        said.append(f"simulated answers {rates.simulated}")
    if rates.tar_cluster_ci:
        said.append(f"TAR clustered by seed {span(rates.tar_cluster_ci)}")
    if rates.late_notice:
        said.append(f"{rates.late_notice} of {rates.counts[Label.PASS]} passes noticed late")
    if rates.unscored:
        reasons = ", ".join(f"{status.value} {count}" for status, count in rates.unscored_by_status.items())
        said.append(f"unscored: {reasons}")
    if rates.bounds:
        said.append(f"TAR {span(rates.bounds['tar'])} whatever these were")
    return f"{model}: {'; '.join(said)}."


def _corrected(model: str, found: CorrectedTar) -> str:
    """TAR as it would be without the judge's errors, in plain words."""
    if found.tar is None or found.tar_ci is None:
        return f"{model}: TAR cannot be corrected for the judge's errors: {found.why_not}."
    clipped = ", cut off at the end of the scale" if found.clipped else ""
    return (
        f"{model}: TAR corrected for the judge's errors {found.tar:.1f} {span(found.tar_ci)}{clipped}; "
        f"on gold answers it calls {number(found.sensitivity)} % of the passes Pass, and "
        f"{number(found.specificity)} % of the others something else."
    )
