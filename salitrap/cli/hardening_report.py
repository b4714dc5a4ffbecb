"""What a hardening came to, as tables and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from salitrap.cli.console import counted, out

if TYPE_CHECKING:
    from exports.hardening.measures import Failures, Separability
    from exports.hardening.report import Counted, HardeningReport


def print_report(report: HardeningReport) -> None:
    """Counts by dimension and language, failures of the pool, separability of both versions."""
    out().print(_counts_table(report))
    common = report.common
    if common.before is not None:
        out().print(
            f"On the {counted(common.items, 'common item')}: failed {common.before:.1%} as released, "
            f"{_share(common.after)} against this pool.",
            soft_wrap=True,
        )
    out().print(
        f"The pool fails {_share(report.failures_before)} of answers to {report.since}, "
        f"{_share(report.failures_after)} to what takes its place.",
        soft_wrap=True,
    )
    before, after = _separability(report.separability_before), _separability(report.separability_after)
    out().print(f"Separability: {before} before, {after} after.{_verdict(report)}", soft_wrap=True)


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


def _share(failures: Failures) -> str:
    return "none" if failures.rate is None else f"{failures.rate:.1%}"


def _separability(found: Separability) -> str:
    return f"unknown ({found.why})" if found.index is None else f"{found.index:.2f}"


def _verdict(report: HardeningReport) -> str:
    if report.separates_as_well is None:
        return ""
    return "" if report.separates_as_well else " The next version separates these models less well."
