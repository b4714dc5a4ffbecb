"""Calibrations for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checkers.calibration import Calibration, GoldReading, GoldUsed, JudgeIdentity, ModelName
from checkers.gold import GoldAnswer, shipped_gold
from checkers.judge import Reading
from exports.calibration import made_calibration
from salitrap.records import Label, LabelStatus, Language
from salitrap.settings import CalibrationSettings

GOLD = shipped_gold()


def identity(**changes: Any) -> JudgeIdentity:
    values: dict[str, Any] = {
        "name": "openai/judge",
        "models": (ModelName(name="openai/judge"),),
        "temperature": 0.1,
        "prompts": {"judge@1/en": "aa", "judge@1/zh": "bb"},
        **changes,
    }
    return JudgeIdentity.model_validate(values)


def right(gold: GoldAnswer) -> Label:
    return gold.label


def always_refusal(_gold: GoldAnswer) -> Label:
    return Label.REFUSAL


def calibration(say: Callable[[GoldAnswer], Label] = right, **changes: Any) -> Calibration:
    """A calibration on the shipped set of a judge that says what ``say`` does."""
    used = GoldUsed(
        name="shipped",
        sha256=changes.pop("sha256", GOLD.sha256),
        labelled_by=GOLD.labelled_by,
        half="all",
        languages=tuple(Language),
        answers=len(GOLD.answers),
        questions=GOLD.questions,
    )
    read = [GoldReading(gold, Reading(LabelStatus.OK, say(gold))) for gold in GOLD.answers]
    made = made_calibration(changes.pop("judge", identity()), used, read, CalibrationSettings())
    return made.model_copy(update={"date": "2026-01-01T00:00:00+00:00", **changes})
