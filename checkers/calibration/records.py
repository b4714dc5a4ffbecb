"""What a calibration is on disk. Shares and kappas are fractions, unrounded; None where undefined."""

from __future__ import annotations

from typing import Literal

from checkers.gold.reviewers import ReviewerAgreement
from salitrap.records.base import Record
from salitrap.records.enums import Fault, Label, LabelStatus, Language


class Share(Record):
    """``hits`` of ``n`` with their 95 % Wilson interval; ``value`` is None when n is 0."""

    hits: int
    n: int
    value: float | None
    low: float
    high: float


class Kappa(Record):
    """Cohen's kappa with a 95 % interval: percentile bootstrap over whole questions.

    ``value`` is None where chance alone explains all (one label throughout), the bounds also below two
    questions.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


class Confusion(Record):
    """Counts of gold classes (rows) by what was said (columns); the last column is "no label"."""

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


class Agreement(Record):
    """Agreement on ``n`` answers to ``questions`` questions.

    An answer without a label from the judge (``no_label`` of them) counts as a disagreement, in the
    accuracy and in kappa.
    """

    n: int
    questions: int
    no_label: int
    accuracy: Share
    kappa: Kappa


class ClassFigures(Record):
    """One label: how many of its answers were found, and how many of those so called have it."""

    label: Label
    sensitivity: Share
    precision: Share


class FieldAgreement(Record):
    """Agreement on one field of the evidence, over answers where both sides state it."""

    agree: Share
    kappa: Kappa


class Disagreement(Record):
    """An answer that the judge labels otherwise than people, or not at all."""

    answer_id: str
    gold: Label
    said: Label | None
    status: LabelStatus
    reason: str


class Figures(Record):
    """Everything measured. ``errors`` are answers whose calls failed: they are in no other figure."""

    confusion: Confusion
    overall: Agreement
    languages: dict[Language, Agreement]
    dimensions: dict[str, Agreement]
    groups: dict[str, Agreement]
    classes: tuple[ClassFigures, ...]
    kinds: dict[str, Share]
    evidence: dict[str, FieldAgreement]
    errors: int
    disagreements: tuple[Disagreement, ...]


class GateOutcome(Record):
    """Whether a judge may be used for a published number, and why not."""

    passed: bool
    floor: float
    min_answers: int
    reasons: tuple[str, ...]


class ModelName(Record):
    """A model as rows and reports name it; ``endpoint_id`` is a hash of its address, empty without one."""

    name: str
    endpoint_id: str = ""


class JudgeIdentity(Record):
    """What makes a judge this judge; ``prompts`` has the SHA-256 of each ``id@version/language``.

    ``mode`` and ``panel`` are those of the settings' section ``judging``; label rows call it ``name``.
    """

    name: str
    models: tuple[ModelName, ...]
    mode: str = "evidence"
    panel: str = "first"
    temperature: float
    prompts: dict[str, str]

    def covers(self, other: JudgeIdentity) -> bool:
        """True when ``other`` is this judge, in languages that this one was asked in."""
        compared = ("models", "mode", "panel", "temperature")
        alike = all(getattr(self, name) == getattr(other, name) for name in compared)
        return alike and other.prompts.items() <= self.prompts.items()


class GoldUsed(Record):
    """Which labelled answers were used; ``sha256`` covers them and their labels.

    ``half`` is ``train``, ``held`` or ``all``. ``ties`` were left out.
    """

    name: str
    sha256: str
    labelled_by: tuple[str, ...]
    half: str
    languages: tuple[Language, ...]
    answers: int
    questions: int
    ties: tuple[str, ...] = ()
    reviewers: ReviewerAgreement | None = None


class CheckerFigures(Record):
    """One checker: pass or fail beside people's verdicts.

    ``faults`` is, for each fault, the share of its candidates to which the checker gave that very fault.
    Naturalness has none: it passes from ``threshold`` on, ``rank_correlation`` is Spearman's, of the means,
    and ``mean_difference`` is the checker's mean less people's. A verdict of ``could_not_judge`` counts as a
    disagreement; ``errors`` are candidates whose calls failed: they are in no other figure.
    """

    agreement: Agreement
    languages: dict[Language, Agreement]
    faults: dict[Fault, Share]
    errors: int
    threshold: float | None = None
    rank_correlation: float | None = None
    mean_difference: float | None = None


class CheckerCalibration(Record):
    """One measurement of the checkers of one model; ``judge`` is the model that checks."""

    role: Literal["checker"] = "checker"
    judge: JudgeIdentity
    returned_models: tuple[str, ...]
    gold: GoldUsed
    checkers: dict[str, CheckerFigures]
    gate: GateOutcome
    date: str
    version: str
    simulated: bool


class Calibration(Record):
    """One measurement of one judge; ``date`` is UTC, ``version`` the toolkit's."""

    role: Literal["judge"] = "judge"
    judge: JudgeIdentity
    returned_models: tuple[str, ...]
    gold: GoldUsed
    figures: Figures
    gate: GateOutcome
    date: str
    version: str
    simulated: bool
