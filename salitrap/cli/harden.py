"""``salitrap harden``: the next version of a release, against another pool of solvers."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.build import print_built
from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.datasets import DATASET_HELP, dataset_folder
from salitrap.cli.hardening_report import print_report
from salitrap.cli.options import AsJson, Config, Yes
from salitrap.cli.tables import spend_line

if TYPE_CHECKING:
    from exports.hardening import HardeningReport
    from exports.hardening.from_run import HardeningRun
    from exports.hardening.source import SourceRelease
    from salitrap.providers.money.spend import Spend

RUN_HELP = "Run directory of the hardening; resumes what is there."
FROM_HELP = "Run that made the release, where it is at hand: scenario, hints and niche of its seeds are used."


def harden(
    dataset: Annotated[Path, typer.Argument(help=DATASET_HELP, metavar="DATASET")],
    config: Config,
    run: Annotated[Path, typer.Option("--run", help=RUN_HELP, metavar="DIR")],
    to: Annotated[Path, typer.Option("--out", help="Dataset folder to write.", metavar="DS")],
    date: Annotated[
        str | None, typer.Option(help="Day of the next version; by default that of the last change.")
    ] = None,
    from_run: Annotated[Path | None, typer.Option(help=FROM_HELP, metavar="DIR")] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Certify a release again, retire what is solved, refine and replace it: the next version."""
    from curation.hardening import release_of
    from exports.dataset.release import checked_date
    from exports.hardening import read_release
    from exports.hardening.from_run import read_hardening
    from salitrap.cli.hardening import execute_hardening
    from salitrap.settings import load_settings

    if date is not None:
        checked_date(date)
    source = read_release(dataset_folder(dataset))
    release = release_of(source.items, source.retired, from_run)
    again = _again(dataset, config, run, to, date, from_run, yes)
    spend = execute_hardening(load_settings(config), run, release, yes=yes, again=again)
    _tell(source, read_hardening(run, release), spend, to, date, as_json=as_json)


def _tell(
    source: SourceRelease, done: HardeningRun, spend: Spend, to: Path, date: str | None, *, as_json: bool
) -> None:
    """Build the version, where there is one, and say what it came to."""
    from exports.hardening.from_run import build_next, report_without_version

    hardened = build_next(source, done, out=to, date=date) if done.hardened.changed else None
    report = report_without_version(source, done) if hardened is None else hardened.report
    if as_json:
        built = None if hardened is None else hardened.built
        told = None if built is None else {**built.model_dump(mode="json"), "path": str(built.path)}
        spent = spend.model_dump(mode="json")
        print_json({"built": told, "report": report.model_dump(mode="json"), "spend": spent})
        return
    print_report(report)
    if hardened is not None:
        print_built(hardened.built)
    else:
        out().print(f"Version {report.since} stands: nothing was solved. No dataset was written.")
    out().print(spend_line(spend), soft_wrap=True)
    _tell_unjudged(report)


def _tell_unjudged(report: HardeningReport) -> None:
    unjudged = sum(one.standing == "unjudged" for one in report.items)
    if unjudged:
        told = "could not be judged and kept; the same command, with another --out, tries again"
        err().print(f"note: {counted(unjudged, 'item')} {told}", soft_wrap=True)


def _again(
    dataset: Path, config: Path, run: Path, to: Path, date: str | None, from_run: Path | None, yes: bool
) -> str:
    given = ["salitrap", "harden", str(dataset), "-c", str(config), "--run", str(run), "--out", str(to)]
    given += ["--date", date] if date is not None else []
    given += ["--from-run", str(from_run)] if from_run is not None else []
    return shlex.join([*given, *(["--yes"] if yes else [])])
