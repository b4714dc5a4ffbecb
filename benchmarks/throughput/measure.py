"""Start the server and the stacks, and let them run by turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.throughput.stacks import STACKS

ROOT = Path(__file__).parents[2]
WARM_UP_CALLS_A_SLOT = 2
LEFT_OUT = ("OPENAI_", "ANTHROPIC_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "LITELLM_")
"""Variables that would change a stack behind our back: OPENAI_BASE_URL alone moves DSPy to LiteLLM."""


@dataclass(frozen=True)
class Plan:
    """One comparison. ``latency`` is seconds a reply; a warm-up goes before each round, outside its time."""

    stacks: Sequence[str]
    calls: int
    in_flight: int
    latency: float
    rounds: int
    warm_up: bool = True


@dataclass(frozen=True)
class Round:
    """What a stack said of one round, and what the server saw of it. Memory in MiB."""

    seconds: float
    cpu_seconds: float
    right: int
    rss_mb: float
    peak_mb: float
    calls: int
    most_at_once: int


@dataclass
class Measured:
    """One stack; ``open_seconds`` is imports and set-up, ``open_rss_mb`` memory before the first call."""

    stack: str
    open_seconds: float
    open_rss_mb: float
    rounds: list[Round] = field(default_factory=list)


class Process:
    """A worker that is told over standard input what to do."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment(os.environ),
        )

    def heard(self) -> Any:
        """The next line it says.

        Raises:
            RuntimeError: it ended; what it said about that is on standard error.
        """
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(self._command)} ended early; see above")
        return json.loads(line)

    def told(self, line: str) -> Any:
        """Send a line and return the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self.heard()

    def close(self) -> None:
        """Let it end; a worker that does not is killed."""
        try:
            self._process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


def environment(given: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if not name.upper().startswith(LEFT_OUT)}


@contextmanager
def running(*command: str) -> Iterator[Process]:
    process = Process(command)
    try:
        yield process
    finally:
        process.close()


class Lane:
    """A stack's process, and the server as that stack sees it. No question is asked twice."""

    def __init__(self, name: str, address: str, in_flight: int, stack: ExitStack) -> None:
        self._seen_at = f"{address}/{name}"
        self._in_flight = in_flight
        self._next = 0
        url = f"{address}/{STACKS[name].form}/{name}/v1"
        command = ("benchmarks.throughput.worker", name, url, str(in_flight))
        self._worker = stack.enter_context(running(*command))
        opened = self._worker.heard()
        self.measured = Measured(name, opened["open_seconds"], opened["rss_mb"])

    def warm_up(self) -> None:
        """Go on until the server sees as many requests at once as it should, or no more than before."""
        before, now = -1, 0
        while before < now < self._in_flight:
            before, now = now, self._burst(WARM_UP_CALLS_A_SLOT * self._in_flight).most_at_once

    def run(self, calls: int) -> None:
        """Measure one round."""
        self.measured.rounds.append(self._burst(calls))

    def _burst(self, calls: int) -> Round:
        first, self._next = self._next, self._next + calls
        told = self._worker.told(f"{first} {self._next}")
        return Round(**told, **_seen(self._seen_at))


def measure(plan: Plan) -> list[Measured]:
    """Run every stack ``plan.rounds`` times, in another order each round.

    Raises:
        RuntimeError: a process ended early.
    """
    with ExitStack() as stack:
        port = stack.enter_context(running("benchmarks.throughput.server", str(plan.latency))).heard()
        address = f"http://127.0.0.1:{port}"
        lanes = [Lane(name, address, plan.in_flight, stack) for name in plan.stacks]
        for number in range(plan.rounds):
            first = number % len(lanes)
            for lane in lanes[first:] + lanes[:first]:
                if plan.warm_up:
                    lane.warm_up()
                lane.run(plan.calls)
        return [lane.measured for lane in lanes]


def _seen(url: str) -> Any:
    """What the server counted for a stack since it was last asked."""
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url) as reply:
        return json.load(reply)
