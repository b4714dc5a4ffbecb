"""Tables that several commands print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.table import Table

from salitrap.cli.console import counted, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.funnel import Funnel
    from curation.solver_stats import SolverStats
    from curation.strategy_stats import StrategyStats
    from exports.dataset import Composition
    from salitrap.providers.money.spend import Spend

ADDRESS = re.compile(r"@https?://.*")
MOST_NAMED = 5


def funnel_table(funnel: Funnel) -> Table:
    """Every count of the run, first stage to last; zero counts are left out but for the items."""
    rows: list[list[object]] = [
        [label, count] for label, count in funnel.lines() if count or label == "items"
    ]
    return table("Funnel", [("what", False), ("count", True)], rows)


def strategy_table(lines: Sequence[StrategyStats]) -> Table:
    """What came of the seeds' own prompts and of each strategy."""
    columns = [
        ("made by", False),
        ("strategy", False),
        ("written", True),
        ("dis-\ncarded", True),
        ("valid", True),
        ("certi-\nfied", True),
        ("stable", True),
        ("certified,\n% of written", True),
    ]
    rows: list[list[object]] = [
        [
            line.origin.value,
            line.strategy,
            line.written,
            line.discarded,
            line.valid,
            line.certified,
            line.stable,
            f"{100 * line.share:.0f} [{100 * line.low:.0f}, {100 * line.high:.0f}]",
        ]
        for line in lines
    ]
    return table("Strategies", columns, rows)


def solver_table(lines: Sequence[SolverStats]) -> Table:
    """How the repeats went with each solver family."""
    columns = [
        ("solver family", False),
        ("repeats", True),
        ("strong", True),
        ("soft", True),
        ("no\nattack", True),
        ("no\nlabel", True),
        ("tested", True),
        ("stable,\n% of tested", True),
    ]
    rows: list[list[object]] = [
        [
            line.family,
            line.repeats,
            line.strong,
            line.soft,
            line.none,
            line.unscored,
            line.tested,
            f"{100 * line.share:.0f} [{100 * line.low:.0f}, {100 * line.high:.0f}]",
        ]
        for line in lines
    ]
    return table("Stability by solver", columns, rows)


def composition_table(composition: Composition) -> Table:
    """One line a dimension and a language (paper, table 3)."""
    columns = [
        ("", False),
        ("items", True),
        ("seeds", True),
        ("mean\n|n|", True),
        ("natural-\nness", True),
        ("strong", True),
        ("soft", True),
        ("stabi-\nlity", True),
    ]
    lines = (*composition.dimensions, *composition.languages, composition.overall)
    rows: list[list[object]] = [
        [
            line.name if line.name.lower() == line.label.lower() else f"{line.label} {line.name}",
            line.items,
            line.families,
            f"{line.numbers_mean:.1f}",
            f"{line.naturalness_mean:.2f}",
            line.strong,
            line.soft,
            f"{line.stability_mean:.2f}",
        ]
        for line in lines
    ]
    return table("Composition", columns, rows)


def models_named(specs: Sequence[str]) -> str:
    """The models of ``specs`` without their addresses, at most five: ``openai/a, openai/b and 3 more``."""
    names = list(dict.fromkeys(ADDRESS.sub("", spec) for spec in specs))
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def spend_line(spend: Spend, label: str = "Spend") -> str:
    """What a run has used, in one sentence; the dates of table prices stand behind the amount."""
    from salitrap.providers.money.spend import dated

    tokens = f"{spend.input_tokens:,} tokens in, {spend.output_tokens:,} out"
    cost = f"cost unknown: no price for {models_named(spend.unpriced)}"
    if spend.usd is not None:
        cost = f"{spend.usd:.2f} USD{dated(spend.price_dates)}"
    failed = f", {spend.failed:,} of the calls without a usable reply" if spend.failed else ""
    lost = spend.attempts - spend.calls
    refused = f", {counted(lost, 'more request')} refused or failed" if lost else ""
    return f"{label}: {counted(spend.calls, 'call')}, {tokens}, {cost}{failed}{refused}."
