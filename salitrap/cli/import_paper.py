"""``salitrap import``: the paper's published records and results in our schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.options import AsJson
from salitrap.errors import ExitCode, InputError

if TYPE_CHECKING:
    from exports.importing import ImportReport


def import_(
    file: Annotated[
        Path, typer.Argument(help="JSON array of records, or one object a line.", metavar="FILE")
    ],
    source: Annotated[
        Literal["paper-items", "paper-results"],
        typer.Option("--from", help="Published items, or labelled answers of the paper's evaluation."),
    ],
    to: Annotated[
        Path, typer.Option("--out", help="JSONL to write; rejects go to OUT.rejects.jsonl.", metavar="OUT")
    ],
    items: Annotated[
        Path | None,
        typer.Option(help="Imported items, for results without seed and dimension.", metavar="FILE"),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(help="What the file calls a field of the paper.", metavar="OURS=THEIRS"),
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option(help="Field of the file to leave out.", metavar="THEIRS")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read the paper's items or results into our schema, guessing nothing. Exit 1 when there are rejects."""
    from exports.importing import Source, import_file

    if items is not None and source == "paper-items":
        raise InputError("--items: is for --from paper-results; leave it out")
    report = import_file(
        file,
        Source(source),
        to,
        items=items,
        renamed=dict(_pair(one) for one in field or ()),
        skipped=skip or (),
        force=force,
    )
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _print(report)
    if report.rejected:
        raise typer.Exit(ExitCode.FINDINGS)


def _pair(given: str) -> tuple[str, str]:
    ours, sign, theirs = given.partition("=")
    if not (ours and sign and theirs):
        raise InputError(f"--field {given}: give OURS=THEIRS, such as item_id=id")
    return ours, theirs


def _print(report: ImportReport) -> None:
    done = "item" if report.kind.value == "paper-items" else "label row"
    out().print(
        f"{report.out}: {counted(report.imported, done)} of {counted(report.records, 'record')}.",
        soft_wrap=True,
    )
    for note in report.notes:
        err().print(f"note: {note}", soft_wrap=True)
    if not report.rejected:
        return
    by_field = ", ".join(f"{name} {count:,}" for name, count in report.reasons.items())
    err().print(f"{counted(report.rejected, 'reject')} in {report.rejects} ({by_field}):", soft_wrap=True)
    for told in report.first_rejects:
        err().print(f"  {told}", soft_wrap=True)
