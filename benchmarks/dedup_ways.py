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


@dataclass
class Outcome:
    """Which texts were dropped, microseconds an item, and growth of the process in MB."""

    way: str
    dropped: list[bool] = field(default_factory=list)
    normalise: float = 0.0
    search: float = 0.0
    wall: float = 0.0
    megabytes: float = 0.0


def run(way: str, language: str, texts: Sequence[str], reference: list[bool] | None, floor: float) -> Outcome:
    """One way over all texts; an inexact one keeps what ``reference`` kept, so that errors do not add up."""
    ways = {"brute force": brute_force, "plain sets": plain_sets, "datasketch": datasketch_lsh}
    if way not in ways:
        ours("numba" if way == "ours, numba" else "numpy", [*texts[:300], *texts[:300]], floor)  # compiles
    before, wall = resident(), time.perf_counter()
    if way in ways:
        outcome = ways[way](language, texts, reference)
    else:
        outcome = ours("numba" if way == "ours, numba" else "numpy", texts, floor)
    outcome.way, outcome.wall = way, (time.perf_counter() - wall) / len(texts) * 1e6
    outcome.megabytes = resident() - before
    return outcome


def resident() -> float:
    """Size of this process in memory, MB; its largest so far where the system does not tell."""
    if STATM.exists():
        return int(STATM.read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ours(engine: EngineName, texts: Sequence[str], floor: float) -> Outcome:
    """Our index; every earlier text that reaches ``floor`` is found, with its score."""
    index, made = SimilarTexts(SETTINGS, engine=engine), Outcome("")
    clock, normalise = time.perf_counter, 0.0
    begun, wall = time.process_time(), time.perf_counter()
    for number, text in enumerate(texts):
        start = clock()
        prepared = index.prepare(text)
        normalise += clock() - start
        found = index.matches(prepared, floor)
        dropped = any(score >= THRESHOLD for _, score in found)
        made.dropped.append(dropped)
        if not dropped:
            index.add(str(number), prepared)
    total = (time.process_time() - begun) / len(texts) * 1e6
    made.normalise = total * normalise / (clock() - wall)
    made.search = total - made.normalise
    return made


def brute_force(language: str, texts: Sequence[str], reference: list[bool] | None) -> Outcome:
    """Exact similarity with every kept text, counted over lists of the texts that hold each n-gram."""
    holders: dict[str, array[int]] = {}
    sizes, made, begun = list[int](), Outcome(""), time.process_time()
    for text in texts:
        grams = features(phi(text), NGRAM[language])
        lists = [np.frombuffer(holders[gram], dtype=np.int32) for gram in grams if gram in holders]
        common = np.bincount(np.concatenate(lists), minlength=len(sizes)) if lists else np.zeros(len(sizes))
        union = len(grams) + np.array(sizes) - common
        dropped = bool(sizes) and bool(np.any(common / union >= THRESHOLD))
        made.dropped.append(dropped)
        del lists
        if not dropped:
            for gram in grams:
                holders.setdefault(gram, array("i")).append(len(sizes))
            sizes.append(len(grams))
    made.search = (time.process_time() - begun) / len(texts) * 1e6
    return made


def plain_sets(language: str, texts: Sequence[str], reference: list[bool] | None) -> Outcome:
    """A loop over Python sets, the plainest of all."""
    kept, made, begun = list[frozenset[str]](), Outcome(""), time.process_time()
    for text in texts:
        grams = features(phi(text), NGRAM[language])
        dropped = any(jaccard(grams, other) >= THRESHOLD for other in kept)
        made.dropped.append(dropped)
        if not dropped:
            kept.append(grams)
    made.search = (time.process_time() - begun) / len(texts) * 1e6
    return made


def datasketch_lsh(language: str, texts: Sequence[str], reference: list[bool] | None) -> Outcome:
    """MinHashLSH with its own defaults, 128 permutations, without checking what it finds."""
    from datasketch import MinHash, MinHashLSH

    lsh, made, begun = MinHashLSH(threshold=THRESHOLD, num_perm=128), Outcome(""), time.process_time()
    for number, text in enumerate(texts):
        sketch = MinHash(num_perm=128)
        grams = features(phi(text), NGRAM[language])
        sketch.update_batch([gram.encode("utf-8", "surrogatepass") for gram in grams])
        dropped = bool(lsh.query(sketch))
        made.dropped.append(dropped)
        if not (reference[number] if reference else dropped):
            lsh.insert(number, sketch)
    made.search = (time.process_time() - begun) / len(texts) * 1e6
    return made
