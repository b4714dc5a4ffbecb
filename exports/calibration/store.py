"""Calibrations on disk: a JSON list, in a run directory or wherever it was asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from checkers.calibration import Calibration, CheckerCalibration, JudgeIdentity
from exports.dataset.disk import disk_faults, write_file
from salitrap.errors import InputError

FILE = "calibration.json"
"""Name of the file in a run directory."""

Kept = Calibration | CheckerCalibration
_LIST: TypeAdapter[tuple[Kept, ...]] = TypeAdapter(
    tuple[Annotated[Calibration | CheckerCalibration, Field(discriminator="role")], ...]
)


def read_calibrations(path: Path, *, needed: bool = False) -> tuple[Kept, ...]:
    """Read a file of calibrations; one that is not there has none, unless it is ``needed``.

    Raises:
        InputError: it is no such file, or cannot be read.
    """
    if not path.exists() and not needed:
        return ()
    try:
        return _LIST.validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            f"{path}: {f'field {where}: ' if where else ''}{first['msg']}; "
            "give a file that salitrap calibrate wrote"
        ) from error


def add_calibration(path: Path, new: Kept) -> None:
    """Put ``new`` at the end; it takes the place of one of the same judge on the same gold answers.

    Raises:
        InputError: the file is something else, or cannot be written.
        DiskFull: there is no space left; the file is as before.
    """
    kept = [one for one in read_calibrations(path) if _about(one) != _about(new)]
    rows = [one.model_dump(mode="json") for one in (*kept, new)]
    text = json.dumps(rows, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    part = path.with_name(f"{path.name}.part")
    with disk_faults(path):
        write_file(part, text.encode("utf-8", "surrogatepass"))
        part.replace(path)


def newest_of(calibrations: Iterable[Kept], judges: Sequence[JudgeIdentity]) -> Calibration | None:
    """The newest calibration that counts for all ``judges``; of two of one second the later in the list.

    A trial that was refused for its size alone does not displace one that passed before it.
    """
    found = [
        one
        for one in calibrations
        if isinstance(one, Calibration) and all(one.judge.covers(judge) for judge in judges)
    ]
    ordered = sorted(found, key=lambda one: one.date)
    decided = [one for one in ordered if not only_too_small(one)]
    if decided and decided[-1].gate.passed:
        return decided[-1]
    return ordered[-1] if ordered else None


def only_too_small(one: Calibration) -> bool:
    """True for a trial that the gate refused for nothing but its number of answers."""
    return len(one.gate.reasons) == 1 and one.figures.overall.n < one.gate.min_answers


def _about(one: Kept) -> tuple[str, str, str]:
    return one.role, one.judge.model_dump_json(), one.gold.sha256
