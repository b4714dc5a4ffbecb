"""The gate: may this judge be used for a published number?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from checkers.calibration.records import Agreement, CheckerFigures, Figures, GateOutcome
from salitrap.records.enums import Language
from salitrap.settings.calibration import CalibrationSettings

MOST_DIGITS = 17
TOLERATED_ERRORS = 0.01
"""Share of failed calls above which nothing is decided."""


def judge_gate(figures: Figures, wanted: CalibrationSettings, languages: Sequence[Language]) -> GateOutcome:
    """Passed when kappa is shown to reach the floor.

    The lower end of its 95 % interval must reach ``floor`` over all ``languages`` together, its value must
    in each of them, at least ``min_answers`` answers must have been read, and at most 1 % of the calls may
    have failed.
    """
    reasons = tuple(_reasons(figures, wanted, languages))
    return GateOutcome(
        passed=not reasons, floor=wanted.floor, min_answers=wanted.min_answers, reasons=reasons
    )


def checker_gate(figures: Mapping[str, CheckerFigures], wanted: CalibrationSettings) -> GateOutcome:
    """Passed when kappa of each checker reaches the floor; its interval is wide on few candidates."""
    reasons = [
        f"kappa of {name} is {fault}, the floor is {wanted.floor:g}"
        for name, found in figures.items()
        if (fault := _below(found.agreement, wanted.floor))
    ]
    reasons += [
        f"{name}: {found.errors} candidates got no usable reply"
        for name, found in figures.items()
        if found.errors > TOLERATED_ERRORS * (found.agreement.n + found.errors)
    ]
    return GateOutcome(passed=not reasons, floor=wanted.floor, min_answers=0, reasons=tuple(reasons))


def _reasons(figures: Figures, wanted: CalibrationSettings, languages: Sequence[Language]) -> Iterator[str]:
    overall, floor = figures.overall, wanted.floor
    if overall.n < wanted.min_answers:
        yield f"{overall.n} labelled answers were read, {wanted.min_answers} are needed"
    if figures.errors > TOLERATED_ERRORS * (overall.n + figures.errors):
        yield f"{figures.errors} of {overall.n + figures.errors} answers got no usable reply"
    low = overall.kappa.low
    if low is None:
        yield "kappa has no interval: too few questions, or one label throughout"
    elif low < floor:
        yield f"the lower end of kappa's interval is {shown(low, floor)}, below the floor {floor:g}"
    for language in languages:
        if fault := _below(figures.languages.get(language), floor):
            yield f"kappa in {language.value} is {fault}, the floor is {floor:g}"


def _below(found: Agreement | None, floor: float) -> str:
    value = found.kappa.value if found else None
    if value is None:
        return "not known"
    return shown(value, floor) if value < floor else ""


def shown(value: float, floor: float) -> str:
    """A ``value`` below ``floor`` with two digits, or as many as it takes to look smaller."""
    texts = (f"{value:.{digits}f}" for digits in range(2, MOST_DIGITS))
    return next((text for text in texts if float(text) < floor), repr(value))
