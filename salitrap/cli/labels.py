"""``salitrap labels``: labels and decisions of people, out to a spreadsheet or Argilla and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.options import AsJson, RunPath
from salitrap.errors import ExitCode, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from curation.labels import Applied, What

app = typer.Typer(
    help="Labels and decisions of people: to a spreadsheet or to Argilla, and back.", no_args_is_help=True
)
SHOWN = 20


@app.command("export")
def export_labels(
    directory: RunPath,
    to: Annotated[Path, typer.Option("--out", help="File to write.", metavar="FILE")],
    what: Annotated[
        Literal["answers", "candidates"],
        typer.Option(help="Answers to label, or candidates to decide on."),
    ] = "answers",
    form: Annotated[
        Literal["csv", "argilla"], typer.Option("--format", help="CSV for spreadsheets, JSONL for Argilla.")
    ] = "csv",
    status: Annotated[
        list[str] | None, typer.Option(help="Only candidates that stand so; may be given several times.")
    ] = None,
    reviewer: Annotated[
        str | None, typer.Option(help="Whose earlier labels to fill in; by default your login.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Write over a file that is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write one row an answer, or a candidate, with empty columns to be filled in."""
    from contextlib import closing

    from curation.directory import Layout
    from curation.labels import What, rows_of
    from curation.registry import Registry
    from salitrap.cli.review import login

    layout = Layout(directory)
    layout.require()
    _refuse_existing(to, force)
    chosen = tuple(_statuses(status or []))
    with closing(Registry.open_reader(layout.registry)) as registry:
        rows = list(rows_of(registry, What(what), reviewer or login(), chosen))
    if not rows:
        raise InputError(f"{directory}: nothing to export; run the refine stage, or ask for another --status")
    _write(to, _lines(rows, What(what), form))
    if as_json:
        print_json({"file": str(to), "rows": len(rows), "what": what, "format": form})
    else:
        out().print(f"{to}: {counted(len(rows), 'row')}", soft_wrap=True)


@app.command("import")
def import_labels(
    directory: RunPath,
    file: Annotated[Path, typer.Argument(help="Filled in file: CSV, or an export of Argilla.")],
    reviewer: Annotated[
        str | None, typer.Option(help="Whose they are where a row names nobody; by default your login.")
    ] = None,
    dry_run: Annotated[bool, typer.Option(help="Look at the file and change nothing.")] = False,
    skip_bad: Annotated[bool, typer.Option(help="Import the good rows although others are bad.")] = False,
    overwrite: Annotated[
        bool, typer.Option(help="Let decisions stand although somebody else decided meanwhile.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take labels and decisions in, by id; importing a file again changes nothing."""
    from curation.labels import ClaimReader, apply_rows, read_rows
    from curation.review.opening import open_review
    from salitrap.cli.review import login
    from salitrap.errors import RunDirectoryError

    what, rows = read_rows(file)
    with open_review(directory, reviewer or login()) as opened:
        if opened.desk is None and not dry_run:
            who = f"process {opened.holder} works on it" if opened.holder else "it cannot be written to"
            raise RunDirectoryError(f"{directory}: {who}, so nothing was imported; try again later")
        reader = ClaimReader(opened.registry, opened.settings, opened.author, overwrite)
        applied = apply_rows(reader, what, rows, dry_run=dry_run, skip_bad=skip_bad)
    written = not dry_run and (skip_bad or not applied.problems)
    if as_json:
        print_json({"file": str(file), "written": written, **applied.model_dump(mode="json")})
    else:
        _print(file, applied, written)
    if applied.problems:
        raise typer.Exit(ExitCode.FINDINGS)


def _lines(rows: list[dict[str, str]], what: What, form: str) -> Iterator[str]:
    from curation.labels import argilla_records, csv_lines

    if form == "csv":
        yield from csv_lines(rows, what)
    else:
        for record in argilla_records(rows, what):
            yield json.dumps(record, ensure_ascii=False) + "\n"


def _statuses(names: list[str]) -> Iterator[str]:
    from salitrap.records import Status

    known = [status.value for status in Status]
    for name in names:
        if name not in known:
            raise InputError(f"--status {name!r}: use one of {', '.join(known)}")
        yield name


def _refuse_existing(to: Path, force: bool) -> None:
    if to.is_dir():
        raise InputError(f"--out {to}: a folder; give the path of a file")
    if to.exists() and not force:
        raise InputError(f"--out {to}: is there already; give another path, or --force to write over it")


def _write(to: Path, lines: Iterator[str]) -> None:
    from exports.dataset.disk import disk_faults

    part = to.with_name(f"{to.name}.part")
    with disk_faults(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8", errors="replace", newline="") as file:
            file.writelines(lines)
        part.replace(to)


def _print(file: Path, applied: Applied, written: bool) -> None:
    for problem in applied.problems[:SHOWN]:
        out().print(
            f"{file}: row {problem.row}, {problem.column}: {problem.message}", soft_wrap=True, markup=False
        )
    if len(applied.problems) > SHOWN:
        out().print(f"and {len(applied.problems) - SHOWN} more")
    said = [
        counted(number, what)
        for number, what in (
            (applied.labels, "label"),
            (applied.decisions, "decision"),
            (applied.texts, "text"),
        )
        if number
    ]
    rest = f"{applied.unchanged} said before, {applied.empty} left empty"
    if applied.passed_over:
        rest += f", {applied.passed_over} not submitted"
    told = f"{', '.join(said) or 'nothing new'}; {rest}"
    err().print(told if written else f"nothing was written; the file has {told}", soft_wrap=True)
