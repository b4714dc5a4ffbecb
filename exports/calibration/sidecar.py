"""``FILE.judge.json`` beside label rows: who judged them, and how far that judge is calibrated."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from checkers.calibration import Calibration, JudgeIdentity
from exports.dataset.disk import disk_faults, write_file
from salitrap.errors import InputError
from salitrap.records.base import Record

SUFFIX = ".judge.json"


class JudgeRecord(Record):
    """The judge of a file of label rows, and its newest calibration if one was known.

    ``why_none`` says why a file of calibrations that was given has none that counts.
    """

    judge: JudgeIdentity
    calibration: Calibration | None = None
    why_none: str = ""


def sidecar_of(rows: Path) -> Path:
    """Where the record of a file of label rows lies."""
    return rows.with_name(rows.name + SUFFIX)


def write_sidecar(rows: Path, record: JudgeRecord) -> None:
    """Write the record beside ``rows``.

    Raises:
        InputError: the place cannot be written.
        DiskFull: there is no space left.
    """
    path = sidecar_of(rows)
    part = path.with_name(f"{path.name}.part")
    with disk_faults(path):
        write_file(part, (record.model_dump_json(indent=1) + "\n").encode("utf-8", "surrogatepass"))
        part.replace(path)


def read_sidecar(rows: Path) -> JudgeRecord | None:
    """The record beside ``rows``, None when there is none.

    Raises:
        InputError: the file there is something else.
    """
    path = sidecar_of(rows)
    if not path.is_file():
        return None
    try:
        return JudgeRecord.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(
            f"{path}: not what salitrap eval or judge wrote; move it away, or label again"
        ) from error
