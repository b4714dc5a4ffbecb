"""Start a Hub, tell it what to do, and reach it with the real clients."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WRITER, READER, STRANGER = "hf_writer", "hf_reader", "hf_stranger"
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


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
        kept = {
            name: value for name, value in os.environ.items() if name not in _PROXIES and name[:3] != "HF_"
        }
        return {**kept, **self.variables(home, token), "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"}

    def variables(self, home: Path, token: str | None = WRITER) -> dict[str, str]:
        """The variables of the Hub's own tools alone."""
        given = {
            "HF_ENDPOINT": self.url,
            "HF_HOME": str(home),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
            "HF_HUB_DISABLE_IMPLICIT_TOKEN": "0",
        }
        return {**given, "HF_TOKEN": token} if token else given

    def python(self, code: str, home: Path, token: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run Python code with the real clients, a cache of its own, and this Hub."""
        return subprocess.run(
            [sys.executable, "-c", code],
            env=self.environment(home, token),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


@contextmanager
def running_hub() -> Iterator[RunningHub]:
    """Run a Hub until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.hub.server"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield RunningHub(f"http://127.0.0.1:{int(process.stdout.readline())}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
