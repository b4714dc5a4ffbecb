"""The command: which comparison, and what its end means."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from benchmarks.throughput import report
from benchmarks.throughput.measure import Plan, measure
from benchmarks.throughput.stacks import COMPARED, OURS

ABOUT = """Calls a second of our model access beside stock DSPy, the openai SDK and bare aiohttp.

Every stack runs in its own process against one loopback server; the rounds are interleaved."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 with --check when a target is missed, 4 when a process ended early."""
    options = parse(arguments)
    try:
        met = [compare(options, in_flight) for in_flight in options.in_flight]
    except RuntimeError as error:
        print(f"throughput: {error}", file=sys.stderr)
        return 4
    return 1 if options.check and not all(met) else 0


def compare(options: argparse.Namespace, in_flight: int) -> bool:
    """Measure at one figure in flight and print; True when every target is met."""
    plan = plan_of(options, in_flight)
    figures = [report.figures_of(one, plan) for one in measure(plan)]
    targets = report.long_targets(figures[0], plan) if options.long else report.targets_of(figures, plan)
    if options.json:
        print(json.dumps(report.as_json(figures, targets, plan)), flush=True)
    else:
        report.show(figures, targets, plan)
    return all(target.met for target in targets)


def plan_of(options: argparse.Namespace, in_flight: int) -> Plan:
    stacks = (OURS,) if options.long else (*COMPARED, "answer") if options.access else COMPARED
    return Plan(stacks, options.calls, in_flight, options.latency, options.rounds, warm_up=not options.long)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.throughput",
        description=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--calls", type=positive, default=5000, help="a round (default 5,000)")
    parser.add_argument("--in-flight", type=several, help="one figure or several: 64,500 (default 64)")
    parser.add_argument("--latency", type=float, help="seconds a reply (default 0.05)")
    parser.add_argument("--rounds", type=positive, help="default 3")
    parser.add_argument("--access", action="store_true", help="also measure access.answer, the bare path")
    parser.add_argument(
        "--long", action="store_true", help="ours only, one cold round, 1,000 in flight, 10 s a reply"
    )
    parser.add_argument("--check", action="store_true", help="exit code 1 when a target is missed")
    parser.add_argument("--json", action="store_true", help="one JSON object for each figure in flight")
    options = parser.parse_args(arguments)
    in_flight, latency, rounds = ([1000], 10.0, 1) if options.long else ([64], 0.05, 3)
    options.in_flight = options.in_flight or in_flight
    options.latency = latency if options.latency is None else options.latency
    options.rounds = options.rounds or rounds
    return options


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number above 0")
    return number


def several(text: str) -> list[int]:
    return [positive(part) for part in text.split(",")]
