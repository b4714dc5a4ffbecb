"""Whether the judge of a run, or of label rows, is calibrated, in the closing lines of a command."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from salitrap.cli.console import out

if TYPE_CHECKING:
    from exports.calibration import Standing
    from exports.calibration.store import Kept
    from exports.evaluation import Target
    from salitrap.records import Language
    from salitrap.settings import Settings


def standing_of_run(directory: Path) -> Standing | None:
    """Where the judge of a run stands; None when the run has no judge."""
    from curation.directory import Layout, read_revisions
    from exports.calibration import standing_of_run as standing
    from salitrap.records import Role

    if Role.JUDGE not in read_revisions(Layout(directory))[-1].settings.roles:
        return None
    return standing(directory, mend_of_run(directory))


def standing_under(settings: Settings, directory: Path) -> Standing | None:
    """Where the judge of ``settings`` stands by the calibrations of a run; None without a judge."""
    from exports.calibration import identity_of, read_calibrations, standing_of
    from exports.calibration.store import FILE
    from salitrap.records import Role

    if Role.JUDGE not in settings.roles:
        return None
    judge = identity_of(settings, settings.languages)
    return standing_of([judge], read_calibrations(directory / FILE), mend_of_run(directory), FILE)


def print_standing(found: Standing | None) -> None:
    """One line, on stdout."""
    if found is not None:
        out().print(f"{found.told[:1].upper()}{found.told[1:]}.", soft_wrap=True)


@dataclass(frozen=True, slots=True)
class Given:
    """The calibrations of a file, and its name; both empty without one."""

    kept: tuple[Kept, ...] = ()
    file: str = ""


def known_calibrations(given: Path | None) -> Given:
    """The calibrations in a file; none without one.

    Raises:
        InputError: it is missing, or no file of calibrations.
    """
    from exports.calibration import read_calibrations

    return Given(read_calibrations(given, needed=True), given.name) if given is not None else Given()


def record_judge(settings: Settings, languages: set[Language], target: Target, known: Given) -> Standing:
    """Write who judged beside the label rows; where that judge stands by the calibrations ``known``."""
    from exports.calibration import JudgeRecord, identity_of, standing_of, write_sidecar
    from exports.calibration.standing import misfit
    from exports.calibration.store import newest_of

    judge = identity_of(settings, languages)
    found = newest_of(known.kept, [judge])
    why = "" if found is not None else misfit([judge], known.kept, known.file)
    write_sidecar(target.out, JudgeRecord(judge=judge, calibration=found, why_none=why))
    return standing_of([judge], known.kept, mend_for(target.out), known.file)


def mend_of_run(directory: Path) -> str:
    """The command that calibrates the judge of a run."""
    return f"salitrap calibrate --run {shlex.quote(str(directory))}"


def mend_for(rows: Path) -> str:
    """The commands that calibrate the judge of a file of label rows."""
    file = shlex.quote(str(rows.with_name("calibration.json")))
    return f"salitrap calibrate --judge JUDGE --out {file}, then give --calibration {file}"
