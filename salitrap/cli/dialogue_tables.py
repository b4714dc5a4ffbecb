"""The section on dialogues of ``salitrap analyze``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from salitrap.cli.rate_table import number, rate_span, rate_table, span

if TYPE_CHECKING:
    from exports.analysis import DialogueMetrics, DialogueRates, ModelMetrics
    from exports.analysis.dialogues import Paired, Share, Survival

Models = dict[str, "DialogueMetrics"]

CAPTION = """\
Per cent of n, by replay or by turn as named; unscored ones are in no n. t*: the
first turn at which the task is impossible. Flagged: labelled Pass. Robust TAR:
flagged by {deadline} and no task done at any later turn, over all trap dialogues.
Flip: flagged, and later the task done. Definitions: docs/dialogue-metrics.md."""


def print_dialogues(console: Console, arms: Mapping[str, dict[str, ModelMetrics]], width: int) -> None:
    """Print the section for every arm that has dialogues, then what its words mean."""
    deadline = ""
    for where, models in arms.items():
        found = {model: metrics.dialogues for model, metrics in models.items() if metrics.dialogues}
        if found:
            deadline = _print_arm(console, where, found, width)
    if deadline:
        console.print(CAPTION.format(deadline=deadline), soft_wrap=True)


def _print_arm(console: Console, where: str, models: Models, width: int) -> str:
    """The best model first; return the turn by which a flag counts."""
    ordered = dict(
        sorted(models.items(), key=lambda entry: (-(entry[1].overall.robust_tar.rate or 0), entry[0]))
    )
    console.print()
    for table in _tables(where, ordered, width):
        console.print(table, width=width)
    for model, metrics in ordered.items():
        console.print(f"{model}: {'; '.join(_about(metrics.overall))}.", width=width)
    return _relative(max(metrics.within for metrics in ordered.values()))


def _tables(where: str, models: Models, width: int) -> Iterator[Table]:
    """Every table that has lines."""
    overall = {model: metrics.overall for model, metrics in models.items()}
    yield _headline(where, overall, width)
    yield _of_shares(f"Dialogues in detail{where}", "measure", overall, _measures, width)
    yield _of_shares(f"Flagged by turn{where}", "turn", overall, _timeline, width)
    for by in ("patterns", "dimensions", "languages"):
        groups = {model: getattr(metrics, by) for model, metrics in models.items()}
        if any(len(group) > 1 for group in groups.values()):
            title, name = f"Robust TAR by {by[:-1]}{where}", by[:-1]
            yield _of_shares(title, name, groups, _robust, width)
    if any(rates.penalty.n for rates in overall.values()):
        yield _penalties(where, overall, width)
    if any(test.pairs.n for rates in overall.values() for test in rates.pressure.tests):
        yield _of_shares(f"Flips by what follows a flag{where}", "after a flag", overall, _cells, width)
        yield _comparisons(where, overall, width)


def _headline(where: str, models: Mapping[str, DialogueRates], width: int) -> Table:
    rows = [
        [
            model,
            *_counts(rates.robust_tar),
            _rate(rates.robust_tar),
            number(rates.detected.rate),
            _median(rates.latency),
        ]
        for model, rates in models.items()
    ]
    numbers = ["n", "unscored", "robust TAR", "flagged", "turns to flag"]
    return rate_table(f"Dialogues{where}", ["model"], numbers, rows, width)


def _of_shares(title: str, by: str, models: Mapping[str, Any], lines: Any, width: int) -> Table:
    """One line a share that has something to count; ``lines`` gives the name and the share of each."""
    rows = [
        [model, name, *_counts(share), _rate(share)]
        for model, found in models.items()
        for name, share in lines(found)
        if share.n or share.unscored
    ]
    return rate_table(title, ["model", by], ["n", "unscored", "per cent"], rows, width)


def _measures(rates: DialogueRates) -> list[tuple[str, Share]]:
    return [
        ("flagged in time", rates.detected),
        ("flips, of turns at risk", rates.flips.per_turn),
        ("replays that flip", rates.flips.ever),
        ("false alarms before t*, of turns", rates.before_t_star.turns),
        ("replays with one", rates.before_t_star.plays),
        ("false alarms on twins, of turns", rates.twins.turns),
        ("twins with one", rates.twins.plays),
        ("helps after a correction", rates.update_accuracy),
        ("the same, had it flagged", rates.update_after_flag),
    ]


def _timeline(rates: DialogueRates) -> list[tuple[str, Share]]:
    return [(_relative(point.relative), point.flagged) for point in rates.timeline]


def _robust(groups: Mapping[str, DialogueRates]) -> list[tuple[str, Share]]:
    return [(str(name), rates.robust_tar) for name, rates in groups.items()]


def _cells(rates: DialogueRates) -> list[tuple[str, Share]]:
    return [(cell.value, share) for cell, share in rates.pressure.cells.items()]


def _penalties(where: str, models: Mapping[str, DialogueRates], width: int) -> Table:
    rows = [
        [
            model,
            *_pairs(rates.penalty),
            number(rates.penalty.first_rate),
            number(rates.penalty.second_rate),
            *_difference(rates.penalty, rates.penalty.p),
        ]
        for model, rates in models.items()
    ]
    numbers = ["pairs", "unscored", "one turn", "robust", "penalty", "p"]
    return rate_table(f"Multi-turn penalty{where}", ["model"], numbers, rows, width)


def _comparisons(where: str, models: Mapping[str, DialogueRates], width: int) -> Table:
    rows = [
        [
            model,
            f"{test.first} - {test.second}",
            *_pairs(test.pairs),
            *_difference(test.pairs, test.pairs.p_holm),
        ]
        for model, rates in models.items()
        for test in rates.pressure.tests
        if test.pairs.n
    ]
    title = f"Flips compared within families, p after Holm{where}"
    return rate_table(title, ["model", "points"], ["pairs", "unscored", "difference", "p"], rows, width)


def _about(rates: DialogueRates) -> Iterator[str]:
    """What the figures of a model rest on."""
    counts = [(str(control), count) for control, count in rates.plays_by_control.items()]
    controls = ", ".join(f"{'trap' if name == 'none' else name} {count}" for name, count in counts)
    yield f"dialogues {rates.dialogues}, replays {rates.plays} ({controls}), seeds {rates.seeds}"
    yield f"repeats {rates.repeats}"
    if rates.robust_tar.cluster_ci:
        yield f"robust TAR clustered by seed {span(rates.robust_tar.cluster_ci)}"
    steps = [f"{step.events} of {step.at_risk}" for step in rates.flips.first.steps]
    if steps:
        yield f"first flips of those at risk, by turns since the flag: {', '.join(steps)}"
    if rates.unscored:
        lost = rates.unscored - sum(rates.unscored_by_status.values())
        reasons = [f"{status} {count}" for status, count in rates.unscored_by_status.items()]
        yield f"unscored turns: {', '.join([*reasons, *([f'no row {lost}'] if lost else [])])}"
    if rates.robust_tar.bounds:
        yield f"robust TAR {span(rates.robust_tar.bounds)} whatever the unscored replays were"


def _counts(share: Share) -> tuple[str, str]:
    return str(share.n), str(share.unscored)


def _rate(share: Share) -> str:
    return rate_span(share.rate, share.ci)


def _pairs(found: Paired) -> tuple[str, str]:
    return str(found.n), str(found.unscored)


def _difference(found: Paired, p: float | None) -> tuple[str, str]:
    """The interval clustered by seed where there is one."""
    return rate_span(found.difference, found.cluster_ci or found.ci), "-" if p is None else _p(p)


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _median(found: Survival) -> str:
    """The median and its interval; ``>3``: not reached at the last step, 3."""
    if not found.steps:
        return "-"
    beyond = f">{found.steps[-1].after}"
    low, high = (beyond if turn is None else str(turn) for turn in found.median_ci or (None, None))
    return f"{beyond if found.median is None else found.median} [{low}, {high}]"


def _relative(turns: int) -> str:
    return f"t*{turns:+d}" if turns else "t*"
