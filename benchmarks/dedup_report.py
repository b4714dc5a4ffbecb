"""What the deduplication benchmark measured, as lines and as Markdown tables."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from benchmarks.dedup_tables import LANGUAGE_NAMES, table
from benchmarks.dedup_ways import MARKS, THRESHOLD, Outcome

OURS = {"ours, numba": 120.0, "ours, numpy": 450.0}
"""Microseconds an item at the target size that ``--check`` allows."""
TARGET_SIZE = 100_000
BYTES_GROW = 1.5
"""A kept text may take so many times the memory that it takes at the first mark; memory comes in steps."""
SCORE_ROUNDING = 1e-9


@dataclass
class Line:
    """One way on one corpus, compared with the reference; microseconds of processor time an item.

    ``pairs`` counts those of the reference from the floor on, None where the reference has none.
    """

    language: str
    size: int
    way: str
    floor: float | None
    reference: str
    kept: int
    recall: float
    precision: float
    pairs: int | None
    pairs_missed: int
    pairs_wrong: int
    normalise: float
    search: float
    add: float
    wall: float
    megabytes: float
    bytes_each: list[int]

    @property
    def total(self) -> float:
        """Microseconds an item."""
        return self.normalise + self.search + self.add


def compared(language: str, floor: float | None, outcome: Outcome, reference: Outcome) -> Line:
    """The line of an outcome. A pair with another score than the reference's counts as wrong."""
    hits = sum(mine and theirs for mine, theirs in zip(outcome.dropped, reference.dropped, strict=True))
    mine, theirs = sum(outcome.dropped), sum(reference.dropped)
    pairs, missed, wrong = _pairs(floor or THRESHOLD, outcome, reference)
    figures = (outcome.normalise, outcome.search, outcome.add, outcome.wall, outcome.megabytes)
    return Line(
        language,
        len(outcome.dropped),
        outcome.way,
        floor,
        reference.way,
        len(outcome.dropped) - mine,
        hits / theirs if theirs else 1.0,
        hits / mine if mine else 1.0,
        pairs,
        missed,
        wrong,
        *(round(figure, 1) for figure in figures),
        [round(megabytes * 2**20 / kept) for _, kept, megabytes in outcome.growth],
    )


def _pairs(floor: float, outcome: Outcome, reference: Outcome) -> tuple[int | None, int, int]:
    """How many there are, how many are missed, and how many are wrong."""
    if outcome.pairs is None or reference.pairs is None:
        return None, 0, 0
    wanted = {pair: score for pair, score in reference.pairs.items() if score >= floor}
    found = {pair: score for pair, score in outcome.pairs.items() if score >= floor}
    wrong = sum(abs(score - wanted.get(pair, 2.0)) > SCORE_ROUNDING for pair, score in found.items())
    return len(wanted), len(wanted.keys() - found.keys()), wrong


def told(line: Line) -> str:
    """One line of text, printed as soon as it is measured."""
    floor = "" if line.floor is None else f" from {line.floor}"
    return (
        f"{line.language} {line.size:>7,} {line.way + floor:<21} kept {line.kept:>6,}  "
        f"recall {line.recall:.4f}  precision {line.precision:.4f}  us: normalise {line.normalise:>5.1f}"
        f" search {line.search:>7.1f} add {line.add:>4.1f} all {line.total:>7.1f}"
        f" (wall {line.wall:>7.1f})  {line.megabytes:>6.1f} MB"
    )


def report(lines: Sequence[Line]) -> str:
    """All tables, and where they were measured."""
    return "\n\n".join([conditions(), main_table(lines), memory_table(lines)])


def conditions() -> str:
    """Machine, versions, and how busy the machine was at the end."""
    versions = [f"{name} {_version(name)}" for name in ("numpy", "numba", "datasketch")]
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    machine = f"{_processor()}, {os.cpu_count()} processors, {load} at the end"
    return f"{machine}; Python {platform.python_version()}, {', '.join(versions)}."


def main_table(lines: Sequence[Line]) -> str:
    """Decisions, pairs, time and memory, one row a way."""
    rows = [
        [
            LANGUAGE_NAMES[line.language],
            f"{line.size:,}",
            line.way,
            "" if line.floor is None else f"{line.floor:g}",
            f"{line.recall:.4f} / {line.precision:.4f}",
            _pairs_told(line),
            *(
                (f"{line.normalise:.0f}", f"{line.search:.0f}", f"{line.add:.0f}")
                if line.floor
                else ("", "", "")
            ),
            f"**{line.total:.0f}**" if line.floor else f"{line.total:.0f}",
            f"{line.wall:.0f}",
            f"{line.megabytes:.1f}",
        ]
        for line in lines
    ]
    head = ["language", "texts", "way", "floor", "recall / precision", "pairs from the floor on", "normalise"]
    head += ["search", "add", "all, us a text", "wall, us", "MB"]
    return table("Near-duplicates: decisions, processor time a text, memory", head, rows)


def _pairs_told(line: Line) -> str:
    if line.pairs is None or line.floor is None:
        return ""
    if not line.pairs_missed and not line.pairs_wrong:
        return f"all {line.pairs:,}"
    return f"{line.pairs_missed:,} of {line.pairs:,} missed, {line.pairs_wrong:,} wrong"


def memory_table(lines: Sequence[Line]) -> str:
    """Bytes a kept text while one process takes in more and more of them."""
    rows = [
        [
            LANGUAGE_NAMES[line.language],
            line.way,
            f"{line.floor:g}",
            *(f"{each:,}" for each in line.bytes_each),
        ]
        for line in lines
        if line.floor and len(line.bytes_each) == len(MARKS)
    ]
    head = ["language", "way", "floor", *(f"after {mark:,} texts" for mark in MARKS)]
    return table("Memory: bytes a kept text, in one process", head, rows)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
