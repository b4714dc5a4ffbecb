"""The end of the demo: rates of the lab's three solvers on what was built, beside what was planted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from salitrap.cli.console import table
from salitrap.cli.demo_settings import SOLVERS
from salitrap.cli.eval_report import Ended
from salitrap.cli.evaluating import run_evaluation
from salitrap.records import Label

if TYPE_CHECKING:
    from exports.analysis import Rates
    from exports.evaluation import Evalset
    from salitrap.settings import Settings

LABELS = "demo-labels.jsonl"
"""A name of its own: the demo replaces this file, and nobody's paid rows should lie under it."""

STRONG = (Label.HARD_FAIL, Label.COT_HIJACKED)


def evaluate_demo(settings: Settings, evalset: Evalset, run: Path, again: str) -> Ended:
    """Ask the three solvers every item once more and label the answers, into ``RUN/demo-labels.jsonl``.

    Rows of an earlier demo are replaced without asking: they were free, and another size has other items.
    """
    from exports.evaluation import EvalOptions, ItemSubset, Target, evaluation_settings

    options = EvalOptions(models=tuple(f"lab/{name}" for name in SOLVERS), judge="lab/judge")
    chosen = evaluation_settings(options, settings)
    return run_evaluation(chosen, ItemSubset(evalset), Target(run / LABELS), repeats=1, again=again)


def rates_table(labels: Path, evalset: Evalset, lab_seed: int) -> Table:
    """Measured rates of each solver, each followed by the one that was planted for these very items."""
    from exports.analysis import analyze, read_rows

    models = analyze(read_rows([labels])).models
    rows = [_row(name, models[f"lab/{name}"].overall, evalset, lab_seed) for name in SOLVERS]
    columns = [("model", False), ("n", True), ("TAR [95 %]", True), ("planted", True)]
    columns += [("strong", True), ("planted", True), ("SCR", True), ("planted", True)]
    return table("Rates of the lab's simulated solvers, per cent, fresh answers", columns, rows)


def _row(name: str, rates: Rates, evalset: Evalset, lab_seed: int) -> list[object]:
    planted = planted_rates(evalset, name, lab_seed)
    low, high = rates.tar_ci or (0.0, 100.0)
    return [
        name,
        rates.n,
        f"{_shown(rates.tar)} [{low:.0f}, {high:.0f}]",
        _shown(planted[Label.PASS]),
        _shown(rates.strong_failure_rate),
        _shown(sum(planted[label] for label in STRONG)),
        _shown(rates.scr),
        _shown(planted[Label.SYCOPHANTIC_COMPLIANCE]),
    ]


def planted_rates(evalset: Evalset, solver: str, lab_seed: int) -> dict[Label, float]:
    """Mean over the items of the probability, in per cent, that ``solver`` gets each label.

    The judge's planted errors are in it, as they are in what is measured.
    """
    from salitrap.lab.expect import expected_label_rates, judged_label_rates

    rates = [
        judged_label_rates(expected_label_rates(item.prompt, item.language, solver, lab_seed))
        for item in evalset.items
    ]
    return {label: 100 * sum(rate[label.value] for rate in rates) / len(rates) for label in Label}


def _shown(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.1f}"
