"""Co-failure of models: all pairs, and which models are alike (average linkage)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from exports.analysis.records import LabelChoice
from exports.analysis.studies.answers import Answers
from exports.analysis.studies.overlap import overlap_of
from exports.analysis.study_records import CoFailure, Merge, Overlap

Group = tuple[str, ...]
Distances = Mapping[tuple[str, str], float]
"""By two names, the first before the second."""


def cofailure_of(answers: Mapping[str, Answers], labels: LabelChoice) -> CoFailure:
    """Return the overlap of all pairs of models and the order in which they join."""
    models = sorted(answers)
    if len(models) < 2:
        return CoFailure(pairs=(), order=(), merges=(), why=f"{len(models)} models; a pair takes two")
    pairs = tuple(
        overlap_of((one, other), answers[one], answers[other], labels)
        for one, other in combinations(models, 2)
    )
    silent = [pair for pair in pairs if pair.jaccard is None]
    if silent:
        why = f"no dendrogram: {silent[0].first} and {silent[0].second}: {silent[0].why}"
        return CoFailure(pairs=pairs, order=(), merges=(), why=why)
    merges = average_linkage(models, {(pair.first, pair.second): _distance(pair) for pair in pairs})
    return CoFailure(pairs=pairs, order=(*merges[-1].left, *merges[-1].right), merges=merges)


def average_linkage(names: Sequence[str], distances: Distances) -> tuple[Merge, ...]:
    """Join the two nearest groups until one is left; ties go to the names that sort first."""
    groups: list[Group] = [(name,) for name in sorted(names)]
    merges: list[Merge] = []
    while len(groups) > 1:
        distance, left, right = min(
            (_between(left, right, distances), left, right) for left, right in combinations(groups, 2)
        )
        merges.append(Merge(left=left, right=right, distance=distance))
        groups = sorted([*(group for group in groups if group not in (left, right)), (*left, *right)])
    return tuple(merges)


def _between(left: Group, right: Group, distances: Distances) -> float:
    apart = [distances[min(one, other), max(one, other)] for one in left for other in right]
    return sum(sorted(apart)) / len(apart)


def _distance(pair: Overlap) -> float:
    return 1 - (pair.jaccard or 0.0) / 100
