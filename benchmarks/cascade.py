"""What ``validation.order: cascade`` saves on the lab, and that it changes nothing else.

    python -m benchmarks.cascade [--seeds 8] [--lab-seeds 0 1 2] [--json]

Every model is simulated. For each lab seed the same run is made with the checkers of a candidate all at once
and one after the other; ``--seeds`` are wanted per dimension and language. Calls of other orders are
worked out from the verdicts of the parallel run, since a cascade stops at the first clear failure.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

import yaml

from checkers.guards import GUARDS
from curation.directory.layout import Layout
from curation.node import Node
from curation.registry.queries import active_seeds, items, nodes_of
from curation.registry.registry import Registry
from salitrap.cli.demo_settings import demo_settings
from salitrap.records import Language, VerdictKind

Order = Literal["parallel", "cascade"]
ASKED = ("truth", "align", "nat")
FREE = {fault for guard in GUARDS for fault in guard.faults}


@dataclass
class Measured:
    """One lab seed: calls of both orders, and where decisions or items differ."""

    lab_seed: int
    candidates: int = 0
    children: int = 0
    discarded: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)
    checker_calls: dict[str, int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    same_items: bool = False
    same_decisions: bool = False


def measure(lab_seed: int, seeds: int, folder: Path) -> Measured:
    """Make both runs in ``folder`` and compare them."""
    measured, seen = Measured(lab_seed), dict[str, tuple[list[Any], list[Any]]]()
    for order in ("parallel", "cascade"):
        directory = _run(lab_seed, seeds, order, folder)  # type: ignore[arg-type]
        spend = json.loads(_told("status", str(directory), "--json"))["spend"]
        measured.calls[order] = spend["calls"]
        with closing(Registry.open_reader(Layout(directory).registry)) as registry:
            nodes = [node for seed in active_seeds(registry) for node in nodes_of(registry, seed.seed_id)]
            certified = [item.model_dump(mode="json") for item in items(registry)]
        measured.items[order] = len(certified)
        measured.checker_calls[order] = sum(len(node.evaluations) for node in nodes)
        seen[order] = ([_decided(node) for node in nodes], [_published(one) for one in certified])
        if order == "parallel":
            _count(measured, nodes)
    measured.same_decisions = seen["parallel"][0] == seen["cascade"][0]
    measured.same_items = seen["parallel"][1] == seen["cascade"][1]
    return measured


def _run(lab_seed: int, seeds: int, order: Order, folder: Path) -> Path:
    settings = demo_settings(lab_seed, None)
    chosen = settings.model_copy(
        update={
            "targets": {"default": dict.fromkeys(Language, seeds)},
            "validation": settings.validation.model_copy(update={"order": order}),
        }
    )
    config, directory = folder / f"{order}-{lab_seed}.yaml", folder / f"{order}-{lab_seed}"
    config.write_text(yaml.safe_dump(chosen.model_dump(mode="json", exclude_none=True)), encoding="utf-8")
    _told("run", "-c", str(config), "--run", str(directory), "--yes")
    return directory


def _told(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "salitrap", *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"salitrap {' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def _decided(node: Node) -> list[Any]:
    """What must not differ: everything but the naturalness of a candidate that failed."""
    decision = node.decision
    rated = decision.naturalness if decision.aligned else None
    return [node.candidate_id, decision.status, decision.route, decision.fault, decision.label, rated]


def _published(item: dict[str, Any]) -> str:
    return json.dumps(item, sort_keys=True)


def _count(measured: Measured, nodes: Sequence[Node]) -> None:
    asked = [node for node in nodes if set(ASKED) <= {one.checker for one in node.evaluations}]
    measured.candidates = len(asked)
    measured.children = sum(node.candidate.parent_id is not None for node in nodes)
    faults = Counter(node.decision.fault for node in nodes if node.decision.status == "discarded")
    measured.discarded = {fault.value: count for fault, count in sorted(faults.items()) if fault in FREE}
    failing = [_failing(node) for node in asked]
    measured.failed = {name: sum(name in one for one in failing) for name in ASKED}
    for order in permutations(ASKED):
        measured.checks[" ".join(order)] = sum(_calls(order, one) for one in failing)


def _failing(node: Node) -> set[str]:
    return {one.checker for one in node.evaluations if one.verdict is VerdictKind.FAIL}


def _calls(order: Sequence[str], failing: set[str]) -> int:
    return next((place for place, name in enumerate(order, 1) if name in failing), len(order))


def show(measured: Measured) -> None:
    before, after = measured.checker_calls["parallel"], measured.checker_calls["cascade"]
    every = 3 * measured.candidates
    print(f"lab seed {measured.lab_seed}: {measured.candidates} candidates reached the three checkers")
    print(f"  clear failures: {measured.failed}")
    print(f"  of {measured.children} children the guards refused {measured.discarded}")
    print(
        f"  evaluations {before} -> {after} ({(before - after) / before:.1%} fewer); of the three, {every}:"
    )
    for order, calls in measured.checks.items():
        print(f"    {order}: {calls} ({(every - calls) / every:.1%} fewer)")
    calls = measured.calls
    saved = (calls["parallel"] - calls["cascade"]) / calls["parallel"]
    print(f"  calls of the run {calls['parallel']} -> {calls['cascade']} ({saved:.1%} fewer)")
    print(f"  items {measured.items}, same: {measured.same_items}; same decisions: {measured.same_decisions}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--lab-seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for lab_seed in given.lab_seeds:
            one = measure(lab_seed, given.seeds, Path(folder))
            print(json.dumps(asdict(one)), flush=True) if given.json else show(one)


if __name__ == "__main__":
    main()
