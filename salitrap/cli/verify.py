"""``salitrap verify``: is a dataset folder what its manifest says, a run what its events say?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.options import AsJson
from salitrap.errors import ExitCode, InputError

if TYPE_CHECKING:
    from exports.dataset import FolderFinding

AGAIN = "fetch the dataset again, or build it again from its run"
REPAIRS = {
    "bad_path": "do not use this dataset",
    "moved_tag": "do not use this tag; fetch by commit what you need, and tell the authors",
    "unlisted_file": "remove the file, or build the dataset again",
    "wrong_card": "undo the changes to the card, or build the dataset again",
}
"""What to do about a fault; about all others: ``AGAIN``."""


def verify(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Dataset folder of salitrap build, release on the Hub (ORG/NAME@v1.0.0), or run directory.",
            metavar="DATASET|RUN",
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Check a dataset or a release against its manifest, a run against its events; changes nothing."""
    from curation.directory import Layout
    from exports.dataset.layout import MANIFEST
    from exports.hub.address import is_address

    if is_address(str(folder)) and not folder.exists():
        _verify_release(str(folder), as_json)
        return
    if Layout(folder).run_file.is_file():
        _verify_run(folder, as_json)
    elif folder.is_dir() and not (folder / MANIFEST).is_file():
        raise InputError(
            f"{folder}: no dataset here ({MANIFEST} is missing) and no run (run.yaml is missing); give a "
            "folder of salitrap build or salitrap run"
        )
    else:
        _verify_dataset(folder, as_json)


def _verify_run(folder: Path, as_json: bool) -> None:
    from curation.integrity import verify_run
    from curation.integrity.findings import REPAIRS as OF_RUNS

    def tell(step: str) -> None:
        if err().is_terminal and not as_json:
            err().print(f"checking {step} ...")

    findings = verify_run(folder, tell)
    if as_json:
        told = [{**one.model_dump(mode="json"), "repair": OF_RUNS[one.fault]} for one in findings]
        print_json({"path": str(folder), "sound": not findings, "findings": told})
    else:
        for one in findings:
            out().print(f"{one.fault.value} {folder}/{one.path}: {one.message}", soft_wrap=True)
            out().print(f"    {OF_RUNS[one.fault]}", soft_wrap=True)
        _sum_up(folder, len(findings))
    if findings:
        raise typer.Exit(ExitCode.FINDINGS)


def _verify_dataset(folder: Path, as_json: bool) -> None:
    from exports.dataset import verify_folder

    findings = verify_folder(folder)
    if as_json:
        print_json({"path": str(folder), "sound": not findings, "findings": [*map(_record, findings)]})
    else:
        _print(folder, findings)
    if findings:
        raise typer.Exit(ExitCode.FINDINGS)


def _verify_release(release: str, as_json: bool) -> None:
    from exports.hub import parse_address, verify_release

    check = verify_release(parse_address(release))
    sound = not check.findings
    if as_json:
        told = check.model_dump(mode="json", exclude={"findings"})
        print_json({**told, "sound": sound, "findings": [*map(_record, check.findings)]})
    else:
        out().print(f"{release}: version {check.version}, commit {check.sha}", soft_wrap=True)
        _print(Path(release), check.findings)
    if not sound:
        raise typer.Exit(ExitCode.FINDINGS)


def _record(finding: FolderFinding) -> dict[str, object]:
    return {**finding.model_dump(mode="json"), "repair": _repair(finding)}


def _print(folder: Path, findings: tuple[FolderFinding, ...]) -> None:
    for finding in findings:
        out().print(f"{finding.fault.value} {_message(folder, finding)}", soft_wrap=True)
        out().print(f"    {_repair(finding)}", soft_wrap=True)
    _sum_up(folder, len(findings))


def _sum_up(folder: Path, count: int) -> None:
    err().print(f"{folder}: {counted(count, 'finding') if count else 'sound'}", soft_wrap=True)


def _repair(finding: FolderFinding) -> str:
    return REPAIRS.get(finding.fault.value, AGAIN)


def _message(folder: Path, finding: FolderFinding) -> str:
    """The message without the advice that the next line gives, and with the folder before the file."""
    told = finding.message.partition("; ")[0]
    return told if told.startswith(str(folder)) else f"{folder}/{told}"
