"""Ways to drop near-duplicates, all with the same task: each text against all that were kept before it."""

from __future__ import annotations

import resource
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from curation.dedup.index import EngineName
from curation.dedup.similar import SimilarTexts
from salitrap.settings import SimilaritySettings
from salitrap.text import features, jaccard, phi

SETTINGS = SimilaritySettings()
NGRAM = {"en": SETTINGS.alphabetic_ngram, "zh": SETTINGS.cjk_ngram}
STATM = Path("/proc/self/statm")
THRESHOLD = SETTINGS.alphabetic_threshold
MARKS = (10_000, 50_000, 100_000)
"""After so many texts the size of the process is noted."""

Pairs = dict[tuple[int, int], float]
"""Similarity by (number of a text, number of an earlier one that was kept)."""


@dataclass(frozen=True)
class Task:
    """Texts of one language; exact ways look for pairs from ``floor`` on, and tell them if ``with_pairs``.

    An inexact way keeps what ``reference`` kept, so that errors do not add up.
    """

    language: str
    texts: Sequence[str]
    floor: float = THRESHOLD
    with_pairs: bool = False
    reference: Sequence[bool] | None = None


@dataclass
class Outcome:
    """Which texts were dropped, microseconds of processor time an item, and growth of the process in MB.

    ``growth`` has (texts seen, texts kept, MB) at each of the marks.
    """

    way: str
    dropped: list[bool] = field(default_factory=list)
    pairs: Pairs | None = None
    normalise: float = 0.0
    search: float = 0.0
    add: float = 0.0
    wall: float = 0.0
    megabytes: float = 0.0
    growth: list[tuple[int, int, float]] = field(default_factory=list)


def run(way: str, task: Task) -> Outcome:
    """One way over all texts of the task."""
    ways = {"brute force": brute_force, "plain sets": plain_sets, "datasketch": datasketch_lsh}
    engine: EngineName = "numba" if way == "ours, numba" else "numpy"
    if way not in ways:
        ours(engine, Task(task.language, [*task.texts[:300], *task.texts[:300]], task.floor), 0.0)  # compiles
    before, wall = resident(), time.perf_counter()
    outcome = ways[way](task) if way in ways else ours(engine, task, before)
    outcome.way, outcome.wall = way, (time.perf_counter() - wall) / len(task.texts) * 1e6
    outcome.megabytes = resident() - before
    return outcome


def resident() -> float:
    """Size of this process in memory, MB; its largest so far where the system does not tell."""
    if STATM.exists():
        return int(STATM.read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ours(engine: EngineName, task: Task, before: float) -> Outcome:
    """Our index; every earlier text that reaches the floor is found, with its score."""
    index, made = SimilarTexts(SETTINGS, engine=engine), Outcome("", pairs={} if task.with_pairs else None)
    clock, kept, spent = time.perf_counter, 0, [0.0, 0.0, 0.0]
    begun, wall = time.process_time(), clock()
    for number, text in enumerate(task.texts):
        start = clock()
        prepared = index.prepare(text)
        normalised = clock()
        found = index.matches(prepared, task.floor)
        searched = clock()
        dropped = any(score >= THRESHOLD for _, score in found)
        if not dropped:
            index.add(str(number), prepared)
            kept += 1
        added = clock()
        spent = [spent[0] + normalised - start, spent[1] + searched - normalised, spent[2] + added - searched]
        made.dropped.append(dropped)
        if made.pairs is not None:
            made.pairs.update({(number, int(owner)): score for owner, score in found})
        if number + 1 in MARKS:
            made.growth.append((number + 1, kept, resident() - before))
    scale = (time.process_time() - begun) / (clock() - wall) / len(task.texts) * 1e6
    made.normalise, made.search, made.add = (seconds * scale for seconds in spent)
    return made


def brute_force(task: Task) -> Outcome:
    """Exact similarity with every kept text, counted over lists of the texts that hold each n-gram."""
    holders: dict[str, array[int]] = {}
    sizes, numbers, made = list[int](), list[int](), Outcome("", pairs={})
    begun = time.process_time()
    for number, text in enumerate(task.texts):
        grams = features(phi(text), NGRAM[task.language])
        lists = [np.frombuffer(holders[gram], dtype=np.int32) for gram in grams if gram in holders]
        common = np.bincount(np.concatenate(lists), minlength=len(sizes)) if lists else np.zeros(len(sizes))
        scores = common / (len(grams) + np.array(sizes, dtype=np.int64) - common)
        near = np.flatnonzero(scores >= task.floor)
        assert made.pairs is not None
        made.pairs.update({(number, numbers[place]): float(scores[place]) for place in near})
        made.dropped.append(bool(np.any(scores >= THRESHOLD)))
        del lists
        if not made.dropped[-1]:
            for gram in grams:
                holders.setdefault(gram, array("i")).append(len(sizes))
            sizes.append(len(grams))
            numbers.append(number)
    made.search = (time.process_time() - begun) / len(task.texts) * 1e6
    return made


def plain_sets(task: Task) -> Outcome:
    """A loop over Python sets, the plainest of all."""
    kept, made, begun = list[frozenset[str]](), Outcome(""), time.process_time()
    for text in task.texts:
        grams = features(phi(text), NGRAM[task.language])
        dropped = any(jaccard(grams, other) >= THRESHOLD for other in kept)
        made.dropped.append(dropped)
        if not dropped:
            kept.append(grams)
    made.search = (time.process_time() - begun) / len(task.texts) * 1e6
    return made


def datasketch_lsh(task: Task) -> Outcome:
    """MinHashLSH with its own defaults, 128 permutations, without checking what it finds."""
    from datasketch import MinHash, MinHashLSH

    lsh, made, begun = MinHashLSH(threshold=THRESHOLD, num_perm=128), Outcome(""), time.process_time()
    for number, text in enumerate(task.texts):
        sketch = MinHash(num_perm=128)
        grams = features(phi(text), NGRAM[task.language])
        sketch.update_batch([gram.encode("utf-8", "surrogatepass") for gram in grams])
        dropped = bool(lsh.query(sketch))
        made.dropped.append(dropped)
        if not (task.reference[number] if task.reference else dropped):
            lsh.insert(number, sketch)
    made.search = (time.process_time() - begun) / len(task.texts) * 1e6
    return made
