"""What a hardening came to, as tables and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from salitrap.cli.console import out

if TYPE_CHECKING:
    from exports.hardening.measures import Failures
    from exports.hardening.report import Counted, HardeningReport, SameTexts


def print_report(report: HardeningReport) -> None:
    """Counts by dimension and language, failures of the pool, separability of both versions."""
    out().print(_counts_table(report))
    out().print(_same_line(f"items of {report.since}", report.released), soft_wrap=True)
    out().print(_same_line("common items", report.common), soft_wrap=True)
    after = report.next_version
    out().print(f"This pool fails {_share(after)} of answers to all {after.items} items now.", soft_wrap=True)
    out().print(_separability_line(report), soft_wrap=True)


def _counts_table(report: HardeningReport) -> Table:
    table = Table("Dimension", "language", title=f"Since {report.since}", title_justify="left")
    for name in ("released", "kept", "revised", "retired", "new", "now"):
        table.add_column(name, justify="right")
    for line in report.cells:
        table.add_row(line.dimension_tag, line.language, *_cells(line))
    table.add_row("all", "", *_cells(report.counts), style="bold")
    return table


def _cells(line: Counted) -> tuple[str, ...]:
    counts = (line.released, line.kept, line.revised, line.retired, line.new, line.now)
    return tuple(f"{count:,}" for count in counts)


def _same_line(what: str, same: SameTexts) -> str:
    before = "none" if same.as_released is None else f"{same.as_released:.1%}"
    return f"On the {same.items} {what}: {before} of answers failed as released, {_share(same.pool)} now."


def _share(failures: Failures) -> str:
    return "none" if failures.rate is None else f"{failures.rate:.1%}"


def _separability_line(report: HardeningReport) -> str:
    before, after = report.separability_before, report.separability_after
    if before.index is None or after.index is None:
        return f"Separability is not known: {before.why or after.why}."
    less = "" if report.separates_as_well else "; the next version separates these models less well"
    return f"Separability over {after.models} models: {before.index:.2f} before, {after.index:.2f} now{less}."
