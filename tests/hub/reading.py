"""Routes that read: accounts, repositories, references, trees, files."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from tests.hub.replies import Refusal, Reply, as_json
from tests.hub.state import Account, Blob, Commit, Hub, Repo

DATE = "2026-01-01T00:00:00.000Z"


def whoami(account: Account | None) -> Reply:
    """Who a token belongs to, with its role."""
    if account is None:
        raise Refusal(401, "Invalid username or password.")
    token: dict[str, Any] = {"displayName": "t", "role": account.role}
    if account.role == "fineGrained":
        named = [(name, "repo.write") for name in account.writable]
        named += [(name, "repo.content.read") for name in account.readable]
        token["fineGrained"] = {"scoped": [_scope(*one) for one in named], "global": []}
    orgs = [{"type": "org", "name": name} for name in account.orgs]
    auth = {"type": "access_token", "accessToken": token}
    return as_json({"type": "user", "name": account.name, "orgs": orgs, "auth": auth})


def _scope(name: str, permission: str) -> dict[str, Any]:
    kind = "dataset" if "/" in name else "org"
    return {"entity": {"type": kind, "name": name}, "permissions": [permission]}


def repo_of(hub: Hub, name: str, account: Account | None) -> Repo:
    """The repository, as far as the account may know of it."""
    repo = hub.repos.get(name)
    if repo is None or (repo.private and not (account and account.belongs_to(name))):
        raise Refusal(404 if account else 401, "Repository not found", "RepoNotFound")
    return repo


def commit_of(repo: Repo, revision: str) -> Commit:
    commit = repo.resolve(revision)
    if commit is None:
        raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")
    return commit


def require_access(repo: Repo, account: Account | None) -> None:
    if repo.gated and not (account and account.belongs_to(repo.name)):
        raise Refusal(403 if account else 401, "Access to dataset is restricted", "GatedRepo")


def info(repo: Repo, commit: Commit, query: str = "") -> Reply:
    has_sizes = "blobs" in parse_qs(query)
    return as_json(
        {
            "_id": "0" * 24,
            "id": repo.name,
            "author": repo.name.partition("/")[0],
            "sha": commit.sha,
            "lastModified": DATE,
            "createdAt": DATE,
            "private": repo.private,
            "gated": repo.gated,
            "disabled": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "siblings": [_sibling(path, blob, has_sizes) for path, blob in sorted(commit.files.items())],
        }
    )


def _sibling(path: str, blob: Blob, has_sizes: bool) -> dict[str, Any]:
    if not has_sizes:
        return {"rfilename": path}
    size = len(blob.content)
    lfs = {"sha256": blob.sha256, "size": size, "pointerSize": 130}
    return {"rfilename": path, "size": size, "blobId": blob.oid, **({"lfs": lfs} if blob.is_large else {})}


def refs(repo: Repo) -> Reply:
    def listed(kind: str, named: dict[str, str]) -> list[dict[str, str]]:
        return [
            {"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": sha} for name, sha in named.items()
        ]

    tags, heads = listed("tags", repo.tags), listed("heads", repo.branches)
    return as_json({"branches": heads, "tags": tags, "converts": []})


def tree(commit: Commit, folder: str, query: str) -> Reply:
    """Everything below a folder, or what is right in it."""
    recursive = parse_qs(query).get("recursive", ["False"])[0].lower() in ("true", "1")
    prefix = f"{folder}/" if folder else ""
    below = {path: blob for path, blob in commit.files.items() if path.startswith(prefix)}
    if folder and not below:
        raise Refusal(404, f"{folder} does not exist", "EntryNotFound")
    known = {**{name: _folder(name) for name in _folders(commit)}, **_entries(below)}
    inside = {path: told for path, told in known.items() if path.startswith(prefix)}
    return as_json([inside[path] for path in sorted(inside) if recursive or "/" not in path[len(prefix) :]])


def _folders(commit: Commit) -> set[str]:
    """All folders that the files of a commit lie in."""
    cut = [path.split("/")[:-1] for path in commit.files]
    return {"/".join(parts[: depth + 1]) for parts in cut for depth in range(len(parts))}


def _folder(name: str) -> dict[str, object]:
    return {"type": "directory", "oid": "0" * 40, "size": 0, "path": name}


def _entries(files: dict[str, Blob]) -> dict[str, dict[str, object]]:
    return {path: entry(path, blob) for path, blob in files.items()}


def entry(path: str, blob: Blob) -> dict[str, object]:
    told: dict[str, object] = {"type": "file", "oid": blob.oid, "size": len(blob.content), "path": path}
    if blob.is_large:
        told["lfs"] = {"oid": blob.sha256, "size": len(blob.content), "pointerSize": 130}
    return told


def commits(repo: Repo, commit: Commit) -> Reply:
    listed, current = [], commit
    while True:
        listed.append({"id": current.sha, "title": current.title, "message": "", "authors": [], "date": DATE})
        if current.parent not in repo.commits:
            return as_json(listed)
        current = repo.commits[current.parent]


def paths_info(commit: Commit, paths: list[str]) -> Reply:
    """Files and folders of these names; what is not there is left out."""
    known = {**{name: _folder(name) for name in _folders(commit)}, **_entries(dict(commit.files))}
    return as_json([known[path] for path in paths if path in known])


def resolve(commit: Commit, path: str, byte_range: str | None) -> Reply:
    """A file, or a part of it; the commit is named even where the file is not there."""
    blob = commit.files.get(path)
    if blob is None:
        raise Refusal(404, "Entry not found", "EntryNotFound", X_Repo_Commit=commit.sha)
    headers = {"X-Repo-Commit": commit.sha, "ETag": f'"{blob.etag}"', "Accept-Ranges": "bytes"}
    if blob.is_large:
        headers |= {"X-Linked-Etag": f'"{blob.etag}"', "X-Linked-Size": str(len(blob.content))}
    return _part(blob.content, byte_range, headers) if byte_range else Reply(200, blob.content, headers)


def _part(content: bytes, byte_range: str, headers: dict[str, str]) -> Reply:
    """``bytes=FIRST-``, ``bytes=FIRST-LAST`` or ``bytes=-HOW_MANY_AT_THE_END``."""
    first, _, last = byte_range.removeprefix("bytes=").partition("-")
    size = len(content)
    begin = int(first) if first else max(size - int(last), 0)
    end = min(int(last), size - 1) if first and last else size - 1
    if begin > end:
        return Reply(416, b"", {**headers, "Content-Range": f"bytes */{size}"})
    span = {"Content-Range": f"bytes {begin}-{end}/{size}"}
    return Reply(206, content[begin : end + 1], {**headers, **span})
