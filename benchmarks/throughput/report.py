"""Figures of a comparison, targets beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from benchmarks.throughput.measure import Measured, Plan
from benchmarks.throughput.stacks import OURS, STACKS, STOCK

RATIO_TARGETS = ((64, 1.2), (500, 1.0))
"""Calls a second, ours over stock: at this many in flight or fewer, at least this."""

RSS_TARGET_MB = 200.0
GROWTH_TARGET_MB = 10.0
LONG_TARGET = 1.10
AT_ONCE_TARGET = 0.9
"""Share of the figure in flight that the server must see; a client at its limit of CPU sends one by one."""


@dataclass(frozen=True)
class Figures:
    """One stack. Rates in calls a second, memory in MiB; ``growth_mb`` is from first round to last."""

    stack: str
    per_second: float
    lowest: float
    highest: float
    rates: tuple[float, ...]
    cpu_ms_per_call: float
    open_seconds: float
    rss_mb: tuple[float, ...]
    peak_mb: float
    growth_mb: float
    most_at_once: int
    right: int
    requests: int
    asked: int


@dataclass(frozen=True)
class Target:
    """One thing that must hold."""

    name: str
    value: float
    bound: str
    met: bool


def figures_of(measured: Measured, plan: Plan) -> Figures:
    rounds = measured.rounds
    rates = [plan.calls / one.seconds for one in rounds]
    return Figures(
        stack=measured.stack,
        per_second=median(rates),
        lowest=min(rates),
        highest=max(rates),
        rates=tuple(rates),
        cpu_ms_per_call=median(one.cpu_seconds for one in rounds) / plan.calls * 1000.0,
        open_seconds=measured.open_seconds,
        rss_mb=(measured.open_rss_mb, *(one.rss_mb for one in rounds)),
        peak_mb=max(one.peak_mb for one in rounds),
        growth_mb=rounds[-1].rss_mb - rounds[0].rss_mb,
        most_at_once=min(one.most_at_once for one in rounds),
        right=sum(one.right for one in rounds),
        requests=sum(one.calls for one in rounds),
        asked=plan.calls * plan.rounds,
    )


def targets_of(figures: Sequence[Figures], plan: Plan) -> list[Target]:
    """What the comparison must show; its own validity comes first."""
    by_name = {one.stack: one for one in figures}
    mine = by_name[OURS]
    wrong = sum(one.asked - one.right for one in figures)
    extra = sum(abs(one.asked - one.requests) for one in figures)
    found = [
        Target("wrong answers, all stacks", wrong, "= 0", wrong == 0),
        Target("requests too many or too few, all stacks", extra, "= 0", extra == 0),
        _at_once(mine, plan),
        Target("peak RSS of ours, MiB", mine.peak_mb, f"< {RSS_TARGET_MB:g}", mine.peak_mb < RSS_TARGET_MB),
        Target(
            "growth of ours, first to last round, MiB",
            mine.growth_mb,
            f"< {GROWTH_TARGET_MB:g}",
            mine.growth_mb < GROWTH_TARGET_MB,
        ),
    ]
    if STOCK in by_name:
        found.append(_ratio(mine, by_name[STOCK], plan.in_flight))
    return found


def long_targets(figures: Figures, plan: Plan) -> list[Target]:
    """Wall time against calls / in flight * latency; the start is included."""
    share = plan.calls / figures.per_second / ideal_seconds(plan)
    wrong = figures.asked - figures.right
    return [
        Target("wrong answers", wrong, "= 0", wrong == 0),
        _at_once(figures, plan),
        Target("wall time over the ideal", share, f"<= {LONG_TARGET:g}", share <= LONG_TARGET),
    ]


def ideal_seconds(plan: Plan) -> float:
    return plan.calls / plan.in_flight * plan.latency


def _at_once(mine: Figures, plan: Plan) -> Target:
    wanted = AT_ONCE_TARGET * min(plan.in_flight, plan.calls)
    reached = mine.most_at_once >= wanted
    return Target(
        "requests of ours at once, seen by the server", mine.most_at_once, f">= {wanted:g}", reached
    )


def _ratio(mine: Figures, stock: Figures, in_flight: int) -> Target:
    least = next((ratio for most, ratio in RATIO_TARGETS if in_flight <= most), RATIO_TARGETS[-1][1])
    ratio = mine.per_second / stock.per_second
    return Target("ours / stock, calls a second", ratio, f">= {least:g}", ratio >= least)


def as_json(figures: Sequence[Figures], targets: Sequence[Target], plan: Plan) -> dict[str, Any]:
    return {
        "plan": asdict(plan),
        "ideal_seconds": ideal_seconds(plan),
        "stacks": [asdict(one) for one in figures],
        "targets": [asdict(target) for target in targets],
    }


def show(figures: Sequence[Figures], targets: Sequence[Target], plan: Plan) -> None:
    """Print Markdown: one table of figures, one of targets."""
    print(
        f"\n{plan.in_flight} in flight, {plan.calls:,} calls a round, median of {plan.rounds}, "
        f"{plan.latency * 1000:g} ms a reply\n"
    )
    print(
        "| stack | calls/s | min-max | CPU ms a call | start s | RSS MiB: start, rounds | peak | growth "
        "| at once |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for one in figures:
        print(_line(one))
    print()
    for one in figures:
        print(f"- {one.stack}: {STACKS[one.stack].what}")
    if spread := _spread(figures):
        print(f"\n{spread}")
    print("\n| target | measured | wanted | |\n|---|---|---|---|")
    for target in targets:
        print(
            f"| {target.name} | {target.value:.4g} | {target.bound} | {'met' if target.met else 'MISSED'} |"
        )


def _spread(figures: Sequence[Figures]) -> str:
    """How far the rounds agree about ours and stock: when they do not, the machine was busy."""
    by_name = {one.stack: one for one in figures}
    if STOCK not in by_name:
        return ""
    mine, stock = by_name[OURS], by_name[STOCK]
    ratios = [f"{ours / theirs:.2f}" for ours, theirs in zip(mine.rates, stock.rates, strict=True)]
    cpu = stock.cpu_ms_per_call / mine.cpu_ms_per_call
    return f"ours / stock round by round: {', '.join(ratios)}; by CPU a call: {cpu:.2f}"


def _line(one: Figures) -> str:
    cells = (
        one.stack,
        f"{one.per_second:.0f}",
        f"{one.lowest:.0f}-{one.highest:.0f}",
        f"{one.cpu_ms_per_call:.2f}",
        f"{one.open_seconds:.1f}",
        ", ".join(f"{rss:.0f}" for rss in one.rss_mb),
        f"{one.peak_mb:.0f}",
        f"{one.growth_mb:+.1f}",
        str(one.most_at_once),
    )
    return f"| {' | '.join(cells)} |"
