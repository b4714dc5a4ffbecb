"""What anybody reads: by tag and by commit, verified, and never another version without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports.dataset.verify import verify_folder
from exports.hub import fetch_release, parse_address, verify_release
from exports.hub.fetch import cached_release
from salitrap.errors import EndpointUnavailable, InputError, SalitrapError, StoppedError
from tests.exports.hub.conftest import Send
from tests.exports.hub.samples import REPO
from tests.hub.client import STRANGER, RunningHub

LOAD = """
import json
from datasets import load_dataset
for revision in {revisions!r}:
    for split in ("test", "dev"):
        rows = load_dataset({repo!r}, "items", split=split, revision=revision)
        print("IDS", json.dumps([revision, split, list(rows["item_id"]), str(rows.info.version)]))
"""


def ids_in(folder: Path, split: str) -> list[str]:
    lines = (folder / f"jsonl/items/{split}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["item_id"] for line in lines]


def loaded(hub: RunningHub, home: Path, *revisions: str) -> dict[tuple[str, str], list[str]]:
    done = hub.python(LOAD.format(repo=REPO, revisions=revisions), home)
    told = [json.loads(line[4:]) for line in done.stdout.splitlines() if line.startswith("IDS ")]
    assert told, done.stderr
    return {(revision, split): ids for revision, split, ids, _ in told}


def test_both_versions_load_by_tag_and_by_commit(
    hub: RunningHub, send: Send, first: Path, second: Path, tmp_path: Path
) -> None:
    shas = {"v1.0.0": send(first).sha, "v1.1.0": send(second).sha}
    found = loaded(hub, tmp_path / "home", *shas, *shas.values())
    for tag, folder in (("v1.0.0", first), ("v1.1.0", second)):
        for split in ("test", "dev"):
            assert found[tag, split] == found[shas[tag], split] == ids_in(folder, split)


def test_verify_and_fetch_by_tag_and_by_commit(
    hub: RunningHub, send: Send, first: Path, second: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sha = send(first).sha
    send(second)
    monkeypatch.delenv("HF_TOKEN")
    check = verify_release(parse_address(f"{REPO}@v1.0.0"))
    assert (check.sha, check.version, check.findings) == (sha, "1.0.0", ())
    for revision in ("v1.0.0", sha):
        fetched = fetch_release(parse_address(f"{REPO}@{revision}"), tmp_path / f"copy-{revision}")
        assert (fetched.sha, fetched.version) == (sha, "1.0.0")
        assert verify_folder(fetched.path) == ()
        same = {path.relative_to(first): path.read_bytes() for path in first.rglob("*") if path.is_file()}
        assert {
            path.relative_to(fetched.path): path.read_bytes()
            for path in fetched.path.rglob("*")
            if path.is_file()
        } == same


class TestWrongVersions:
    def test_a_tag_that_never_was(self, hub: RunningHub, send: Send, first: Path, tmp_path: Path) -> None:
        send(first)
        with pytest.raises(InputError, match="no such version"):
            fetch_release(parse_address(f"{REPO}@v9.9.9"), tmp_path / "copy")
        assert not (tmp_path / "copy").exists()

    def test_no_such_repository(self, hub: RunningHub, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="not found on the Hub"):
            fetch_release(parse_address("org/none@v1.0.0"), tmp_path / "copy")

    def test_a_tag_that_was_moved(self, hub: RunningHub, send: Send, first: Path, second: Path) -> None:
        send(first)
        send(second)
        hub.admin("move_tag", repo=REPO, tag="v1.0.0", to="v1.1.0")
        check = verify_release(parse_address(f"{REPO}@v1.0.0"))
        assert any("the tag was moved" in finding.message for finding in check.findings)

    def test_the_hub_cannot_be_reached_and_the_loader_would_serve_another_version(
        self, hub: RunningHub, send: Send, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send(first)
        sha = cached_release(parse_address(f"{REPO}@v1.0.0")).sha
        monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
        with pytest.raises(EndpointUnavailable, match="could not be reached"):
            cached_release(parse_address(f"{REPO}@v1.0.0"))
        assert cached_release(parse_address(f"{REPO}@{sha}")).version == "1.0.0"

    def test_a_copy_in_the_cache_that_was_changed(self, hub: RunningHub, send: Send, first: Path) -> None:
        send(first)
        fetched = cached_release(parse_address(f"{REPO}@v1.0.0"))
        (fetched.path / "CHANGELOG.md").write_text("?", encoding="utf-8")
        with pytest.raises(SalitrapError, match="not what its manifest says"):
            cached_release(parse_address(f"{REPO}@v1.0.0"))


class TestBrokenDownloads:
    def test_truncated(self, hub: RunningHub, send: Send, first: Path, tmp_path: Path) -> None:
        send(first)
        hub.fault("GET", "/resolve/.*parquet", truncate=30, count=9)
        with pytest.raises(StoppedError):
            fetch_release(parse_address(f"{REPO}@v1.0.0"), tmp_path / "copy")
        assert list(tmp_path.glob("*copy*")) == []

    def test_a_file_that_is_gone(self, hub: RunningHub, send: Send, first: Path, tmp_path: Path) -> None:
        send(first)
        hub.admin("drop", repo=REPO, path="CHANGELOG.md")
        with pytest.raises(InputError, match="lacks a file"):
            fetch_release(parse_address(f"{REPO}@{hub.repo(REPO)['head']}"), tmp_path / "copy")

    def test_bytes_that_were_changed(self, hub: RunningHub, send: Send, first: Path, tmp_path: Path) -> None:
        send(first)
        hub.admin("commit", repo=REPO, files={"CHANGELOG.md": "# Other\n"})
        address = parse_address(f"{REPO}@{hub.repo(REPO)['head']}")
        assert [one.fault.value for one in verify_release(address).findings] == ["changed_file"]
        with pytest.raises(SalitrapError, match=r"CHANGELOG\.md.*do not use"):
            fetch_release(address, tmp_path / "copy")
        assert not (tmp_path / "copy").exists()


def test_a_gated_release_needs_a_token_that_was_let_in(
    hub: RunningHub, send: Send, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(first, gated="manual")
    assert fetch_release(parse_address(f"{REPO}@v1.0.0"), tmp_path / "ours").version == "1.0.0"
    monkeypatch.setenv("HF_TOKEN", STRANGER)
    with pytest.raises(InputError, match="ask for access on its page"):
        fetch_release(parse_address(f"{REPO}@v1.0.0"), tmp_path / "theirs")


def test_a_place_that_is_taken(hub: RunningHub, tmp_path: Path) -> None:
    (tmp_path / "there.txt").touch()
    with pytest.raises(InputError, match="is there already"):
        fetch_release(parse_address(f"{REPO}@v1.0.0"), tmp_path)
    assert hub.log() == []
