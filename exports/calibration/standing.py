"""Whether a judge is calibrated, in a record and in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from checkers.calibration import Calibration, JudgeIdentity
from curation.directory import Layout, read_revisions
from exports.calibration.identity import identity_of_run
from exports.calibration.store import FILE, Kept, newest_of, read_calibrations
from exports.dataset.facts import JudgeStanding

Standing = JudgeStanding


def standing_of(
    judges: Sequence[JudgeIdentity], calibrations: Sequence[Kept], mend: str, source: str = ""
) -> Standing:
    """Where a judge stands; ``mend`` is the command that calibrates it, ``source`` names their file.

    Only a calibration with the same models, addresses, mode, temperature and instructions counts. One
    judge can have several identities, such as one for each language; all must be covered.
    """
    found = newest_of(calibrations, judges)
    if found is not None:
        return stated(found, mend)
    return uncalibrated(misfit(judges, calibrations, source), mend)


def misfit(judges: Sequence[JudgeIdentity], calibrations: Sequence[Kept], source: str = "") -> str:
    """Why none of ``calibrations`` counts for ``judges``; empty when there is nothing to say."""
    known = [one.judge for one in calibrations if one.role == "judge"]
    if calibrations and not known:
        return f"{source or 'what is given'} holds no calibration of a judge"
    names = {judge.name for judge in judges}
    models = {_model_names(judge) for judge in judges}
    others = [one for one in known if one.name in names]
    others = others or [one for one in known if _model_names(one) in models]
    owner = f"{source}'s" if source else "its"
    if others:
        return f"{owner} {_difference(judges, others[-1])}"
    measured = ", ".join(sorted({one.name for one in known}))
    return f"{source} is of another judge ({measured})" if source and measured else ""


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
    return standing_of([judge], read_calibrations(directory / FILE), mend, FILE)


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


def _model_names(judge: JudgeIdentity) -> tuple[str, ...]:
    """Names of the models, which the name in label rows gives with the mode."""
    return tuple(model.name for model in judge.models)


def _difference(judges: Sequence[JudgeIdentity], other: JudgeIdentity) -> str:
    """Why a calibration of a judge of the same models does not count."""
    wanted = next(judge for judge in judges if not other.covers(judge))
    if wanted.models != other.models:
        return "calibration is of another address"
    if wanted.mode != other.mode:
        return f"calibration is of mode {other.mode}, not {wanted.mode}"
    if wanted.panel != other.panel:
        return f"calibration is of panel {other.panel}, not {wanted.panel}"
    if wanted.temperature != other.temperature:
        return f"calibration is at temperature {other.temperature:g}, not {wanted.temperature:g}"
    missing = [name for name, sha256 in wanted.prompts.items() if other.prompts.get(name) != sha256]
    measured, asked = _languages(other.prompts), _languages(missing)
    if measured and not measured & asked:
        return f"calibration was measured in {_joined(measured)} only, not in {_joined(asked)}"
    return f"calibration is not with the instructions {', '.join(missing)}"


def _languages(prompts: Iterable[str]) -> set[str]:
    """Languages of instructions that are named ``id@version/language``."""
    return {name.rpartition("/")[2] for name in prompts}


def _joined(languages: set[str]) -> str:
    return ", ".join(sorted(languages))
