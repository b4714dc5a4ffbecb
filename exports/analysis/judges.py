"""Who judged the rows of a group, how far that judge is calibrated, and TAR corrected for its errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from checkers.calibration import Calibration, JudgeIdentity, NotCorrectable, corrected_rate, corrected_shares
from exports.analysis.records import CalibrationUsed, CorrectedTar, LabelChoice, ModelMetrics, Rates
from exports.calibration.identity import without_folders
from exports.calibration.sidecar import JudgeRecord, read_sidecar
from exports.calibration.standing import Standing, standing_of, stated, uncalibrated
from exports.calibration.store import Kept, newest_of, read_calibrations
from salitrap.records import Label, LabelRow, LabelStatus
from salitrap.wilson import Z_95

MEND = "salitrap calibrate --judge JUDGE --out FILE, then --calibration FILE"
UNNAMED = "judge uncalibrated: the rows do not name it; give it in their field judge"
NOT_RECORDED = "; address, temperature and instructions of these rows' judge are not recorded"


@dataclass(frozen=True, slots=True)
class KnownJudges:
    """Judges as recorded beside files of rows, and the calibrations that are at hand."""

    records: tuple[JudgeRecord, ...]
    calibrations: tuple[Kept, ...]


def known_judges(files: Sequence[Path], calibration: Path | None) -> KnownJudges:
    """Read what lies beside ``files``, and the file ``calibration``.

    Raises:
        InputError: one of these files is something else.
    """
    found = tuple(record for file in files if (record := read_sidecar(file)) is not None)
    given = read_calibrations(calibration, needed=True) if calibration is not None else ()
    beside = tuple(record.calibration for record in found if record.calibration is not None)
    return KnownJudges(found, (*beside, *given))


def with_judge(
    metrics: ModelMetrics, rows: Sequence[LabelRow], labels: LabelChoice, known: KnownJudges | None
) -> ModelMetrics:
    """``metrics`` with the standing of the judge of ``rows``, and TAR corrected if it is calibrated."""
    judged = [row for row in rows if row.status is LabelStatus.OK]
    if known is None or not judged:
        return metrics
    standing, calibration = _standing(judged, known)
    corrected = None
    if calibration is not None and standing.calibrated and metrics.has_items:
        corrected = corrected_tar(metrics.overall, calibration, labels)
    used = _used(calibration, judged, known) if calibration is not None else None
    return metrics.model_copy(update={"judge": standing, "calibration": used, "corrected": corrected})


def corrected_tar(rates: Rates, calibration: Calibration, labels: LabelChoice) -> CorrectedTar:
    """TAR of ``rates`` corrected by what ``calibration`` found; nothing for labels with reasoning."""
    counts = np.asarray(calibration.figures.confusion.counts)[:, :-1]
    sensitivity, specificity = _pass_rates(counts, list(calibration.figures.confusion.classes))
    if labels is LabelChoice.FULL:
        return _none("the judge is calibrated on visible answers, these labels take the reasoning too")
    if rates.tar is None:
        return _none("no answer has a label")
    try:
        found = corrected_rate(rates.tar / 100, _standard_error(rates), sensitivity, specificity)
    except NotCorrectable as error:
        return _none(str(error))
    return CorrectedTar(
        tar=100 * found.value,
        tar_ci=(100 * found.low, 100 * found.high),
        clipped=found.clipped,
        sensitivity=100 * sensitivity[0] / sensitivity[1],
        specificity=100 * specificity[0] / specificity[1],
        shares=_shares(rates, counts),
        why_not="",
    )


def _standing(judged: Sequence[LabelRow], known: KnownJudges) -> tuple[Standing, Calibration | None]:
    names = {without_folders(row.judge) for row in judged}
    if "" in names:
        return Standing(calibrated=False, told=UNNAMED), None
    if len(names) > 1:
        return uncalibrated("several judges labelled these rows", MEND), None
    judges = _recorded(judged, known)
    if judges:
        return standing_of(judges, known.calibrations, MEND), newest_of(known.calibrations, judges)
    found = max(reversed(_fitting(judged, known)), key=lambda one: one.date, default=None)
    if found is None:
        return uncalibrated("", MEND), None
    standing = stated(found, MEND)
    return standing.model_copy(update={"told": standing.told + NOT_RECORDED}), found


def _recorded(judged: Sequence[LabelRow], known: KnownJudges) -> list[JudgeIdentity]:
    """The judges of this name that are recorded beside the rows."""
    name = without_folders(judged[0].judge)
    return [record.judge for record in known.records if record.judge.name == name]


def _fitting(judged: Sequence[LabelRow], known: KnownJudges) -> list[Calibration]:
    """Calibrations that could count: of the recorded judge, else of its name and instructions."""
    judges, name = _recorded(judged, known), without_folders(judged[0].judge)
    prompts = {row.judge_prompt for row in judged}
    made = [one for one in known.calibrations if isinstance(one, Calibration)]
    if judges:
        return [one for one in made if all(one.judge.covers(judge) for judge in judges)]
    return [one for one in made if one.judge.name == name and prompts <= set(one.judge.prompts)]


def _used(found: Calibration, judged: Sequence[LabelRow], known: KnownJudges) -> CalibrationUsed:
    different = {one.model_dump_json() for one in _fitting(judged, known)}
    return CalibrationUsed(
        judge=found.judge.name,
        mode=found.judge.mode,
        languages=found.gold.languages,
        gold=found.gold.name,
        gold_sha256=found.gold.sha256,
        half=found.gold.half,
        date=found.date,
        fitting=len(different),
    )


def _pass_rates(counts: NDArray[np.int64], classes: Sequence[str]) -> tuple[tuple[int, int], tuple[int, int]]:
    """(hits, trials) of Pass, and of everything else, among gold answers that got a label."""
    place = classes.index(Label.PASS.value)
    others = np.delete(counts, place, axis=0)
    missed = int(others[:, place].sum())
    trials = int(others.sum())
    return (int(counts[place, place]), int(counts[place].sum())), (trials - missed, trials)


def _standard_error(rates: Rates) -> float:
    """Of TAR, as a fraction: from the wider of its two intervals."""
    spans = [span for span in (rates.tar_ci, rates.tar_cluster_ci) if span is not None]
    return max((high - low for low, high in spans), default=100.0) / 200 / Z_95


def _shares(rates: Rates, counts: NDArray[np.int64]) -> dict[Label, float] | None:
    observed = [rates.counts[label] for label in Label]
    try:
        shares, _ = corrected_shares(observed, counts.tolist())
    except NotCorrectable:
        return None
    return {label: 100 * share for label, share in zip(Label, shares, strict=True)}


def _none(why: str) -> CorrectedTar:
    return CorrectedTar(
        tar=None, tar_ci=None, clipped=False, sensitivity=None, specificity=None, shares=None, why_not=why
    )
