"""Refining and certifying on the lab: how busy the slots of one endpoint are, wall time, calls, memory.

    python -m benchmarks.refine [--seeds 40 400] [--slots 60] [--latency 0.5] [--check] [--json]

Every model is simulated and shares one endpoint, whose server takes ``--latency`` seconds a reply. Seeds
are scaled first, without latency and without being measured. *Busy* is the share of the slots' time in
which a request was under way, from the journal: until half, 90 % and 95 % of the requests had been sent,
and over all. What remains after that is the tail: the last rounds of the last seeds, each of which waits
for the one before. ``--check`` ends with exit code 1 when less than 90 % was busy until 90 % had been sent.
Memory is the resident set of this process after each quarter of the run's time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from curation.run import open_run, run_stages
from curation.stage import Silence
from salitrap.providers.open import open_access
from salitrap.records import Stage, content_hash
from salitrap.settings import Settings
from seeds import load_domains

CELLS = 8
SHARES = (0.5, 0.9, 0.95, 1.0)
WANTED = 90.0
"""Percent of the slots' time, until 90 % of the requests had been sent."""

SAMPLE_SECONDS = 0.25
MIB = 2**20


@dataclass
class Measured:
    """One run; ``busy`` in percent by share of requests sent, ``memory`` in MiB by quarter of the time."""

    seeds: int
    slots: int
    latency: float
    accepted: int = 0
    items: int = 0
    calls: int = 0
    seconds: float = 0.0
    ideal: float = 0.0
    busy: dict[float, float] = field(default_factory=dict)
    memory: list[float] = field(default_factory=list)
    digest: str = ""


def settings_of(seeds: int, slots: int, latency: float) -> Settings:
    """Both languages, the same target for each of the eight cells, one endpoint for all roles."""
    target = -(-seeds // CELLS)
    endpoint = {"spec": "lab/solver-a", "in_flight": slots}
    pools = {
        role: {"endpoints": [endpoint], "temperature": 0.2, "max_tokens": 4000}
        for role in ("generator", "writer", "checker", "solver", "judge")
    }
    return Settings.model_validate(
        {
            "name": "refine",
            "targets": {"default": {"en": target, "zh": target}},
            "roles": pools,
            "lab": {"latency": latency},
        }
    )


def measure(seeds: int, slots: int, latency: float, folder: Path) -> Measured:
    """Scale, then refine and certify in the empty ``folder``."""
    asyncio.run(_stages(settings_of(seeds, slots, 0.0), folder, (Stage.SCALE,)))
    measured = Measured(seeds, slots, latency)
    before = _calls(folder)
    started = time.monotonic()
    samples = asyncio.run(_stages(settings_of(seeds, slots, latency), folder, (Stage.REFINE, Stage.CERTIFY)))
    measured.seconds = time.monotonic() - started
    spans = _spans(folder, before)
    measured.calls, measured.ideal = len(spans), sum(end - begin for begin, end in spans) / slots
    measured.busy = {share: _busy(spans, slots, share) for share in SHARES}
    measured.memory = [samples[len(samples) * quarter // 4 - 1] for quarter in (1, 2, 3, 4)]
    _look(measured, folder)
    return measured


async def _stages(settings: Settings, folder: Path, stages: Sequence[Stage]) -> list[float]:
    """Run ``stages``; memory in MiB, sampled all the while."""
    samples = list[float]()
    with open_run(folder, settings, load_domains(("builtin",))) as run:
        async with open_access(settings, run.layout.journal) as access:
            sampling = asyncio.create_task(_sample(samples))
            await run_stages(run, access, stages, Silence())
            sampling.cancel()
    return samples


async def _sample(samples: list[float]) -> None:
    while True:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        samples.append(pages * resource.getpagesize() / MIB)
        await asyncio.sleep(SAMPLE_SECONDS)


def _calls(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "journal.sqlite")) as journal:
        return int(journal.execute("SELECT COALESCE(MAX(id), 0) FROM calls").fetchone()[0])


def _spans(folder: Path, after: int) -> list[tuple[float, float]]:
    """When each request was sent and when it ended, in seconds, in the order in which they were sent."""
    query = "SELECT started_at, latency_ms FROM calls WHERE id > ?"
    with closing(sqlite3.connect(folder / "journal.sqlite")) as journal:
        rows = journal.execute(query, (after,)).fetchall()
    begun = [(datetime.fromisoformat(started).timestamp(), latency / 1000) for started, latency in rows]
    return sorted((begin, begin + seconds) for begin, seconds in begun)


def _busy(spans: Sequence[tuple[float, float]], slots: int, share: float) -> float:
    """Percent of the slots' time in use until ``share`` of the requests had been sent."""
    first = spans[0][0]
    until = max(end for _, end in spans) if share == 1.0 else spans[int(share * len(spans)) - 1][0]
    used = sum(max(0.0, min(end, until) - begin) for begin, end in spans)
    return 100 * used / (slots * (until - first))


def _look(measured: Measured, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "registry.sqlite")) as registry:
        query = "SELECT candidate_id, status, score FROM current_decisions ORDER BY candidate_id"
        rows = registry.execute(query).fetchall()
        (measured.accepted,) = registry.execute("SELECT COUNT(*) FROM active_seeds").fetchone()
        (measured.items,) = registry.execute("SELECT COUNT(*) FROM items").fetchone()
    measured.digest = content_hash([list(row) for row in rows])


def show(runs: Sequence[Measured]) -> None:
    """The figures as a Markdown table."""
    print(
        "| seeds | calls | items | seconds | no slot ever idle | busy until 50 % sent | 90 % | 95 % | all |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for run in runs:
        busy = " | ".join(f"{run.busy[share]:.1f} %" for share in SHARES)
        print(
            f"| {run.accepted} | {run.calls:,} | {run.items} | {run.seconds:.1f} | {run.ideal:.1f} | {busy} |"
        )
    for run in runs:
        told = ", ".join(f"{memory:.0f}" for memory in run.memory)
        print(f"\n{run.accepted} seeds: resident set by quarter {told} MiB; decisions {run.digest[:16]}")


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[40, 400])
    parser.add_argument("--slots", type=int, default=60)
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--check", action="store_true", help=f"fail below {WANTED:.0f} %%")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    runs = []
    for seeds in options.seeds:
        with tempfile.TemporaryDirectory() as folder:
            runs.append(measure(seeds, options.slots, options.latency, Path(folder)))
    print(json.dumps([asdict(run) for run in runs])) if options.json else show(runs)
    if options.check and any(run.busy[0.9] < WANTED for run in runs):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
