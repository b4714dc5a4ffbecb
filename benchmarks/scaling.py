"""Scaling on the lab: allocation, duplicates by brute force, coverage of niches, and the same for any timing.

    python -m benchmarks.scaling [--seeds 2000] [--workers 1 16] [--viability off|A|A-|B] [--json]

Every model is simulated. The seeds are spread over the built-in dimensions in both languages. Each number
of workers is a run of its own, in which every reply arrives after a random pause; the runs must come to the
same seeds. Allocation is looked at after every wave. All pairs of accepted seeds of a language are compared.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from curation.cells import CellEnd, cells_of
from curation.coverage import coverage_of, share_covered
from curation.programs import default_programs
from curation.registry import Registry
from curation.registry.queries import accepted_seeds, rejections
from curation.registry.waves import counts_so_far, newest_wave
from curation.scale import run_scale
from curation.stage import Silence
from curation.tools import Tools
from salitrap.providers.access import Access, Answered, Asked, PromptRef
from salitrap.providers.open import open_access
from salitrap.records import Fault, Language, Role, Seed, Stage, content_hash
from salitrap.settings import Settings
from salitrap.text import features, phi
from seeds import load_domains

LONGEST_PAUSE = 0.004
CELLS = 8


@dataclass
class Scaled:
    """One run; ``spread`` is the largest difference between cells after any wave, ``pairs`` too similar."""

    workers: int
    wanted: int
    seconds: float = 0.0
    calls: int = 0
    drafts: int = 0
    waves: int = 0
    accepted: int = 0
    by_cell: dict[str, int] = field(default_factory=dict)
    spread: int = 0
    batch_size: int = 0
    compared: int = 0
    pairs: int = 0
    closest: float = 0.0
    coverage: float = 0.0
    coverage_by_axis: dict[str, float] = field(default_factory=dict)
    rejected: dict[str, int] = field(default_factory=dict)
    digest: str = ""


class PausingAccess:
    """At most ``workers`` calls at a time, each after a random pause, so that replies arrive in any order."""

    def __init__(self, access: Access, workers: int) -> None:
        self._access, self._slots = access, asyncio.Semaphore(workers)
        self._random, self.calls = random.Random(workers), 0

    async def ask(
        self,
        role: Role,
        predict: Any,
        inputs: Mapping[str, Any],
        prompt: PromptRef,
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Asked:
        async with self._slots:
            self.calls += 1
            await asyncio.sleep(self._random.random() * LONGEST_PAUSE)
            return await self._access.ask(role, predict, inputs, prompt, slot=slot, repeat=repeat)

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        raise AssertionError("scaling asks no solver")


class Evenness(Silence):
    """Looks at the cells after every wave."""

    def __init__(self, registry: Registry) -> None:
        self._registry, self.spread = registry, 0

    def advanced(self, stage: Stage, done: int, counts: Mapping[str, int]) -> None:
        wave = newest_wave(self._registry)
        going = [cell.accepted for cell in wave.cells if cell.end is not CellEnd.EXHAUSTED] if wave else []
        self.spread = max(self.spread, max(going, default=0) - min(going, default=0))


def settings_of(seeds: int, workers: int, viability: str = "off") -> Settings:
    """Both languages, and the same target for each of the eight cells."""
    target = -(-seeds // CELLS)
    pools = {
        role: {"endpoints": [{"spec": f"lab/{role}", "in_flight": workers}], "temperature": 0.6}
        for role in ("generator", "checker")
    }
    return Settings.model_validate(
        {
            "name": "scaling",
            "targets": {"default": {"en": target, "zh": target}},
            "roles": pools,
            "scale": {"viability": viability},
        }
    )


def measure(seeds: int, workers: int, folder: Path, viability: str = "off") -> Scaled:
    """Scale to ``seeds`` in the empty ``folder`` and look at what came of it."""
    return asyncio.run(_measure(seeds, workers, folder, viability))


async def _measure(seeds: int, workers: int, folder: Path, viability: str) -> Scaled:
    settings, domains = settings_of(seeds, workers, viability), load_domains(("builtin",))
    scaled = Scaled(workers, seeds, batch_size=settings.scale.batch_size)
    registry = Registry.open(folder / "registry.sqlite")
    try:
        registry.set_targets({cell.key: cell.target for cell in cells_of(settings, domains)})
        evenness, started = Evenness(registry), time.monotonic()
        async with open_access(settings, folder / "journal.sqlite") as access:
            pausing = PausingAccess(access, workers)
            tools = Tools(pausing, default_programs(), settings)
            await run_scale(tools, domains, registry, evenness)
        scaled.seconds, scaled.calls = time.monotonic() - started, pausing.calls
        scaled.spread = evenness.spread
        _look(scaled, registry, domains, settings)
    finally:
        registry.close()
    return scaled


def _look(scaled: Scaled, registry: Registry, domains: Sequence[Any], settings: Settings) -> None:
    accepted, counts = list(accepted_seeds(registry)), counts_so_far(registry)
    scaled.accepted, scaled.drafts = len(accepted), counts.drafts
    wave = newest_wave(registry)
    assert wave is not None
    scaled.waves = wave.number
    scaled.by_cell = {f"{cell.tag} {cell.language.value}": cell.accepted for cell in wave.cells}
    covered = coverage_of(registry, domains)
    scaled.coverage = share_covered(covered)
    scaled.coverage_by_axis = {
        f"{cell.dimension_tag} {cell.language.value} {axis.axis}": axis.share
        for cell in covered
        for axis in cell.axes
    }
    query = "SELECT fault, COUNT(*) FROM rejections WHERE stage = 'scale' GROUP BY fault ORDER BY fault"
    scaled.rejected = {fault: int(count) for fault, count in registry.connection.execute(query)}
    refused = [(one.subject_id, one.fault.value, one.reason) for one in rejections(registry)]
    scaled.digest = content_hash([[seed.seed_id for seed in accepted], refused, wave.model_dump(mode="json")])
    for language in Language:
        mine = [seed for seed in accepted if seed.language is language]
        for fault in (Fault.SIMILAR_PROMPT, Fault.SIMILAR_TRAP_CORE):
            _compare(scaled, mine, language, fault, settings)


def _compare(
    scaled: Scaled, seeds: Sequence[Seed], language: Language, fault: Fault, settings: Settings
) -> None:
    """Every pair, as filters f2 and f3 compare it: two equal parts of a triple lower the threshold."""
    similarity = settings.scale.similarity
    english, prompts = language is Language.EN, fault is Fault.SIMILAR_PROMPT
    threshold = similarity.alphabetic_threshold if english else similarity.cjk_threshold
    threshold = threshold if prompts else similarity.core_threshold
    texts = [seed.prompt if prompts else seed.trap_core for seed in seeds]
    scores = _scores(texts, similarity.alphabetic_ngram if english else similarity.cjk_ngram)
    scaled.compared += len(texts) * (len(texts) - 1) // 2
    scaled.closest = max(scaled.closest, float(scores.max(initial=0.0)))
    for one, other in np.argwhere(scores >= threshold - similarity.near_triple_discount):
        near = _near_triple(seeds[one], seeds[other])
        limit = threshold - (similarity.near_triple_discount if near else 0.0)
        scaled.pairs += bool(one < other and scores[one, other] >= limit)


def _scores(texts: Sequence[str], n: int) -> np.ndarray[Any, Any]:
    """Jaccard similarity of all pairs by one matrix product; the diagonal is 0."""
    sets = [features(phi(text), n) for text in texts]
    columns = {one: index for index, one in enumerate(sorted(frozenset().union(*sets)))}
    matrix = np.zeros((len(sets), len(columns)), dtype=np.float32)
    for row, found in enumerate(sets):
        matrix[row, [columns[one] for one in found]] = 1.0
    shared, sizes = matrix @ matrix.T, matrix.sum(axis=1)
    scores = np.divide(shared, sizes[:, None] + sizes[None, :] - shared).astype(np.float64)
    np.fill_diagonal(scores, 0.0)
    return scores


def _near_triple(one: Seed, other: Seed) -> bool:
    parts = zip(one.triple.model_dump().values(), other.triple.model_dump().values(), strict=True)
    return (
        one.dimension_tag == other.dimension_tag and sum(a.casefold() == b.casefold() for a, b in parts) > 1
    )


def show(runs: Sequence[Scaled]) -> None:
    """The figures as a Markdown table, and whether all runs came to the same seeds."""
    print("| workers | " + " | ".join(str(run.workers) for run in runs) + " |")
    print("|---|" + "---|" * len(runs))
    rows = {
        "seeds wanted": lambda run: run.wanted,
        "seeds accepted": lambda run: run.accepted,
        "fewest seeds of a cell": lambda run: min(run.by_cell.values()),
        "most seeds of a cell": lambda run: max(run.by_cell.values()),
        "largest difference between cells after any wave": lambda run: run.spread,
        "seeds a batch": lambda run: run.batch_size,
        "pairs compared": lambda run: f"{run.compared:,}",
        "pairs above a threshold": lambda run: run.pairs,
        "closest pair": lambda run: f"{run.closest:.3f}",
        "niche values used": lambda run: f"{100 * run.coverage:.1f} %",
        "lowest axis of a cell": lambda run: f"{100 * min(run.coverage_by_axis.values()):.1f} %",
        "drafts decided": lambda run: run.drafts,
        "calls": lambda run: run.calls,
        "waves": lambda run: run.waves,
        "seconds": lambda run: f"{run.seconds:.0f}",
    }
    for name, value in rows.items():
        print(f"| {name} | " + " | ".join(str(value(run)) for run in runs) + " |")
    same = len({run.digest for run in runs}) == 1
    print(f"\nSame seeds in the same order, same rejections with the same reasons: {'yes' if same else 'NO'}")
    print(f"Rejected: {json.dumps(runs[0].rejected)}")


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--viability", choices=("off", "A", "A-", "B"), default="off")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    runs = []
    for workers in options.workers:
        with tempfile.TemporaryDirectory() as folder:
            runs.append(measure(options.seeds, workers, Path(folder), options.viability))
    print(json.dumps([asdict(run) for run in runs])) if options.json else show(runs)


if __name__ == "__main__":
    main()
