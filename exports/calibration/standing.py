"""Whether a judge is calibrated, in a record and in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from checkers.calibration import Calibration, JudgeIdentity
from curation.directory import Layout, read_revisions
from exports.calibration.identity import identity_of_run
from exports.calibration.store import FILE, Kept, newest_of, read_calibrations
from exports.dataset.facts import JudgeStanding

Standing = JudgeStanding


def standing_of(judges: Sequence[JudgeIdentity], calibrations: Sequence[Kept], mend: str) -> Standing:
    """Where a judge stands; ``mend`` is the command that calibrates it.

    Only a calibration with the same models, addresses, mode, temperature and instructions counts. One
    judge can have several identities, such as one for each language; all must be covered.
    """
    found = newest_of(calibrations, judges)
    if found is not None:
        return stated(found, mend)
    names = {judge.name for judge in judges}
    others = [one for one in calibrations if one.role == "judge" and one.judge.name in names]
    return uncalibrated(_difference(judges, others[-1].judge) if others else "", mend)


def uncalibrated(why: str, mend: str) -> Standing:
    """Where a judge without a calibration stands."""
    told = f"judge uncalibrated{f': {why}' if why else ''}; to calibrate it: {mend}"
    return Standing(calibrated=False, told=told)


def stated(found: Calibration, mend: str) -> Standing:
    """Where a judge with a calibration stands."""
    kappa, gold = found.figures.overall.kappa, found.gold
    figures = _figures(found)
    if found.gate.passed:
        told = f"judge calibrated: {figures}"
    else:
        told = (
            f"judge uncalibrated: the gate refused it ({'; '.join(found.gate.reasons)}): {figures}; "
            f"choose another judge, or improve its instructions and repeat {mend}"
        )
    return Standing(
        calibrated=found.gate.passed,
        told=told,
        kappa=kappa.value,
        kappa_low=kappa.low,
        kappa_high=kappa.high,
        gold=gold.name,
        gold_sha256=gold.sha256,
        labelled_by=gold.labelled_by,
        answers=gold.answers,
        date=found.date,
        simulated=found.simulated,
    )


def standing_of_run(directory: Path, mend: str) -> Standing:
    """Where the judge of a run stands, by the run's last revision and its ``calibration.json``.

    Raises:
        RunDirectoryError: no run here.
        InputError: ``calibration.json`` is something else.
    """
    revision = read_revisions(Layout(directory))[-1]
    judge = identity_of_run(revision, revision.settings.languages)
    return standing_of([judge], read_calibrations(directory / FILE), mend)


def _figures(found: Calibration) -> str:
    overall, gold = found.figures.overall, found.gold
    half = "" if gold.half == "all" else f", {gold.half} half"
    simulated = "; simulated" if found.simulated else ""
    return (
        f"kappa {_number(overall.kappa.value)} [{_number(overall.kappa.low)}, {_number(overall.kappa.high)}] "
        f"on {overall.n} answers, gold {gold.name}{half}, labelled by {', '.join(gold.labelled_by)}, "
        f"{found.date[:10]}{simulated}"
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _difference(judges: Sequence[JudgeIdentity], other: JudgeIdentity) -> str:
    """Why a calibration of a judge of the same name does not count."""
    wanted = next(judge for judge in judges if not other.covers(judge))
    if wanted.models != other.models:
        return "its calibration is of another address"
    if wanted.mode != other.mode:
        return f"its calibration is of mode {other.mode}, not {wanted.mode}"
    if wanted.panel != other.panel:
        return f"its calibration is of panel {other.panel}, not {wanted.panel}"
    if wanted.temperature != other.temperature:
        return f"its calibration is at temperature {other.temperature:g}, not {wanted.temperature:g}"
    missing = [name for name, sha256 in wanted.prompts.items() if other.prompts.get(name) != sha256]
    return f"its calibration is not with the instructions {', '.join(missing)}"
