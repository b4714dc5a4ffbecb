"""Interrupted at any request: no tag without its content, and the next publish ends as if undisturbed."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from salitrap.errors import SalitrapError
from tests.exports.hub.conftest import Send
from tests.exports.hub.samples import REPO
from tests.hub.client import RunningHub


def whole(folder: Path) -> dict[str, str]:
    """Hashes of a dataset folder's files."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


@pytest.mark.long
@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_connection_that_breaks_off_at_any_request(
    hub: RunningHub, send: Send, first: Path, second: Path, cut: str
) -> None:
    send(first)
    before = len(hub.log())
    send(second)
    undisturbed, requests = hub.repo(REPO), hub.log()[before:]
    assert len(requests) > 30
    seen, stopped = Counter[str](), 0
    for request in requests:
        method, path = request.split(" ", 1)
        hub.admin("reset")
        send(first)
        later = seen[request]
        seen[request] += 1
        hub.fault(method, f"^{_anywhere(path)}$", cut=cut, skip=later)
        try:
            send(second)
        except SalitrapError:
            stopped += 1
        held = hub.repo(REPO)
        assert set(held["tags"]) <= {"v1.0.0", "v1.1.0"}
        if "v1.1.0" in held["tags"]:
            assert held["tags"]["v1.1.0"] == held["head"]
            assert whole(second).items() <= held["files"].items()
        hub.admin("clear_faults")
        send(second)
        after = hub.repo(REPO)
        assert (after["titles"], after["files"]) == (undisturbed["titles"], undisturbed["files"]), request
        assert set(after["tags"]) == {"v1.0.0", "v1.1.0"} and after["tags"]["v1.1.0"] == after["head"]
    assert stopped > len(requests) // 4


def _anywhere(path: str) -> str:
    """A pattern of a path in which any commit may stand: SHAs differ from repository to repository."""
    return re.sub(r"[0-9a-f]{40}", "[0-9a-f]{40}", re.escape(path))
