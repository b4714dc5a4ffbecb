"""``salitrap verify``: is a dataset folder what its manifest says?"""

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
    "unlisted_file": "remove the file, or build the dataset again",
    "wrong_card": "undo the changes to the card, or build the dataset again",
}
"""What to do about a fault; about all others: ``AGAIN``."""


def verify(
    folder: Annotated[Path, typer.Argument(help="Dataset folder made by salitrap build.", metavar="DATASET")],
    as_json: AsJson = False,
) -> None:
    """Check files, checksums, columns, ids, families and card against the manifest; changes nothing."""
    from exports.dataset import verify_folder
    from exports.dataset.layout import MANIFEST

    if folder.is_dir() and not (folder / MANIFEST).is_file():
        raise InputError(
            f"{folder}: no dataset here ({MANIFEST} is missing); give a folder of salitrap build"
        )
    findings = verify_folder(folder)
    if as_json:
        print_json({"path": str(folder), "sound": not findings, "findings": [*map(_record, findings)]})
    else:
        _print(folder, findings)
    if findings:
        raise typer.Exit(ExitCode.FINDINGS)


def _record(finding: FolderFinding) -> dict[str, object]:
    return {**finding.model_dump(mode="json"), "repair": _repair(finding)}


def _print(folder: Path, findings: tuple[FolderFinding, ...]) -> None:
    for finding in findings:
        out().print(f"{finding.fault.value} {_message(folder, finding)}", soft_wrap=True)
        out().print(f"    {_repair(finding)}", soft_wrap=True)
    err().print(f"{folder}: {counted(len(findings), 'finding') if findings else 'sound'}", soft_wrap=True)


def _repair(finding: FolderFinding) -> str:
    return REPAIRS.get(finding.fault.value, AGAIN)


def _message(folder: Path, finding: FolderFinding) -> str:
    """The message without the advice that the next line gives, and with the folder before the file."""
    told = finding.message.partition("; ")[0]
    return told if told.startswith(str(folder)) else f"{folder}/{told}"
