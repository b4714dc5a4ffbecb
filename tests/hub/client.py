"""Start a Hub, tell it what to do, and reach it with the real clients."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WRITER, READER, STRANGER = "hf_writer", "hf_reader", "hf_stranger"
_NOT_OURS = ("HF_", "HUGGING")
"""Beginnings of the names of variables that the Hub's tools read: theirs would lead to another Hub."""


@dataclass(frozen=True)
class RunningHub:
    """A Hub in a process of its own."""

    url: str

    def admin(self, what: str, **given: Any) -> Any:
        """Ask for something that no client can."""
        request = urllib.request.Request(
            f"{self.url}/_admin/{what}", data=json.dumps(given).encode(), method="POST"
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=90) as reply:
            return json.loads(reply.read())

    def fault(self, method: str, path: str, **rule: Any) -> None:
        """Let the next matching request fail; the fields are those of ``faults.Fault``."""
        self.admin("fault", method=method, path=path, **rule)

    def repo(self, name: str) -> Any:
        """What a repository holds; None without one."""
        return self.admin("repo", repo=name)

    def log(self) -> list[str]:
        """Requests so far, as METHOD PATH."""
        return list(self.admin("log"))

    def environment(self, home: Path, token: str | None = WRITER) -> dict[str, str]:
        """Variables for a client: they are read when it is imported, so it needs a process of its own."""
        kept = {name: value for name, value in os.environ.items() if not _is_dropped(name)}
        return {**kept, **self.variables(home, token), "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"}

    def variables(self, home: Path, token: str | None = WRITER) -> dict[str, str]:
        """The variables of the Hub's own tools alone, and where we keep verified copies."""
        given = {
            "HF_ENDPOINT": self.url,
            "HF_HOME": str(home),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
            "HF_HUB_DISABLE_IMPLICIT_TOKEN": "0",
            "SALITRAP_CACHE": str(home / "salitrap"),
        }
        return {**given, "HF_TOKEN": token} if token else given

    def python(self, code: str, home: Path, token: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run Python code with the real clients, a cache of its own, and this Hub."""
        return self.run([sys.executable, "-c", code], home, token)

    def run(
        self, arguments: Sequence[str], home: Path, token: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run any program with the variables of this Hub."""
        return subprocess.run(
            arguments,
            env=self.environment(home, token),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def start(self, code: str, home: Path, token: str | None = WRITER) -> subprocess.Popen[str]:
        """Start Python code, for a test that kills it in the middle."""
        environment = self.environment(home, token)
        return subprocess.Popen([sys.executable, "-c", code], env=environment, text=True)


def _is_dropped(name: str) -> bool:
    return name.upper().endswith("_PROXY") or name.startswith(_NOT_OURS)


@contextmanager
def running_hub() -> Iterator[RunningHub]:
    """Run a Hub until the block ends."""
    server = [sys.executable, "-m", "tests.hub.server", "--until-eof"]
    with subprocess.Popen(
        server, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            port = process.stdout.readline().strip()
            assert port, "the Hub of the tests did not start"
            yield RunningHub(f"http://127.0.0.1:{port}")
        finally:
            process.kill()
