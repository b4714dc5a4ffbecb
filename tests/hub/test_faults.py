"""Every fault that the Hub of the tests offers, as the real client meets it."""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.hub.client import RunningHub
from tests.hub.scripts import PRELUDE, REPO, ask

DATA = b"PAR1" * 99
SEND = """
files = {"a.parquet": b"PAR1" * 99, "b.txt": "b"}
TOLD["refused"] = refused(send, files, parent_commit=api.dataset_info(REPO).sha)
"""
TAG = """
TOLD["refused"] = refused(api.create_tag, REPO, tag="v1", **KIND)
"""
READ = """
TOLD["refused"] = refused(lambda: TOLD.update(read=read("a.parquet").decode()))
"""


@pytest.fixture
def made(hub: RunningHub) -> RunningHub:
    hub.admin("make", repo=REPO)
    return hub


def count(hub: RunningHub, request: str) -> int:
    return sum(one.startswith(request) for one in hub.log())


def files(hub: RunningHub) -> set[str]:
    return set(hub.repo(REPO)["files"]) - {".gitattributes"}


class TestRefusals:
    def test_a_limit_on_making_repositories(self, hub: RunningHub, tmp_path: Path) -> None:
        limit = {"RateLimit": '"api";r=0;t=7', "Retry-After": "7"}
        hub.fault("POST", "/repos/create", status=429, headers=limit, body="slow down")
        code = """
            try:
                api.create_repo(REPO, **KIND)
            except Exception as error:
                reply = error.response
                TOLD.update(status=reply.status_code, text=reply.text, message=str(error))
        """
        told = ask(hub, tmp_path / "home", "if True:" + code)
        assert (told["status"], told["text"]) == (429, "slow down") and "Retry after 7 seconds" in told[
            "message"
        ]
        assert hub.repo(REPO) is None and count(hub, "POST /api/repos/create") == 1

    def test_no_right_to_commit(self, made: RunningHub, tmp_path: Path) -> None:
        made.fault("POST", "/commit/", status=403, headers={"X-Error-Message": "read-only for now"})
        assert ask(made, tmp_path / "home", SEND)["refused"] == ["HfHubHTTPError", 403]
        assert files(made) == set() and count(made, f"POST /api/datasets/{REPO}/commit/") == 1

    def test_a_failure_that_goes_away_is_retried_by_the_client(
        self, made: RunningHub, tmp_path: Path
    ) -> None:
        made.fault("POST", "/preupload/", status=500)
        made.fault("PUT", "/_lfs/", status=500)
        assert ask(made, tmp_path / "home", SEND)["refused"] is None
        assert files(made) == {"a.parquet", "b.txt"}
        assert (count(made, f"POST /api/datasets/{REPO}/preupload/"), count(made, "PUT /_lfs/")) == (2, 2)

    def test_an_upload_that_fails(self, made: RunningHub, tmp_path: Path) -> None:
        made.fault("PUT", "/_lfs/", status=403)
        assert ask(made, tmp_path / "home", SEND)["refused"][0] == "RuntimeError"
        assert files(made) == set() and count(made, f"POST /api/datasets/{REPO}/commit/") == 0

    def test_an_upload_that_did_not_arrive_whole(self, made: RunningHub, tmp_path: Path) -> None:
        made.fault("POST", "/_lfs_verify", status=404)
        assert ask(made, tmp_path / "home", SEND)["refused"][0] == "RuntimeError"
        assert files(made) == set()


class TestSomebodyElse:
    def test_commits_between_read_and_commit(self, made: RunningHub, tmp_path: Path) -> None:
        made.fault("POST", "/commit/", foreign="theirs.txt")
        assert ask(made, tmp_path / "home", SEND)["refused"] == ["HfHubHTTPError", 412]
        assert files(made) == {"theirs.txt"}
        assert ask(made, tmp_path / "again", SEND)["refused"] is None
        assert files(made) == {"theirs.txt", "a.parquet", "b.txt"}

    def test_commits_before_the_second_upload(self, made: RunningHub, tmp_path: Path) -> None:
        made.fault("POST", "lfs/objects/batch", foreign="theirs.txt", skip=1)
        assert ask(made, tmp_path / "one", SEND)["refused"] is None
        assert ask(made, tmp_path / "two", SEND.replace("PAR1", "PAR2"))["refused"] == ["HfHubHTTPError", 412]
        assert files(made) == {"a.parquet", "b.txt", "theirs.txt"}

    def test_commits_while_a_file_is_read(self, made: RunningHub, tmp_path: Path) -> None:
        made.fault("GET", "/resolve/", foreign="theirs.txt")
        assert ask(made, tmp_path / "home", SEND + READ)["refused"] is None
        assert files(made) == {"a.parquet", "b.txt", "theirs.txt"}

    def test_makes_the_same_tag(self, made: RunningHub, tmp_path: Path) -> None:
        first = made.repo(REPO)["head"]
        made.admin("commit", repo=REPO, files={"theirs.txt": "x"})
        made.fault("POST", "/tag/", foreign_tag="v1")
        assert ask(made, tmp_path / "home", TAG)["refused"] == ["HfHubHTTPError", 409]
        assert made.repo(REPO)["tags"] == {"v1": first}

    def test_a_fault_that_cannot_be_done_is_told(self, hub: RunningHub, tmp_path: Path) -> None:
        hub.fault("POST", "/repos/create", foreign="theirs.txt")
        code = 'TOLD["refused"] = refused(api.create_repo, REPO, **KIND)'
        assert ask(hub, tmp_path / "home", code)["refused"] == ["BadRequestError", 400]


class TestLostReplies:
    @pytest.mark.parametrize(("cut", "kept"), [("before", set()), ("after", {"a.parquet", "b.txt"})])
    def test_of_a_commit(self, made: RunningHub, tmp_path: Path, cut: str, kept: set[str]) -> None:
        made.fault("POST", "/commit/", cut=cut)
        assert ask(made, tmp_path / "home", SEND)["refused"] == ["RemoteProtocolError", None]
        assert files(made) == kept

    @pytest.mark.parametrize(("cut", "kept"), [("before", set()), ("after", {"v1"})])
    def test_of_a_tag(self, made: RunningHub, tmp_path: Path, cut: str, kept: set[str]) -> None:
        made.fault("POST", "/tag/", cut=cut)
        assert ask(made, tmp_path / "home", TAG)["refused"] == ["RemoteProtocolError", None]
        assert set(made.repo(REPO)["tags"]) == kept


class TestDownloads:
    def test_cut_once_the_client_asks_for_the_rest(self, made: RunningHub, tmp_path: Path) -> None:
        ask(made, tmp_path / "ours", SEND)
        made.fault("GET", "/resolve/.*parquet", truncate=30)
        told = ask(made, tmp_path / "theirs", READ)
        assert told == {"read": DATA.decode(), "refused": None}
        assert count(made, f"GET /datasets/{REPO}/resolve/") == 2

    def test_bytes_that_changed_in_the_storage(self, made: RunningHub, tmp_path: Path) -> None:
        sha = hashlib.sha256(DATA).hexdigest()
        made.fault("POST", "/commit/", corrupt=sha)
        assert ask(made, tmp_path / "ours", SEND)["refused"] is None
        told = ask(made, tmp_path / "theirs", READ)
        assert told["refused"] is None and told["read"] != DATA.decode(), "the client does not look at hashes"


class TestKilled:
    """The client dies between its commit and its tag."""

    @contextmanager
    def waiting(self, hub: RunningHub, home: Path) -> Iterator[None]:
        with hub.start(f"{PRELUDE}{SEND}{TAG}", home) as client:
            try:
                assert hub.admin("wait", seconds=60)
                yield
            finally:
                client.send_signal(signal.SIGKILL)
        assert client.returncode == -signal.SIGKILL

    def test_before_the_tag_arrived(self, made: RunningHub, tmp_path: Path) -> None:
        made.fault("POST", "/tag/", hold=True, cut="before")
        with self.waiting(made, tmp_path / "home"):
            assert files(made) == {"a.parquet", "b.txt"}
        made.admin("release")
        assert ask(made, tmp_path / "again", TAG)["refused"] is None
        assert made.repo(REPO)["tags"] == {"v1": made.repo(REPO)["head"]}

    def test_when_the_tag_had_been_sent(self, made: RunningHub, tmp_path: Path) -> None:
        made.fault("POST", "/tag/", hold=True)
        with self.waiting(made, tmp_path / "home"):
            assert made.repo(REPO)["tags"] == {}
        made.admin("release")
        assert ask(made, tmp_path / "again", TAG)["refused"] == ["HfHubHTTPError", 409]
