"""One stack in its own process, which runs a burst of calls whenever it is told to.

    python -m benchmarks.throughput.worker STACK URL IN_FLIGHT

Each line of standard input is ``FIRST LAST``; each line of standard output is one JSON object.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.throughput.files import allow_many_files
from benchmarks.throughput.stacks import STACKS, Call

KIB_PER_MIB = 1024.0


async def work(stack: str, url: str, in_flight: int) -> None:
    """Open the stack, tell what that took, then run bursts until standard input ends."""
    allow_many_files()
    started = time.perf_counter()
    async with STACKS[stack].opened(url, in_flight) as call:
        tell(open_seconds=time.perf_counter() - started, rss_mb=memory("VmRSS"))
        while line := await asyncio.to_thread(sys.stdin.readline):
            first, last = map(int, line.split())
            tell(**await burst(call, range(first, last), in_flight))


async def burst(call: Call, numbers: range, in_flight: int) -> dict[str, Any]:
    """Make the calls with ``in_flight`` workers. Garbage of before is not this burst's."""
    gc.collect()
    waiting = iter(numbers)

    async def one_worker() -> int:
        return sum([await call(number) for number in waiting])

    wall, cpu = time.perf_counter(), time.process_time()
    right = await asyncio.gather(*(one_worker() for _ in range(in_flight)))
    return {
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - cpu,
        "right": sum(right),
        "rss_mb": memory("VmRSS"),
        "peak_mb": memory("VmHWM"),
    }


def memory(name: str) -> float:
    """A line of this process's status (Linux), in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / KIB_PER_MIB


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], sys.argv[2], int(sys.argv[3])))
