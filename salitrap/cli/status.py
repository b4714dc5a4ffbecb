"""``salitrap status``: where a run stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from salitrap.cli.console import out, print_json, table
from salitrap.cli.options import AsJson, RunPath
from salitrap.cli.tables import funnel_table, spend_line

if TYPE_CHECKING:
    from curation.status import StatusReport
    from salitrap.providers.spend import Spend


def status(directory: RunPath, as_json: AsJson = False) -> None:
    """Funnel, seeds per cell, rejections by reason, spend, and what resuming would do."""
    from curation.directory import Layout
    from curation.status import settings_of, status_of
    from salitrap.providers.open import read_spend

    report = status_of(directory)
    journal = Layout(directory).journal
    spend = read_spend(journal, settings_of(directory)) if journal.is_file() else None
    if as_json:
        told = report.model_dump(mode="json")
        print_json(
            {**told, "finished": report.finished, "spend": spend.model_dump(mode="json") if spend else None}
        )
        return
    _print(report, spend)


def _print(report: StatusReport, spend: Spend | None) -> None:
    console = out()
    running = f", process {report.running} is working on it" if report.running is not None else ""
    console.print(
        f"Run {report.name} in {report.directory}, revision {report.revision}{running}", soft_wrap=True
    )
    cells: list[list[object]] = [
        [cell.dimension_tag, cell.language, cell.experts, cell.generated, cell.target]
        for cell in report.cells
    ]
    console.print(
        table(
            "Seeds",
            [
                ("dimension", False),
                ("language", False),
                ("expert", True),
                ("generated", True),
                ("target", True),
            ],
            cells,
        )
    )
    console.print(funnel_table(report.funnel))
    if spend is not None:
        console.print(spend_line(spend))
    for fault in report.funnel_faults:
        console.print(f"The funnel does not add up: {fault}")
    console.print(_resume(report), soft_wrap=True)


def _resume(report: StatusReport) -> str:
    if report.finished:
        return "All stages are done; running again would change nothing."
    left = [
        f"{stage.stage.value} {stage.total - stage.done} seeds"
        + (f" and revisit {stage.unsettled}" if stage.unsettled else "")
        for stage in report.stages
        if stage.done < stage.total or stage.unsettled
    ]
    return f"Resuming would {'; '.join(left)}. Replies in the journal are not paid again."
