"""Near-duplicates among short Chinese and English texts: our index beside other ways, in one run.

    python -m benchmarks.dedup [--sizes 1000 10000 100000] [--languages en zh] [--json] [--check]

Every way runs in a process of its own. Microseconds are processor time an item: normalising, search and
addition. Recall and precision are those of the decision to drop, against brute force where that is
feasible, and else against our index, which the smaller sizes have shown to be equal; there, all pairs from
the floor on are compared as well. Our index runs once for each floor, the lowest similarity it looks for.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.dedup_report import BYTES_GROW, OURS, TARGET_SIZE, Line, compared, report, told
from benchmarks.dedup_texts import Language, Writer
from benchmarks.dedup_ways import Outcome, Task, run

NEEDS = {"ours, numba": "numba", "datasketch": "datasketch"}
SETS_UP_TO = 1_000
PLAIN = argparse.RawDescriptionHelpFormatter


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 with --check when a target is missed."""
    options = parse(arguments)
    absent = [way for way in options.ways if not installed(NEEDS.get(way, "numpy"))]
    lines = list[Line]()
    for language in options.languages:
        for size in options.sizes:
            for line in measured(language, size, options):
                lines.append(line)
                print(told(line), file=sys.stderr, flush=True)
    print(json.dumps([line.__dict__ for line in lines]) if options.json else report(lines))
    missed = [*(f"{way}: {NEEDS[way]} is not installed" for way in absent), *misses(lines)]
    for miss in missed:
        print(f"missed: {miss}", file=sys.stderr)
    return 1 if options.check and missed else 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=PLAIN)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, TARGET_SIZE])
    parser.add_argument("--languages", nargs="+", choices=["en", "zh"], default=["en", "zh"])
    known = ["brute force", *OURS, "datasketch", "plain sets"]
    parser.add_argument("--ways", nargs="+", choices=known, default=known)
    parser.add_argument("--floors", type=float, nargs="+", default=[0.7, 0.55], metavar="FLOOR")
    parser.add_argument("--brute-force-up-to", type=int, default=10_000, metavar="SIZE")
    parser.add_argument("--json", action="store_true", help="JSON instead of Markdown tables")
    parser.add_argument("--check", action="store_true", help="exit code 1 when a target is missed")
    return parser.parse_args(arguments)


def measured(language: Language, size: int, options: argparse.Namespace) -> Iterator[Line]:
    texts = Writer(language).texts(size)
    reference: Outcome | None = None
    lowest, with_pairs = min(options.floors), size <= options.brute_force_up_to
    for way in options.ways:
        if not feasible(way, size, options):
            continue
        for floor in options.floors if way in OURS else [lowest]:
            dropped = reference.dropped if reference else None
            outcome = apart(way, Task(language, texts, floor, with_pairs, dropped))
            reference = reference or outcome
            yield compared(language, floor if way in OURS else None, outcome, reference)


def feasible(way: str, size: int, options: argparse.Namespace) -> bool:
    largest = {"brute force": options.brute_force_up_to, "plain sets": SETS_UP_TO}
    return size <= largest.get(way, size) and installed(NEEDS.get(way, "numpy"))


def apart(way: str, task: Task) -> Outcome:
    """Run in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        return alone.submit(run, way, task).result()


def misses(lines: Sequence[Line]) -> Iterator[str]:
    """Targets that were not met."""
    for line in lines:
        if line.way not in OURS:
            continue
        where = f"{line.way}, {line.size:,} {line.language}, floor {line.floor}"
        if (line.recall, line.precision) != (1.0, 1.0):
            yield f"{where}: recall {line.recall:.4f}, precision {line.precision:.4f}, wanted 1"
        if line.pairs is not None and (line.pairs_missed or line.pairs_wrong):
            yield f"{where}: {line.pairs_missed} pairs missed, {line.pairs_wrong} wrong"
        if line.size == TARGET_SIZE and line.total > OURS[line.way]:
            yield f"{where}: {line.total:.0f} us an item, wanted {OURS[line.way]:.0f}"
        if line.bytes_each and max(line.bytes_each) > BYTES_GROW * line.bytes_each[0]:
            yield f"{where}: bytes a kept text grow, {line.bytes_each}"


def installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


if __name__ == "__main__":
    raise SystemExit(main())
