"""The threshold benchmark's figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.dedup_curves import SETTINGS, Curve, Point, Scored
from benchmarks.dedup_pairs import PairKind

LANGUAGE_NAMES = {"en": "English", "zh": "Chinese"}
WHAT = {"f2": "prompts", "f3": "trap cores", "f4": "triples", "f5": "prompts"}
KIND_NAMES = {
    PairKind.REWORDED: "reworded",
    PairKind.OTHER_TRAP: "other trap",
    PairKind.FIGURES: "numbers or units",
    PairKind.UNRELATED: "unrelated",
}


def report(curves: Sequence[Curve]) -> str:
    """All tables: pairs, decisions at the defaults, precision and recall by feature, defaults in detail."""
    defaults = [curve for curve in curves if curve.default_feature]
    blocks = [pairs_table(defaults), together_table(defaults)]
    blocks += [fate_table(curve) for curve in defaults if curve.filter == "f2"]
    for language, name in dict.fromkeys((curve.language, curve.filter) for curve in curves):
        alike = [curve for curve in curves if (curve.language, curve.filter) == (language, name)]
        blocks += [
            feature_table(alike),
            interval_table(next(curve for curve in alike if curve.default_feature)),
        ]
    return "\n\n".join(blocks)


def pairs_table(curves: Iterable[Curve]) -> str:
    """How many pairs of each kind stand behind each filter."""
    rows = [
        [
            LANGUAGE_NAMES[curve.language],
            f"{curve.filter}, {WHAT[curve.filter]}",
            *(str(sum(one.pair.kind is kind for one in curve.scored)) for kind in PairKind),
            str(len(curve.scored)),
        ]
        for curve in curves
    ]
    return table("Labelled pairs", ["language", "filter", *KIND_NAMES.values(), "all"], rows)


def together_table(curves: Sequence[Curve]) -> str:
    """What each filter drops at its default, and what any of them drops."""
    rows = list[list[str]]()
    for language in dict.fromkeys(curve.language for curve in curves):
        mine = [curve for curve in curves if curve.language == language]
        dropped = {
            curve.filter: {one.pair.id for one in curve.scored if _dropped(one, curve)} for curve in mine
        }
        dropped["any"] = set.union(*dropped.values())
        everything = max((curve.scored for curve in mine), key=len)
        rows += [[LANGUAGE_NAMES[language], name, *_shares(everything, ids)] for name, ids in dropped.items()]
    return table(
        "Dropped at the default thresholds, each filter alone",
        ["language", "filter", *KIND_NAMES.values()],
        rows,
    )


def _shares(scored: Sequence[Scored], dropped: set[str]) -> list[str]:
    of_kind = [[one for one in scored if one.pair.kind is kind] for kind in PairKind]
    return [f"{sum(one.pair.id in dropped for one in alike)} of {len(alike)}" for alike in of_kind]


def _dropped(one: Scored, curve: Curve) -> bool:
    return one.score >= _mark(curve) and not one.aside


def fate_table(curve: Curve) -> str:
    """What happens to the pairs at the defaults, by kind and change."""
    groups = dict.fromkeys((one.pair.kind, one.pair.change) for one in curve.scored)
    rows = [
        [KIND_NAMES[kind], change, *_fates([one for one in curve.scored if _is(one, kind, change)], curve)]
        for kind, change in sorted(groups, key=lambda group: (list(PairKind).index(group[0]), group[1]))
    ]
    name = (
        f"{LANGUAGE_NAMES[curve.language]}, f2 alone at the default ({curve.feature}, {_two(_mark(curve))})"
    )
    return table(name, ["kind", "change", "pairs", "dropped", "listed", "unnoticed", "median"], rows)


def _is(one: Scored, kind: PairKind, change: str) -> bool:
    return one.pair.kind is kind and one.pair.change == change


def _fates(scored: Sequence[Scored], curve: Curve) -> list[str]:
    dropped = sum(_dropped(one, curve) for one in scored)
    noticed = sum(one.score >= SETTINGS.review_from for one in scored)
    middle = sorted(one.score for one in scored)[len(scored) // 2]
    return [str(len(scored)), str(dropped), str(noticed - dropped), str(len(scored) - noticed), _two(middle)]


def feature_table(curves: Sequence[Curve]) -> str:
    """Precision / recall by threshold, one column a feature; the default in bold."""
    first = curves[0]
    rows = [
        [_marked(first, number), *(_both(curve.points[number], _bold(curve, number)) for curve in curves)]
        for number in range(len(first.points))
    ]
    name = f"{LANGUAGE_NAMES[first.language]}, {first.filter} on {WHAT[first.filter]}: precision / recall"
    return table(name, ["threshold", *(curve.feature for curve in curves)], rows)


def interval_table(curve: Curve) -> str:
    """Counts and intervals of the default feature."""
    rows = [
        [_marked(curve, number), str(each.caught), str(each.missed), str(each.wronged), *_intervals(each)]
        for number, each in enumerate(curve.points)
    ]
    head = ["threshold", "duplicates dropped", "kept", "others dropped", "precision", "recall"]
    name = f"{LANGUAGE_NAMES[curve.language]}, {curve.filter} with {curve.feature}: counts, 95 % intervals"
    return table(name, head, rows)


def _intervals(each: Point) -> list[str]:
    shares = zip((each.precision, each.recall), each.intervals(), strict=True)
    return [f"{_two(share)} ({_two(bounds.low)} to {_two(bounds.high)})" for share, bounds in shares]


def _mark(curve: Curve) -> float:
    return curve.default_threshold


def _is_default(curve: Curve, number: int) -> bool:
    return abs(curve.points[number].threshold - _mark(curve)) < 1e-9


def _marked(curve: Curve, number: int) -> str:
    text = _two(curve.points[number].threshold)
    return f"**{text}**" if _is_default(curve, number) else text


def _bold(curve: Curve, number: int) -> bool:
    return curve.default_feature and _is_default(curve, number)


def _both(each: Point, bold: bool) -> str:
    text = f"{_two(each.precision)} / {_two(each.recall)}"
    return f"**{text}**" if bold else text


def _two(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f}"


def table(name: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table under its name in bold."""
    lines = [head, ["---"] * len(head), *rows]
    return f"**{name}**\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)
