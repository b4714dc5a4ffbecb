"""SIGKILL at any moment: results as of an undisturbed job, and only calls under way are repeated."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from salitrap.providers.open import read_spend
from tests.providers.helpers import journal_at, settings
from tests.providers.journal.job import IN_FLIGHT
from tests.providers.journal.job_server import CALLS, first_is_prose

PROJECT = Path(__file__).parents[3]
REQUESTS = CALLS + sum(first_is_prose(number) for number in range(CALLS))


@contextmanager
def running(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A module of this folder in a process of its own, killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@dataclass
class World:
    """A server with its log, a nursery for jobs, and what was under way at each kill."""

    url: str
    log: Path
    nursery: subprocess.Popen[str]
    open_at_kill: list[Counter[int]] = field(default_factory=list)
    open_at_server: list[int] = field(default_factory=list)

    def say(self, line: str) -> int:
        assert self.nursery.stdin and self.nursery.stdout
        self.nursery.stdin.write(f"{line}\n")
        self.nursery.stdin.flush()
        return int(self.nursery.stdout.readline())

    def seen(self, since: int = 0) -> list[list[str]]:
        """Lines of the log: in or out, number of the call, monotonic time."""
        return [line.split() for line in self.log.read_text(encoding="utf-8").splitlines()[since:]]

    def requests(self, since: int = 0) -> Counter[int]:
        return Counter(int(number) for what, number, _ in self.seen(since) if what == "in")

    def finish(self, folder: Path) -> str:
        folder.mkdir(exist_ok=True)
        self.say(f"{self.url} {folder}")
        assert self.say("") == 0
        return (folder / "results").read_text(encoding="utf-8")

    def kill(self, folder: Path, requests: int, pause: float) -> None:
        """Start a job and kill it ``pause`` seconds after it has sent ``requests``."""
        folder.mkdir(exist_ok=True)
        since = len(self.seen())
        pid = self.say(f"{self.url} {folder}")
        deadline = time.monotonic() + 20
        while self.requests(since).total() < requests and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(pause)
        killed = time.monotonic()
        os.kill(pid, signal.SIGKILL)
        assert self.say("") == -signal.SIGKILL
        time.sleep(0.06)
        self._note(folder, since, killed)

    def _note(self, folder: Path, since: int, killed: float) -> None:
        done = folder / "done"
        finished = {int(line) for line in done.read_text().split()} if done.exists() else set()
        sent = self.requests(since)
        self.open_at_kill.append(Counter({number: n for number, n in sent.items() if number not in finished}))
        before = [line for line in self.seen(since) if float(line[2]) <= killed]
        self.open_at_server.append(sum(1 if what == "in" else -1 for what, _, _ in before))


@contextmanager
def world(tmp_path: Path) -> Iterator[World]:
    log = tmp_path / "log"
    log.touch()
    with (
        running("tests.providers.journal.job_server", log) as server,
        running("tests.providers.journal.job") as nursery,
    ):
        assert server.stdout
        yield World(f"http://127.0.0.1:{server.stdout.readline().strip()}/v1", log, nursery)


@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.long)])
def test_killed_job_ends_like_an_undisturbed_one_and_repeats_only_what_was_under_way(
    tmp_path: Path, kills: int
) -> None:
    """Of a conversation that is being asked again too, no more than the one request that was under way."""
    draw = random.Random(kills)
    with world(tmp_path) as here:
        whole = here.finish(tmp_path / "whole")
        assert here.requests().total() == REQUESTS
        since = len(here.seen())
        for _ in range(kills):
            here.kill(tmp_path / "killed", draw.randint(0, 1500 // kills // 2), draw.uniform(0, 0.05))
        assert here.finish(tmp_path / "killed") == whole
        requests = here.requests(since)
    assert all(0 <= count <= IN_FLIGHT for count in here.open_at_server), here.open_at_server
    for under_way in here.open_at_kill:
        assert sum(not first_is_prose(number) for number in under_way) <= IN_FLIGHT
        assert all(count == 1 or first_is_prose(number) for number, count in under_way.items())
    lost = sum((Counter(set(under_way)) for under_way in here.open_at_kill), Counter())
    for number in range(CALLS):
        repeated = requests[number] - (2 if first_is_prose(number) else 1)
        assert 0 <= repeated <= lost[number], f"call {number} was not under way at a kill, and was sent again"
    assert requests.total() - REQUESTS <= lost.total()
    spend = read_spend(journal_at(tmp_path / "killed"), settings(f"openai/m@{here.url}"))
    assert requests.total() <= spend.calls <= requests.total() + kills * IN_FLIGHT, (
        "what was under way at a kill counts: it may have been paid for"
    )
