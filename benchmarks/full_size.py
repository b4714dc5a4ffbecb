"""The paper's size on the lab: time, calls, memory, funnel and composition of ``salitrap demo --items N``.

    python -m benchmarks.full_size [--items 1145] [--also 290] [--json]

Every model is simulated. ``--also`` repeats it at another size, to compare peak memory. Memory is the
high-water mark of the resident set (VmHWM) of the command's own process before the finished dataset is
read back by ``datasets``, and of the lab's process; both need Linux.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

POLL_SECONDS = 0.1
MIB = 1024
PAPER = {"D1": (195, 6.9), "D2": (164, 6.6), "D3": (301, 5.4), "D4": (485, 5.9), "all": (1145, None)}
"""Items and mean |n| by dimension (paper, table 3)."""


@dataclass
class Measured:
    """One run of the demo; memory in MiB, time in seconds."""

    items_asked: int
    seconds: float = 0.0
    peak: int = 0
    peak_lab: int = 0
    peak_at_build: int = 0
    calls: int = 0
    seeds: int = 0
    items: int = 0
    funnel: dict[str, Any] = field(default_factory=dict)
    composition: list[dict[str, Any]] = field(default_factory=list)


def measure(items: int, run: Path) -> Measured:
    """Run the demo of ``items`` items in ``run`` and look at what it took and made.

    Raises:
        RuntimeError: the demo failed; the message has what it said.
    """
    measured = Measured(items)
    started, log = time.monotonic(), run.parent / "log"
    command = [sys.executable, "-m", "salitrap", "demo", "--items", str(items), "--run", str(run)]
    with log.open("w") as told:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told)
        while process.poll() is None:
            _sample(process.pid, run, measured)
            time.sleep(POLL_SECONDS)
    measured.seconds = time.monotonic() - started
    if process.returncode:
        raise RuntimeError(f"the demo ended with exit code {process.returncode}: {log.read_text()}")
    _look(run, measured)
    return measured


def _sample(pid: int, run: Path, measured: Measured) -> None:
    peak = _high_water(pid)
    measured.peak = max(measured.peak, peak)
    if not (run / "dataset").exists():
        measured.peak_at_build = max(measured.peak_at_build, peak)
    for child in _children(pid):
        measured.peak_lab = max(measured.peak_lab, _high_water(child))


def _high_water(pid: int) -> int:
    """VmHWM in MiB; 0 for a process that is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) // MIB if lines else 0


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _look(run: Path, measured: Measured) -> None:
    status = json.loads(_told("status", str(run), "--json"))
    measured.calls = status["spend"]["calls"]
    measured.funnel = status["funnel"]
    measured.seeds = status["funnel"]["seeds"]["accepted"]
    rows = [
        json.loads(line)
        for path in sorted((run / "dataset" / "jsonl" / "items").iterdir())
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    measured.items = len(rows)
    tags = sorted({row["dimension_tag"] for row in rows})
    measured.composition = [_line(tag, [row for row in rows if row["dimension_tag"] == tag]) for tag in tags]
    measured.composition.append(_line("all", rows))


def _told(*arguments: str) -> str:
    command = [sys.executable, "-m", "salitrap", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _line(tag: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "tag": tag,
        "items": len(rows),
        "families": len({row["seed_id"] for row in rows}),
        "mean_numbers": sum(len(row["injected_numbers"]) for row in rows) / len(rows),
        "mean_naturalness": sum(row["naturalness_score"] for row in rows) / len(rows),
        "strong": sum(row["attack_tier"] == "strong" for row in rows),
    }


def show(measured: Measured) -> None:
    print(
        f"demo --items {measured.items_asked}: {measured.items} items of {measured.seeds} seeds, "
        f"{measured.seconds:.0f} s, {measured.calls:,} calls"
    )
    print(
        f"peak memory: {measured.peak_at_build} MiB until the dataset is built, {measured.peak} MiB at all, "
        f"{measured.peak_lab} MiB in the lab's process"
    )
    print(f"funnel: {json.dumps(measured.funnel)}")
    print("| | items | families | mean \\|n\\| | naturalness | strong | paper: items | paper: mean \\|n\\| |")
    print("|---|---|---|---|---|---|---|---|")
    for line in measured.composition:
        items, numbers = PAPER.get(line["tag"], ("", None))
        print(
            f"| {line['tag']} | {line['items']} | {line['families']} | {line['mean_numbers']:.1f} | "
            f"{line['mean_naturalness']:.2f} | {line['strong']} | {items} | {numbers or ''} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1145)
    parser.add_argument("--also", type=int, help="another size, to compare memory with")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for size in filter(None, (options.also, options.items)):
        with tempfile.TemporaryDirectory() as folder:
            measured = measure(size, Path(folder) / "run")
        print(json.dumps(asdict(measured))) if options.json else show(measured)


if __name__ == "__main__":
    main()
