"""Counts of what became of the answers."""

from __future__ import annotations

from collections import Counter

from curation.stage import Reporter
from salitrap.records.enums import Stage
from salitrap.records.label_row import LabelRow

LONGEST_REASON = 160


class Tally:
    """Counts of what became of the answers, for progress and the closing line."""

    def __init__(self, reporter: Reporter, stage: Stage, total: int) -> None:
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self._reporter, self._stage = reporter, stage
        reporter.stage_started(stage, total)

    def add(self, row: LabelRow) -> None:
        """Count a row by its label, or by its status and the reason when it has none; tell of it."""
        self.count(row)
        self.told(self.counts.total())

    def count(self, row: LabelRow) -> None:
        """Count a row and tell nobody yet."""
        self.counts[row.label.value if row.label else row.status.value] += 1
        if row.label is None and (reason := row.detail or row.reason):
            self.reasons[reason[:LONGEST_REASON]] += 1

    def told(self, done: int) -> None:
        """Tell that ``done`` of the total are through."""
        self._reporter.advanced(self._stage, done, self.counts)
