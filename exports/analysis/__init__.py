"""From label rows to metrics: read files of labelled answers, and compute rates with their intervals."""

from exports.analysis.analysis import analyze
from exports.analysis.dialogue_records import DialogueMetrics, DialogueRates
from exports.analysis.judges import KnownJudges, known_judges
from exports.analysis.metrics import group_metrics, rates_of
from exports.analysis.read_rows import read_rows
from exports.analysis.records import (
    Analysis,
    Bounds,
    CalibrationUsed,
    CorrectedTar,
    FileRead,
    LabelChoice,
    LabelRows,
    Method,
    ModelMetrics,
    Rates,
)
from exports.analysis.studies import Facts, ItemFacts, facts_of, studies_of
from exports.analysis.write import FILES, write_analysis

__all__ = [
    "FILES",
    "Analysis",
    "Bounds",
    "CalibrationUsed",
    "CorrectedTar",
    "DialogueMetrics",
    "DialogueRates",
    "Facts",
    "FileRead",
    "ItemFacts",
    "KnownJudges",
    "LabelChoice",
    "LabelRows",
    "Method",
    "ModelMetrics",
    "Rates",
    "analyze",
    "facts_of",
    "group_metrics",
    "known_judges",
    "rates_of",
    "read_rows",
    "studies_of",
    "write_analysis",
]
