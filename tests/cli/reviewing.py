"""``salitrap review`` in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cli.helpers import command, environment


@dataclass(frozen=True, slots=True)
class Served:
    """A review that is open at ``url``."""

    process: subprocess.Popen[str]
    url: str
    port: int

    def end(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """Exit code and stderr after a signal."""
        self.process.send_signal(number)
        _, told = self.process.communicate(timeout=60)
        return self.process.returncode, told


@contextmanager
def review(directory: Path, *options: str) -> Iterator[Served]:
    """Open a run for review, without a browser."""
    process = subprocess.Popen(
        command("review", directory, "--no-browser", "--json", *options),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield _served(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def _served(process: subprocess.Popen[str]) -> Served:
    assert process.stdout is not None
    told = ""
    for line in process.stdout:
        told += line
        if line.rstrip() == "}":
            found = json.loads(told)
            return Served(process, found["url"], found["port"])
    raise AssertionError(process.communicate()[1])
