"""Paired comparisons of models, and of arms with control, over the same answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from exports.analysis.common_records import Bounds, Paired
from exports.analysis.intervals import rate
from exports.analysis.paired import Pair, holm, paired_of
from exports.analysis.records import LabelChoice
from exports.analysis.studies.answers import Answers, passed
from exports.analysis.study_records import Comparison, Comparisons
from salitrap.records import CONTROL

ByModel = Mapping[str, Answers]


def compared_models(answers: ByModel, labels: LabelChoice) -> Comparisons:
    """Compare every two models; one family of tests."""
    if len(answers) < 2:
        return Comparisons(rows=(), why=f"{len(answers)} models; a comparison takes two")
    return _family(
        _comparison("", (one, other), answers[one], answers[other], labels)
        for one, other in combinations(sorted(answers), 2)
    )


def compared_arms(arms: Mapping[str, ByModel], labels: LabelChoice) -> Comparisons:
    """Compare every arm of every model with its control arm; one family of tests."""
    control = arms.get(CONTROL, {})
    found = [
        _comparison(model, (CONTROL, arm), control[model], answers, labels)
        for arm in sorted(arms.keys() - {CONTROL})
        for model, answers in arms[arm].items()
        if model in control
    ]
    return _family(found) if found else Comparisons(rows=(), why=_why_none(arms))


def _why_none(arms: Mapping[str, ByModel]) -> str:
    if not arms.keys() - {CONTROL}:
        return "there is no arm but control"
    return "no model has answers in the control arm and in another"


def _family(found: Iterable[Comparison]) -> Comparisons:
    rows = list(found)
    corrected = holm([row.pairs.p for row in rows])
    return Comparisons(
        rows=tuple(
            row.model_copy(update={"pairs": row.pairs.model_copy(update={"p_holm": p})})
            for row, p in zip(rows, corrected, strict=True)
        )
    )


def _comparison(
    model: str, names: tuple[str, str], first: Answers, second: Answers, labels: LabelChoice
) -> Comparison:
    keys = sorted(first.keys() & second.keys())
    outcomes: Sequence[Pair] = [
        Pair(first[key].seed_id, key.item_id, passed(first[key], labels), passed(second[key], labels))
        for key in keys
    ]
    unpaired = len(first) + len(second) - 2 * len(keys)
    pairs = paired_of(outcomes, unpaired, "no answer to the same item, repeat, judge and revision")
    return Comparison(
        model=model,
        first=names[0],
        second=names[1],
        p11=rate(pairs.both, pairs.n),
        p10=rate(pairs.first_only, pairs.n),
        p01=rate(pairs.second_only, pairs.n),
        p00=rate(pairs.neither, pairs.n),
        rescued=rate(pairs.second_only, pairs.n),
        regressed=rate(pairs.first_only, pairs.n),
        gain=None if pairs.difference is None else -pairs.difference + 0.0,
        gain_ci=_turned(pairs.ci),
        gain_cluster_ci=_turned(pairs.cluster_ci),
        pairs=pairs,
        why=_why(pairs),
    )


def _turned(bounds: Bounds | None) -> Bounds | None:
    """The interval of the second minus the first."""
    return None if bounds is None else (-bounds[1], -bounds[0])


def _why(pairs: Paired) -> str:
    return pairs.why or ("" if pairs.cluster_ci else "one seed, so no interval clustered by seed")
