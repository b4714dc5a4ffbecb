"""Near-duplicates among short Chinese and English texts: our index beside other ways, in one run.

    python -m benchmarks.dedup [--sizes 1000 10000 100000] [--languages en zh] [--json] [--check]

Every way runs in a process of its own. Microseconds are processor time an item, normalising and search
apart; recall and precision are those of the decision to drop, against brute force where that is feasible,
and else against our index, which the smaller sizes have shown to be equal.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from benchmarks.dedup_texts import Language, Writer
from benchmarks.dedup_ways import Outcome, run

OURS = {"ours, numpy": 450.0, "ours, numba": 120.0}
"""Microseconds an item at the largest size that ``--check`` allows."""
NEEDS = {"ours, numba": "numba", "datasketch": "datasketch"}
LARGEST = {"brute force": 10_000, "plain sets": 1_000}
TARGET_SIZE = 100_000
LINEAR = 15
"""Ten times the texts may take so many times the memory; allocation comes in steps."""


@dataclass
class Line:
    """One way on one corpus, compared with the reference."""

    language: str
    size: int
    way: str
    reference: str
    kept: int
    recall: float
    precision: float
    normalise: float
    search: float
    wall: float
    megabytes: float

    @property
    def total(self) -> float:
        """Microseconds an item."""
        return self.normalise + self.search


PLAIN = argparse.RawDescriptionHelpFormatter


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 with --check when a target is missed."""
    options = parse(arguments)
    lines = list[Line]()
    for way, module in NEEDS.items():
        if not installed(module):
            print(f"# {way}: left out, {module} is not installed", flush=True)
    for language in options.languages:
        for size in options.sizes:
            for line in measured(language, size, options):
                lines.append(line)
                print(json.dumps(line.__dict__) if options.json else told(line), flush=True)
    missed = list(misses(lines))
    for miss in missed:
        print(f"# missed: {miss}")
    return 1 if options.check and missed else 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=PLAIN)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--languages", nargs="+", choices=["en", "zh"], default=["en", "zh"])
    known = ["brute force", *OURS, "datasketch", "plain sets"]
    parser.add_argument("--ways", nargs="+", choices=known, default=known)
    parser.add_argument("--floor", type=float, default=0.7, help="lowest similarity our index looks for")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--check", action="store_true", help="exit code 1 when a target is missed")
    return parser.parse_args(arguments)


def measured(language: Language, size: int, options: argparse.Namespace) -> Iterator[Line]:
    texts = Writer(language).texts(size)
    reference: Outcome | None = None
    for way in options.ways:
        if size > LARGEST.get(way, size) or not installed(NEEDS.get(way, "numpy")):
            continue
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
            told = reference.dropped if reference else None
            outcome = alone.submit(run, way, language, texts, told, options.floor).result()
        reference = reference or outcome
        yield compared(language, outcome, reference)


def compared(language: str, outcome: Outcome, reference: Outcome) -> Line:
    hits = sum(mine and theirs for mine, theirs in zip(outcome.dropped, reference.dropped, strict=True))
    mine, theirs = sum(outcome.dropped), sum(reference.dropped)
    figures = (outcome.normalise, outcome.search, outcome.wall, outcome.megabytes)
    return Line(
        language,
        len(outcome.dropped),
        outcome.way,
        reference.way,
        len(outcome.dropped) - mine,
        hits / theirs if theirs else 1.0,
        hits / mine if mine else 1.0,
        *(round(figure, 1) for figure in figures),
    )


def misses(lines: Sequence[Line]) -> Iterator[str]:
    """Targets that were not met."""
    for line in lines:
        where = f"{line.way}, {line.size:,} {line.language}"
        if line.way in OURS and (line.recall, line.precision) != (1.0, 1.0):
            yield f"{where}: recall {line.recall:.4f}, precision {line.precision:.4f}, wanted 1"
        if line.size == TARGET_SIZE and line.total > OURS.get(line.way, line.total):
            yield f"{where}: {line.total:.0f} us an item, wanted {OURS[line.way]:.0f}"
        smaller = [other for other in lines if other.size * 10 == line.size]
        for other in smaller:
            alike = line.way in OURS and (other.way, other.language) == (line.way, line.language)
            if alike and line.megabytes > LINEAR * max(other.megabytes, 1.0):
                yield f"{where}: {line.megabytes:.0f} MB, {other.megabytes:.0f} MB for a tenth of the texts"


def installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def told(line: Line) -> str:
    return (
        f"{line.language} {line.size:>7,} {line.way:<12} kept {line.kept:>6,}  recall {line.recall:.4f}"
        f"  precision {line.precision:.4f}  us: normalise {line.normalise:>6.1f} search {line.search:>8.1f}"
        f" both {line.total:>8.1f} (wall {line.wall:>8.1f})  {line.megabytes:>6.1f} MB"
        f"  against {line.reference}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
