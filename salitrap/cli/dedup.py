"""``salitrap dedup``: near-duplicates in existing datasets."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from salitrap.cli.console import err, out, print_json, table
from salitrap.cli.interrupts import signal_of
from salitrap.cli.options import AsJson
from salitrap.cli.output import FULL
from salitrap.errors import DiskFull, ExitCode, InputError, Interrupted

if TYPE_CHECKING:
    from curation.corpus import Report

LINES = (
    ("rows", "rows"),
    ("kept", "kept"),
    ("identical", "dropped: identical but for white space"),
    ("similar", "dropped: similar"),
    ("bad", "dropped: not readable"),
    ("numbers_or_units_only", "kept, to review: differ in numbers or units alone"),
    ("near", "kept, to review: similar, below the threshold"),
    ("empty", "kept: empty"),
    ("blank", "blank lines, left out (no rows)"),
)


def dedup(
    files: Annotated[list[Path], typer.Argument(help="JSONL or parquet, in this order.", metavar="FILE")],
    to: Annotated[
        Path, typer.Option("--out", help="Folder for files of the same names; with one FILE, a file.")
    ],
    field: Annotated[str, typer.Option(help="Field that holds the text to compare.")] = "prompt",
    threshold: Annotated[
        float | None, typer.Option(min=0.05, max=1.0, help="Similarity of duplicates; default 0.7.")
    ] = None,
    language: Annotated[
        Literal["auto", "en", "zh"],
        typer.Option(help="Feature to compare by: auto follows the script of each text."),
    ] = "auto",
    as_json: AsJson = False,
) -> None:
    """Drop near-duplicate rows; kept rows stay as they are and in order. Lists drops and doubtful pairs."""
    from curation.corpus import CorpusDeduplicator, Language, dedup_files
    from salitrap.settings import SimilaritySettings

    settings = SimilaritySettings()
    if threshold is not None:
        settings = settings.model_copy(update={"cjk_threshold": threshold, "alphabetic_threshold": threshold})
    try:
        report = dedup_files(files, to, field, CorpusDeduplicator(settings, Language(language)))
    except KeyboardInterrupt as error:
        raise Interrupted(f"stopped by {signal_of(error)}; nothing was written, start again") from error
    except OSError as error:
        raise _told(error, to) from error
    _tell(report, as_json)
    if report.bad:
        raise typer.Exit(ExitCode.FINDINGS)


def _tell(report: Report, as_json: bool) -> None:
    for fault in report.faults:
        err().print(f"warning: {fault}; left out", soft_wrap=True)
    if report.bad > len(report.faults):
        err().print(f"warning: {report.bad - len(report.faults)} more rows left out; see the list of drops")
    if as_json:
        print_json(asdict(report))
        return
    rows: list[list[object]] = [[what, f"{getattr(report, name):,}"] for name, what in LINES]
    out().print(table("Deduplication", [("", False), ("rows", True)], rows))
    for path in report.outputs:
        err().print(f"Wrote {path}", soft_wrap=True)


def _told(error: OSError, to: Path) -> DiskFull | InputError:
    why = error.strerror or str(error)
    if error.errno in FULL:
        return DiskFull(f"--out {to}: could not be written ({why}); free some space and repeat the command")
    return InputError(f"{error.filename or to}: {why}")
