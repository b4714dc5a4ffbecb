"""Metrics of multi-turn trap dialogues, as pure functions over label rows (turn 1 and later)."""

from exports.analysis.common_records import Mean, Paired, Share
from exports.analysis.dialogue_records import (
    Alarms,
    Cell,
    CellTest,
    DialogueMetrics,
    DialogueRates,
    Flips,
    Pressure,
    RiskStep,
    Survival,
    TimelinePoint,
)
from exports.analysis.dialogues.metrics import dialogue_metrics, rates_of_plays
from exports.analysis.dialogues.play import Mark, Play, PlayKey, plays_of
from salitrap.dialogues import Standing, standing_of

__all__ = [
    "Alarms",
    "Cell",
    "CellTest",
    "DialogueMetrics",
    "DialogueRates",
    "Flips",
    "Mark",
    "Mean",
    "Paired",
    "Play",
    "PlayKey",
    "Pressure",
    "RiskStep",
    "Share",
    "Standing",
    "Survival",
    "TimelinePoint",
    "dialogue_metrics",
    "plays_of",
    "rates_of_plays",
    "standing_of",
]
