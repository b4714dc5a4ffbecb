"""The whole analysis of a set of label rows."""

from __future__ import annotations

from collections.abc import Sequence

from exports.analysis.dialogues import dialogue_metrics
from exports.analysis.judges import KnownJudges, with_judge
from exports.analysis.metrics import group_metrics
from exports.analysis.notices import notices_of
from exports.analysis.records import Analysis, LabelChoice, LabelRows, Method, ModelMetrics
from exports.analysis.studies import Facts, studies_of
from salitrap import __version__
from salitrap.records import CONTROL, LabelRow


def analyze(
    read: LabelRows,
    labels: LabelChoice = LabelChoice.VISIBLE,
    judges: KnownJudges | None = None,
    within: int = 0,
    facts: Facts | None = None,
) -> Analysis:
    """Return metrics per arm and model; the order of rows and files does not matter.

    Turns of dialogues have metrics of their own and count in no other; ``within`` is how many turns after t*
    a flag may take.
    ``judges`` tell who judged and how far they are calibrated; without them nothing is said about it.
    ``facts`` are what the dataset says of the items (``facts_of``).
    Nothing is raised for rows without a label: rates that cannot be computed are None, and
    ``Analysis.scored`` is 0 when there is none at all.
    """
    groups: dict[tuple[str, str], list[LabelRow]] = {}
    for row in read.rows:
        groups.setdefault((row.arm, row.model), []).append(row)
    arms: dict[str, dict[str, ModelMetrics]] = {}
    for arm, model in sorted(groups):
        metrics = _metrics(groups[arm, model], labels, within)
        arms.setdefault(arm, {})[model] = with_judge(metrics, _judged(groups[arm, model]), labels, judges)
    return Analysis(
        models=arms.pop(CONTROL, {}),
        arms=arms,
        notices=(*read.notices, *notices_of(groups, labels)),
        files=read.files,
        method=Method(labels=labels),
        studies=studies_of(read.rows, labels, facts),
        version=__version__,
    )


def _judged(rows: Sequence[LabelRow]) -> Sequence[LabelRow]:
    """The rows whose judge is told: those of items, or where there are none those of dialogues."""
    return [row for row in rows if row.turn == 0] or rows


def _metrics(rows: Sequence[LabelRow], labels: LabelChoice, within: int) -> ModelMetrics:
    """Items and dialogues of one model in one arm, each by its own metrics."""
    metrics = group_metrics([row for row in rows if row.turn == 0], labels)
    turns = [row for row in rows if row.turn > 0]
    if not turns:
        return metrics
    return metrics.model_copy(update={"dialogues": dialogue_metrics(turns, labels, within)})
