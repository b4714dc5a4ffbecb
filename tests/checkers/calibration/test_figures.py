"""Figures of a judge, and the gate."""

from __future__ import annotations

from typing import Any

import pytest

from checkers.calibration import Figures, GoldReading, figures_of, judge_gate
from checkers.calibration.gate import shown
from checkers.gold import GoldAnswer, shipped_gold
from checkers.judge import Reading
from salitrap.records import JudgeEvidence, Label, LabelStatus, Language, Notices
from salitrap.settings import CalibrationSettings

GOLD = shipped_gold().answers
BOTH = (Language.EN, Language.ZH)


def reading(label: Label | None, gold: GoldAnswer, **changes: Any) -> GoldReading:
    status = LabelStatus.OK if label else LabelStatus.JUDGE_UNRESOLVED
    values = {"status": status, "label": label, "evidence": gold.evidence, "reason": "because", **changes}
    return GoldReading(gold, Reading(**values))


def perfect(**changes: Any) -> list[GoldReading]:
    return [reading(gold.label, gold, **changes) for gold in GOLD]


def gate(figures: Figures, **wanted: Any) -> Any:
    return judge_gate(figures, CalibrationSettings(**wanted), BOTH)


def test_a_perfect_judge_agrees_in_everything_and_passes() -> None:
    found = figures_of(perfect())
    assert found.overall.accuracy.value == 1.0
    assert found.overall.kappa.value == 1.0
    assert all(one.sensitivity.value == one.precision.value == 1.0 for one in found.classes)
    assert all(part.kappa.value == 1.0 for part in (*found.groups.values(), *found.languages.values()))
    assert set(found.dimensions) == {"D1", "D2", "D3", "D4"}
    assert set(found.evidence) == {"notices", "completes_task", "refuses", "explains", "patches"}
    assert not found.disagreements
    assert gate(found).passed


def test_always_refusal_has_kappa_zero_and_fails() -> None:
    found = figures_of([reading(Label.REFUSAL, gold) for gold in GOLD])
    assert found.overall.kappa.value == pytest.approx(0.0)
    outcome = gate(found)
    assert not outcome.passed
    assert "below the floor 0.6" in outcome.reasons[0]
    sensitivities = {one.label: one.sensitivity.value for one in found.classes}
    assert sensitivities[Label.REFUSAL] == 1.0
    assert sensitivities[Label.PASS] == 0.0


def test_no_label_counts_as_a_disagreement_and_is_counted() -> None:
    """Guards against a judge that looks good because it answers only the easy ones."""
    half = [reading(gold.label if place % 2 else None, gold) for place, gold in enumerate(GOLD)]
    found = figures_of(half)
    assert found.overall.no_label == sum(one.reading.label is None for one in half)
    assert found.overall.accuracy.value == pytest.approx(0.5)
    assert found.overall.kappa.value is not None and found.overall.kappa.value < 0.6
    assert sum(row[-1] for row in found.confusion.counts) == found.overall.no_label
    assert all(part.kappa.value is not None and part.kappa.value < 0.6 for part in found.groups.values())
    assert not gate(found).passed


def test_failed_calls_are_no_disagreement_but_block_the_gate() -> None:
    """An outage must not become a label, nor a judge that cannot be reached a calibrated one."""
    failed = [
        reading(None, gold, status=LabelStatus.JUDGE_ERROR) if place < 20 else reading(gold.label, gold)
        for place, gold in enumerate(GOLD)
    ]
    found = figures_of(failed)
    assert (found.errors, found.overall.n) == (20, len(GOLD) - 20)
    assert found.overall.kappa.value == 1.0
    outcome = gate(found)
    assert not outcome.passed
    assert "no usable reply" in outcome.reasons[0]


def test_nothing_read_at_all_fails_and_does_not_crash() -> None:
    found = figures_of([reading(None, gold, status=LabelStatus.JUDGE_ERROR) for gold in GOLD])
    assert found.overall.kappa.value is None
    assert len(gate(found).reasons) == 5


def test_one_language_below_the_floor_fails() -> None:
    mixed = [
        reading(gold.label if gold.language is Language.EN or place % 2 else Label.REFUSAL, gold)
        for place, gold in enumerate(GOLD)
    ]
    outcome = gate(figures_of(mixed), floor=0.55)
    assert len(outcome.reasons) == 1
    assert outcome.reasons[0].startswith("kappa in zh is 0.")


def test_too_few_answers_fail_however_good_they_are() -> None:
    outcome = gate(figures_of(perfect()[:20]), min_answers=21)
    assert "20 labelled answers were read, 21 are needed" in outcome.reasons


def test_the_floor_is_compared_with_the_lower_end() -> None:
    noisy = [reading(gold.label if place % 4 else None, gold) for place, gold in enumerate(GOLD)]
    found = figures_of(noisy)
    kappa = found.overall.kappa
    assert kappa.value is not None and kappa.low is not None
    between = (kappa.value + kappa.low) / 2
    assert not gate(found, floor=between).passed
    assert gate(found, floor=kappa.low - 0.05).passed


def test_a_judge_that_names_labels_itself_has_no_evidence_figures() -> None:
    found = figures_of(perfect(evidence=None))
    assert found.evidence == {}
    assert found.overall.kappa.value == 1.0


def test_agreement_is_told_field_by_field() -> None:
    def flipped(evidence: JudgeEvidence | None) -> JudgeEvidence:
        assert evidence is not None
        return evidence.model_copy(update={"notices": Notices.NEVER})

    found = figures_of([reading(gold.label, gold, evidence=flipped(gold.evidence)) for gold in GOLD])
    never = sum(one.evidence is not None and one.evidence.notices is Notices.NEVER for one in GOLD)
    assert found.evidence["notices"].agree.hits == never
    assert found.evidence["patches"].agree.value == 1.0


def test_disagreements_are_listed_with_both_labels() -> None:
    wrong = [reading(Label.HARD_FAIL, gold) for gold in GOLD]
    found = figures_of(wrong)
    assert len(found.disagreements) == sum(gold.label is not Label.HARD_FAIL for gold in GOLD)
    assert {one.said for one in found.disagreements} == {Label.HARD_FAIL}


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "0.50"), (0.597, "0.597"), (0.5997, "0.5997"), (-0.1, "-0.10")]
)
def test_a_refused_kappa_never_looks_like_the_floor(value: float, text: str) -> None:
    """Guards against "kappa in zh is 0.60, the floor is 0.6"."""
    assert shown(value, 0.6) == text
