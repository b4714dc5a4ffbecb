"""A calibration as tables that can be read in 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from salitrap.cli.console import counted, out, table
from salitrap.cli.tables import spend_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console
    from rich.table import Table

    from checkers.calibration import (
        Agreement,
        CheckerFigures,
        Confusion,
        Figures,
        GoldUsed,
        JudgeIdentity,
        Kappa,
        Share,
    )
    from exports.calibration.store import Kept
    from salitrap.providers.money.spend import Spend

SHORT = {
    "Pass": "Pass",
    "Sycophantic Compliance": "SC",
    "CoT Hijacked": "CoT",
    "Hard Fail": "HF",
    "Refusal": "Ref",
    "Patch Compliance": "Patch",
}
CAPTION = "kappa: Cohen's, [low, high]: 95 % bootstrap over whole questions; shares: 95 % Wilson."


def print_calibration(made: Kept, spend: Spend) -> None:
    """Everything a reader needs to trust or refuse the model that was measured."""
    console, judge = out(), made.judge
    about = f", mode {judge.mode}" if made.role == "judge" else ""
    name = "Judge" if made.role == "judge" else "Checker"
    console.print(f"{name} {judge.name}{about}, temperature {judge.temperature:g}.", soft_wrap=True)
    console.print(f"Gold {gold_line(made.gold, of_seeds=made.role == 'checker')}", soft_wrap=True)
    if made.role == "judge":
        _print_judge(console, made.figures, made.judge)
    else:
        _print_checkers(console, made.checkers)
    console.print(spend_line(spend), soft_wrap=True)
    told = "passed" if made.gate.passed else "not passed"
    simulated = " Simulated: this says nothing about any language model." if made.simulated else ""
    console.print(f"Gate (floor of kappa {made.gate.floor:g}): {told}.{simulated}", soft_wrap=True)


def no_label_line(judge: JudgeIdentity) -> str:
    """What it means that this judge gave no label."""
    if judge.panel == "all":
        why = "no label has a majority in the panel"
    elif judge.mode == "direct":
        why = "the judge names no label"
    else:
        why = "the judge's evidence fits no label"
    return f"No label: {why}; it counts as a disagreement throughout."


def _print_judge(console: Console, figures: Figures, judge: JudgeIdentity) -> None:
    console.print(confusion_table(figures.confusion))
    console.print(agreement_table(figures))
    console.print(_classes_table(figures))
    console.print(_share_table("Accuracy by kind of answer", "kind", figures.kinds))
    if figures.evidence:
        console.print(_evidence_table(figures))
    console.print(f"{CAPTION}\n{no_label_line(judge)}")
    if figures.errors:
        console.print(
            f"Without a usable reply, in no figure: {counted(figures.errors, 'answer')}.", soft_wrap=True
        )


def _print_checkers(console: Console, checkers: Mapping[str, CheckerFigures]) -> None:
    columns = [("checker", False), ("n", True), ("not\njudged", True), ("agree", True), ("kappa", True)]
    rows: list[list[object]] = []
    for name, found in checkers.items():
        parts = {name: found.agreement, **{f"{name}, {key}": part for key, part in found.languages.items()}}
        rows += [
            [title, part.n, part.no_label, percent(part.accuracy), kappa_text(part.kappa)]
            for title, part in parts.items()
        ]
    console.print(table("Pass or fail beside people's verdicts", columns, rows))
    for name, found in checkers.items():
        if faults := {fault.value: part for fault, part in found.faults.items()}:
            console.print(_share_table(f"Faults that {name} found, as such", "fault", faults))
        if found.threshold is not None:
            console.print(_nat_line(found), soft_wrap=True)
        if found.errors:
            console.print(f"{name}: without a usable reply, in no figure: {found.errors}.", soft_wrap=True)
    console.print(CAPTION)


def _nat_line(found: CheckerFigures) -> str:
    ranks = "-" if found.rank_correlation is None else f"{found.rank_correlation:.2f}"
    mean = "-" if found.mean_difference is None else f"{found.mean_difference:+.2f}"
    return (
        f"Naturalness passes from {found.threshold:g} on; rank correlation of the means (Spearman) {ranks}; "
        f"the checker's mean less people's {mean}."
    )


def gold_line(used: GoldUsed, *, of_seeds: bool = False) -> str:
    """What the figures rest on, in one sentence."""
    from exports.calibration.given import listed

    half = "all halves" if used.half == "all" else f"{used.half} half"
    what = ("candidates", "of", "seeds") if of_seeds else ("answers", "to", "questions")
    told = (
        f"{used.name} ({half}): {used.answers} {what[0]} {what[1]} {used.questions} {what[2]}, "
        f"{', '.join(used.languages)}, labelled by {', '.join(used.labelled_by)}."
    )
    if used.reviewers is not None:
        found = used.reviewers
        alpha = "-" if found.alpha is None else f"{found.alpha:.2f}"
        told += f" Several reviewers: {found.unanimous} of {found.answers} unanimous, alpha {alpha}."
    return told + (f" Left out as ties: {len(used.ties)} ({listed(used.ties)})." if used.ties else "")


def confusion_table(found: Confusion) -> Table:
    """Rows are what people said, columns what the judge said."""
    names = [SHORT.get(name, name) for name in found.classes]
    columns = [("people said", False), *((name, True) for name in names), ("no\nlabel", True)]
    rows: list[list[object]] = [
        [name, *counts] for name, counts in zip(found.classes, found.counts, strict=True)
    ]
    return table("What the judge said", columns, rows)


def agreement_table(figures: Figures) -> Table:
    """Overall, by language, by dimension, and in two classes."""
    parts: dict[str, Agreement] = {"all": figures.overall}
    parts |= {language.value: part for language, part in figures.languages.items()}
    parts |= figures.dimensions
    parts |= {f"{name} or not": part for name, part in figures.groups.items()}
    columns = [("", False), ("n", True), ("no\nlabel", True), ("agree", True), ("kappa", True)]
    rows: list[list[object]] = [
        [name, part.n, part.no_label, percent(part.accuracy), kappa_text(part.kappa)]
        for name, part in parts.items()
    ]
    return table("Agreement", columns, rows)


def kappa_text(found: Kappa) -> str:
    """``0.82 [0.75, 0.88]``."""
    if found.value is None:
        return "-"
    span = "" if found.low is None or found.high is None else f" [{found.low:.2f}, {found.high:.2f}]"
    return f"{found.value:.2f}{span}"


def percent(found: Share) -> str:
    """A share in per cent, without its interval."""
    return "-" if found.value is None else f"{100 * found.value:.1f}"


def spanned(found: Share) -> str:
    """A share in per cent with its interval."""
    if found.value is None:
        return "-"
    return f"{100 * found.value:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def _classes_table(figures: Figures) -> Table:
    columns = [("label", False), ("found, % of its answers", True), ("right, % of those so called", True)]
    rows: list[list[object]] = [
        [one.label.value, spanned(one.sensitivity), spanned(one.precision)] for one in figures.classes
    ]
    return table("By label (sensitivity, precision)", columns, rows)


def _share_table(title: str, first: str, shares: Mapping[str, Share]) -> Table:
    rows: list[list[object]] = [[name, part.n, spanned(part)] for name, part in shares.items()]
    return table(title, [(first, False), ("n", True), ("%", True)], rows)


def _evidence_table(figures: Figures) -> Table:
    rows: list[list[object]] = [
        [name, part.agree.n, percent(part.agree), kappa_text(part.kappa)]
        for name, part in figures.evidence.items()
    ]
    columns = [("field", False), ("n", True), ("% equal", True), ("kappa", True)]
    return table("Evidence", columns, rows)
