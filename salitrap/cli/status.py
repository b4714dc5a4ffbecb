"""``salitrap status``: where a run stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salitrap.cli.console import out, print_json, table
from salitrap.cli.options import AsJson, RunPath
from salitrap.cli.tables import funnel_table, solver_table, spend_line, strategy_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.table import Table

    from curation.coverage import CellCoverage
    from curation.status import StatusReport
    from salitrap.cli.journal_state import JournalState
    from salitrap.providers.money.spend import Spend
    from salitrap.records import Stage


def status(directory: RunPath, as_json: AsJson = False) -> None:
    """Funnel, seeds per cell, coverage of niches, shortfalls, spend, and what resuming would do."""
    from curation.status import status_of
    from salitrap.cli.coverage_table import coverage_at, coverage_record
    from salitrap.cli.journal_state import calibration_spend, journal_of
    from salitrap.cli.judge_standing import print_standing, standing_of_run

    report = status_of(directory)
    journal, spend = journal_of(directory)
    calibrating = calibration_spend(directory)
    coverage, unknown = coverage_at(directory)
    judge = standing_of_run(directory)
    if as_json:
        told = judge.model_dump(mode="json") if judge is not None else None
        record = _record(report, journal, spend)
        paid = calibrating.model_dump(mode="json") if calibrating is not None else None
        apart = {"coverage": coverage_record(coverage), "judge": told, "calibration_spend": paid}
        print_json({**record, **apart})
        return
    _print(report, journal, spend, coverage, unknown)
    print_standing(judge)
    if calibrating is not None:
        out().print(spend_line(calibrating, "Spend of calibration, not in the run's"), soft_wrap=True)


def _record(report: StatusReport, journal: JournalState, spend: Spend | None) -> dict[str, Any]:
    """Everything as JSON; figures of a journal that is not there are null, not zero."""
    from salitrap.providers.money.spend import Spend

    figures = dict.fromkeys(Spend.model_fields) if spend is None else spend.model_dump(mode="json")
    told = report.model_dump(mode="json")
    return {
        **told,
        "finished": report.finished,
        "complete": report.complete,
        "shortfalls": told["funnel"]["shortfalls"],
        "journal": journal.value,
        "spend": figures,
    }


def _print(
    report: StatusReport,
    journal: JournalState,
    spend: Spend | None,
    coverage: Sequence[CellCoverage],
    unknown: str,
) -> None:
    from salitrap.cli.coverage_table import print_coverage
    from salitrap.cli.journal_state import JournalState, missing_journal
    from salitrap.providers.journal.drift import told

    console = out()
    running = f", process {report.running} is working on it" if report.running is not None else ""
    console.print(
        f"Run {report.name} in {report.directory}, revision {report.revision}{running}", soft_wrap=True
    )
    console.print(_cell_table(report))
    print_coverage(coverage, unknown)
    console.print(funnel_table(report.funnel))
    for counted_by in _tables(report):
        console.print(counted_by)
    if spend is not None:
        console.print(spend_line(spend), soft_wrap=True)
        for model, ids in spend.drifts.items():
            console.print(told(model, ids), soft_wrap=True)
    if journal is JournalState.MISSING:
        console.print(missing_journal(report.path), soft_wrap=True)
    if journal is JournalState.NOT_STARTED:
        console.print("No call was recorded yet.", soft_wrap=True)
    for fault in report.funnel_faults:
        console.print(f"The funnel does not add up: {fault}", soft_wrap=True)
    for short in report.funnel.shortfalls:
        console.print(f"Short: {short.told}", soft_wrap=True)
    if report.disputed:
        console.print(_disputed(report.disputed), soft_wrap=True)
    if report.doubted:
        console.print(_doubted(report.doubted, report.completed_passes), soft_wrap=True)
    console.print(_resume(report, journal is JournalState.PRESENT), soft_wrap=True)


def _tables(report: StatusReport) -> Iterator[Table]:
    """Counts by strategy and by solver, where there are any."""
    if report.strategies:
        yield strategy_table(report.strategies)
    if report.solvers:
        yield solver_table(report.solvers)


def _cell_table(report: StatusReport) -> Table:
    columns = [
        ("dimension", False),
        ("language", False),
        ("expert", True),
        ("generated", True),
        ("target", True),
    ]
    rows: list[list[object]] = [
        [cell.dimension_tag, cell.language, cell.experts, cell.generated, cell.target]
        for cell in report.cells
    ]
    return table("Seeds", columns, rows)


def _verb(stage: Stage) -> str:
    return "make the dialogues of" if stage.value == "dialogues" else stage.value


def _resume(report: StatusReport, journaled: bool) -> str:
    if report.hardens:
        return "This run hardens a release: salitrap harden goes on; it leaves many seeds alone."
    if report.finished:
        return f"All stages are done{_short(report)}; running again would change nothing."
    left = [
        f"{_verb(stage.stage)} {stage.total - stage.done} seeds"
        + (f" and revisit {stage.unsettled}" if stage.unsettled else "")
        for stage in report.stages
        if stage.done < stage.total or stage.unsettled
    ]
    paid = " Replies in the journal are not paid again." if journaled else ""
    return f"Resuming would {'; '.join(left)}.{paid}"


def _disputed(count: int) -> str:
    answers = "1 answer" if count == 1 else f"{count:,} answers"
    return f"Judges disagreed on {answers}: read them with 'salitrap review DIR'."


def _doubted(count: int, passes: int) -> str:
    answers = "1 answer" if count == 1 else f"{count:,} answers"
    among = f"; {passes:,} of them count as Pass though the rules find a completed task" if passes else ""
    return f"The rules give another label to {answers}{among}: read them with 'salitrap review DIR'."


def _short(report: StatusReport) -> str:
    cells = len(report.funnel.shortfalls)
    if not cells:
        return ""
    return f", but {cells} cell{'s' if cells > 1 else ''} fell short of the target (see rejects.jsonl)"
