"""The Hub of the tests as a process: alone, between tests, and under two clients at once."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.hub.client import ROOT, WRITER, RunningHub
from tests.hub.scripts import REPO, ask

THEIRS = ("HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE", "HF_HUB_CACHE", "https_proxy", "All_Proxy")
IDS = 'api.create_repo(REPO, **KIND); TOLD["sha"] = send({"a.txt": "a"})'


def status(hub: RunningHub, path: str, body: bytes = b"{}", token: str = WRITER) -> int:
    """Send without the client."""
    request = urllib.request.Request(
        f"{hub.url}{path}", data=body, headers={"Authorization": f"Bearer {token}"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=30) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_it_ends_when_its_parent_does() -> None:
    server = [sys.executable, "-m", "tests.hub.server", "--port", "0", "--until-eof"]
    with subprocess.Popen(
        server, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        assert int(process.stdout.readline()) > 0
        process.stdin.close()
        assert process.wait(20) == 0


def test_the_same_commit_in_another_test_has_another_sha(hub: RunningHub, tmp_path: Path) -> None:
    first = ask(hub, tmp_path / "one", IDS)
    hub.admin("reset")
    assert ask(hub, tmp_path / "two", IDS) != first, "else a cache by SHA would carry over"


def test_of_many_commits_upon_one_parent_one_lands(hub: RunningHub) -> None:
    hub.admin("make", repo=REPO)
    header = {"key": "header", "value": {"summary": "x", "parentCommit": hub.repo(REPO)["head"]}}
    # So many files that the others arrive while the first commit is worked on.
    files = [{"key": "file", "value": {"path": f"{at}.txt", "content": "YQ=="}} for at in range(12_000)]
    body = "\n".join(json.dumps(line) for line in (header, *files)).encode()
    with ThreadPoolExecutor(8) as pool:
        path = f"/api/datasets/{REPO}/commit/main"
        found = sorted(pool.map(lambda _: status(hub, path, body), range(16)))
    assert found == [200] + [412] * 15 and hub.repo(REPO)["titles"] == ["initial commit", "x"]


@pytest.mark.parametrize(
    ("path", "body", "token", "code"),
    [
        ("/api/repos/create", b"[", WRITER, 400),
        ("/api/repos/create", b"{}", WRITER, 400),
        (f"/api/datasets/{REPO}/commit/main", b'{"key": "file"}', WRITER, 400),
        (f"/api/datasets/{REPO}/nonsense/main", b"{}", WRITER, 404),
        ("/nowhere", b"{}", WRITER, 404),
        (f"/api/datasets/{REPO}/tag/main", b'{"tag": "v1"}', "hf_nobody", 401),
    ],
)
def test_what_it_cannot_read_is_refused_and_it_goes_on(
    hub: RunningHub, path: str, body: bytes, token: str, code: int
) -> None:
    hub.admin("make", repo=REPO)
    assert status(hub, path, body, token) == code
    assert hub.repo(REPO)["titles"] == ["initial commit"] and hub.repo(REPO)["tags"] == {}


def test_clients_see_nothing_of_the_variables_of_whoever_runs_the_tests(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in THEIRS:
        monkeypatch.setenv(name, "1")
    given = hub.environment(tmp_path)
    assert not given.keys() & set(THEIRS)
    assert (given["HF_ENDPOINT"], given["HF_TOKEN"], given["HF_HOME"]) == (hub.url, WRITER, str(tmp_path))
    assert Path(given["SALITRAP_CACHE"]).is_relative_to(tmp_path), "else verified copies outlive the test"
    assert "HF_TOKEN" not in hub.environment(tmp_path, None)
