"""What the real client may do, in a process of its own and with a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hub.client import READER, STRANGER, WRITER, RunningHub
from tests.hub.scripts import FIRST, REPO, ask

WRITING = """
again = api.create_repo(REPO, exist_ok=True, **KIND)
TOLD["again"] = [again.repo_id, refused(api.create_repo, REPO, **KIND)]
big = Add("data/a/big.parquet", BIG)
card = Add("README.md", b"---\\nlicense: mit\\n---\\nA card.\\n")
adds = [big, card, Add("x/y/z.txt", b"z")]
first = api.create_commit(REPO, adds, commit_message="one", **KIND).oid
second = send({"x/y/z.txt": "zz"}, parent_commit=first)
same = [Add("data/a/big.parquet", BIG), Add("README.md", card.path_or_fileobj)]
done = api.create_commit(REPO, same, commit_message="-", parent_commit=first, **KIND)
TOLD["unchanged"] = done.oid == second
gone = [Delete("x/", is_folder=True), Delete("README.md")]
third = api.create_commit(REPO, gone, commit_message="three", **KIND).oid
def paths(revision):
    return sorted(one.rfilename for one in api.dataset_info(REPO, revision=revision).siblings)
TOLD["files"] = [paths(sha) for sha in (second, third)]
TOLD["no_branch"] = refused(send, {"a": "a"}, revision="nowhere")
TOLD["not_there"] = refused(api.create_commit, REPO, [Delete("none.txt")], commit_message="-", **KIND)
TOLD["cards"] = [
    refused(send, {"README.md": "No metadata.\\n"}), refused(send, {"README.md": "---\\na: [\\n---\\n"})
]
"""

READING = """
first = send({"data/a/one.parquet": b"PAR1" * 99, "data/b/two.txt": "two", "README.md": "Text.\\n"})
def names(**options):
    return sorted(one.path for one in api.list_repo_tree(REPO, **options, **KIND))
TOLD["tree"] = [names(), names(path_in_repo="data"), names(recursive=True, path_in_repo="data")]
TOLD["no_folder"] = refused(names, path_in_repo="none")
asked = api.get_paths_info(REPO, ["data", "data/b/two.txt", "none"], **KIND)
TOLD["paths"] = [(one.path, type(one).__name__) for one in asked]
sizes = {one.rfilename: one for one in api.dataset_info(REPO, files_metadata=True).siblings}
TOLD["sizes"] = [sizes["data/b/two.txt"].size, sizes["data/a/one.parquet"].lfs.size, sizes["README.md"].lfs]
copy = Path(api.snapshot_download(REPO, revision=first, **KIND))
sizes = [(copy / one).stat().st_size for one in ("data/b/two.txt", "data/a/one.parquet", "README.md")]
TOLD["copy"] = [copy.name == first, *sizes]
TOLD["none"] = refused(read, "none.txt")
from huggingface_hub import get_session, hf_hub_url
url = hf_hub_url(REPO, "data/b/two.txt", **KIND)
def part(span):
    reply = get_session().get(url, headers={"Range": span})
    return [reply.status_code, reply.headers["Content-Range"], reply.text]
TOLD["parts"] = [part("bytes=1-"), part("bytes=0-1"), part("bytes=1-99"), part("bytes=-1"), part("bytes=3-")]
missing = get_session().head(url.replace("two.txt", "none"))
told = missing.headers
TOLD["missing"] = [missing.status_code, told["X-Repo-Commit"] == first, told["X-Error-Code"]]
"""

NAMES = """
first, second = send({"a.txt": "1"}), send({"a.txt": "2"})
api.create_tag(REPO, tag="v1/rc", revision=first[:8], **KIND)
api.create_tag(REPO, tag="v2", **KIND)
to_first = {"tag": "v2", "revision": first, **KIND}
TOLD["tags"] = [refused(api.create_tag, REPO, exist_ok=ok, **to_first) for ok in (False, True)]
TOLD["read"] = [read("a.txt", revision=one).decode() for one in ("v1/rc", "v2", first, second)]
api.create_branch(REPO, branch="try", revision="v1/rc", **KIND)
TOLD["taken"] = refused(api.create_branch, REPO, branch="try", **KIND)
third = send({"b.txt": "b"}, revision="try", parent_commit=first)
shas = [first, second, third]
refs = api.list_repo_refs(REPO, **KIND)
TOLD["tried"] = {one.name: shas.index(one.target_commit) for one in refs.branches + refs.tags}
listed = api.list_repo_commits(REPO, revision="try", **KIND)
TOLD["history"] = [shas.index(one.commit_id) for one in listed[:2]]
api.delete_branch(REPO, branch="try", **KIND)
api.delete_tag(REPO, tag="v1/rc", **KIND)
TOLD["gone"] = [
    refused(api.delete_tag, REPO, tag="v1/rc", **KIND), refused(api.delete_branch, REPO, branch="try", **KIND)
]
TOLD["main"] = refused(api.delete_branch, REPO, branch="main", **KIND)
"""

RIGHTS = """
told = api.whoami()["auth"]["accessToken"]
scopes = told.get("fineGrained", {}).get("scoped", [])
TOLD["role"] = [told["role"], [[one["entity"]["name"], *one["permissions"]] for one in scopes]]
TOLD["right"] = refused(api.auth_check, REPO, write=True, **KIND)
TOLD["commit"] = refused(send, {"a.txt": "a"})
TOLD["settings"] = refused(api.update_repo_settings, REPO, gated="auto", **KIND)
"""

LOCKED = """
TOLD["gated"] = [refused(call) for call in (lambda: api.auth_check(REPO, **KIND), lambda: read("a.txt"))]
TOLD["told"] = [api.dataset_info(REPO).gated, refused(api.dataset_info, "org/secret")]
from datasets import load_dataset
TOLD["load"] = refused(load_dataset, REPO)
"""


def test_commits(hub: RunningHub, tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(bytes(range(256)) * 2000)
    told = ask(hub, tmp_path / "home", f"BIG = {str(tmp_path / 'big')!r}" + FIRST + WRITING)
    assert told["again"] == [REPO, ["HfHubHTTPError", 409]]
    assert told["unchanged"], "what has not changed makes no commit, and a stale parent is not looked at"
    kept = [".gitattributes", "data/a/big.parquet"]
    assert told["files"] == [[".gitattributes", "README.md", "data/a/big.parquet", "x/y/z.txt"], kept]
    assert told["no_branch"] == ["RevisionNotFoundError", 404]
    assert told["not_there"] == ["RemoteEntryNotFoundError", 404]
    assert told["cards"] == [None, ["ValueError", None]]


def test_reading(hub: RunningHub, tmp_path: Path) -> None:
    told = ask(hub, tmp_path / "home", FIRST + READING)
    below = ["data/a", "data/a/one.parquet", "data/b", "data/b/two.txt"]
    assert told["tree"] == [[".gitattributes", "README.md", "data"], ["data/a", "data/b"], below]
    assert told["no_folder"] == ["RemoteEntryNotFoundError", 404]
    assert told["paths"] == [["data", "RepoFolder"], ["data/b/two.txt", "RepoFile"]]
    assert told["sizes"] == [3, 396, None]
    assert told["copy"] == [True, 3, 396, 6]
    assert told["none"] == ["RemoteEntryNotFoundError", 404]
    assert told["missing"] == [404, True, "EntryNotFound"]
    found = [(206, "bytes 1-2/3", "wo"), (206, "bytes 0-1/3", "tw"), (206, "bytes 1-2/3", "wo")]
    assert told["parts"] == [list(one) for one in (*found, (206, "bytes 2-2/3", "o"), (416, "bytes */3", ""))]


def test_tags_and_branches(hub: RunningHub, tmp_path: Path) -> None:
    told = ask(hub, tmp_path / "home", FIRST + NAMES)
    assert told["tags"] == [["HfHubHTTPError", 409], None]
    assert told["read"] == ["1", "2", "1", "2"], "a tag that is there is not moved, whatever the client says"
    assert told["taken"] == ["HfHubHTTPError", 409]
    assert told["tried"] == {"main": 1, "try": 2, "v1/rc": 0, "v2": 1}
    assert told["history"] == [2, 0]
    assert told["gone"] == [["RevisionNotFoundError", 404]] * 2
    assert told["main"] == ["HfHubHTTPError", 403]
    assert set(hub.repo(REPO)["tags"]) == {"v2"}


@pytest.mark.parametrize(
    ("token", "role", "may"),
    [
        (WRITER, ["write", []], True),
        (READER, ["read", []], False),
        (STRANGER, ["write", []], False),
        ("hf_fine", ["fineGrained", [["org/traps", "repo.write"]]], True),
        ("hf_fine_other", ["fineGrained", [["org/other", "repo.write"]]], False),
        ("hf_fine_reader", ["fineGrained", [["org/traps", "repo.content.read"]]], False),
    ],
)
def test_token_roles(hub: RunningHub, tmp_path: Path, token: str, role: list[object], may: bool) -> None:
    hub.admin("make", repo=REPO)
    told = ask(hub, tmp_path / "home", RIGHTS, token)
    refusal = None if may else ["HfHubHTTPError", 403]
    assert told == {"role": role, "right": refusal, "commit": refusal, "settings": refusal}
    assert (hub.repo(REPO)["gated"], "a.txt" in hub.repo(REPO)["files"]) == ("auto" if may else False, may)


@pytest.mark.parametrize(("token", "status"), [(STRANGER, 403), (None, 401)])
def test_a_gated_repository(hub: RunningHub, tmp_path: Path, token: str | None, status: int) -> None:
    hub.admin("make", repo=REPO)
    hub.admin("make", repo="org/secret", private=True)
    ask(
        hub, tmp_path / "ours", 'send({"a.txt": "a"}); api.update_repo_settings(REPO, gated="manual", **KIND)'
    )
    assert ask(hub, tmp_path / "mine", 'TOLD["text"] = read("a.txt").decode()')["text"] == "a"
    told = ask(hub, tmp_path / "theirs", LOCKED, token)
    assert told["gated"] == [["GatedRepoError", status]] * 2
    assert told["told"] == ["manual", ["RepositoryNotFoundError", 404 if token else 401]]
    assert told["load"] == ["DatasetNotFoundError", None]
