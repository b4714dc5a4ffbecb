"""The whole analysis of a set of label rows."""

from __future__ import annotations

from exports.analysis.judges import KnownJudges, with_judge
from exports.analysis.metrics import group_metrics
from exports.analysis.notices import notices_of
from exports.analysis.records import Analysis, LabelChoice, LabelRows, Method, ModelMetrics
from salitrap import __version__
from salitrap.records import CONTROL, LabelRow


def analyze(
    read: LabelRows, labels: LabelChoice = LabelChoice.VISIBLE, judges: KnownJudges | None = None
) -> Analysis:
    """Return metrics per arm and model; the order of rows and files does not matter.

    ``judges`` tell who judged and how far they are calibrated; without them nothing is said about it.
    Nothing is raised for rows without a label: rates that cannot be computed are None, and
    ``Analysis.scored`` is 0 when there is none at all.
    """
    groups: dict[tuple[str, str], list[LabelRow]] = {}
    for row in read.rows:
        groups.setdefault((row.arm, row.model), []).append(row)
    arms: dict[str, dict[str, ModelMetrics]] = {}
    for arm, model in sorted(groups):
        metrics = group_metrics(groups[arm, model], labels)
        arms.setdefault(arm, {})[model] = with_judge(metrics, groups[arm, model], labels, judges)
    return Analysis(
        models=arms.pop(CONTROL, {}),
        arms=arms,
        notices=(*read.notices, *notices_of(groups, labels)),
        files=read.files,
        method=Method(labels=labels),
        version=__version__,
    )
