"""Routes that read: repositories, references, trees, files."""

from __future__ import annotations

from urllib.parse import parse_qs

from tests.hub.replies import Refusal, Reply, as_json
from tests.hub.state import Account, Blob, Commit, Hub, Repo

DATE = "2026-01-01T00:00:00.000Z"


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


def info(repo: Repo, commit: Commit) -> Reply:
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
            "siblings": [{"rfilename": path} for path in sorted(commit.files)],
        }
    )


def refs(repo: Repo) -> Reply:
    def listed(kind: str, named: dict[str, str]) -> list[dict[str, str]]:
        return [
            {"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": sha} for name, sha in named.items()
        ]

    tags, heads = listed("tags", repo.tags), listed("heads", repo.branches)
    return as_json({"branches": heads, "tags": tags, "converts": []})


def tree(commit: Commit, folder: str, query: str) -> Reply:
    recursive = parse_qs(query).get("recursive", ["False"])[0].lower() in ("true", "1")
    prefix = f"{folder}/" if folder else ""
    below = {path: blob for path, blob in commit.files.items() if path.startswith(prefix)}
    if folder and not below:
        raise Refusal(404, f"{folder} does not exist", "EntryNotFound")
    deep = {path for path in below if "/" in path.removeprefix(prefix)}
    names = {path.rpartition("/")[0] for path in deep} if recursive else set()
    shown = {path: blob for path, blob in below.items() if recursive or path not in deep}
    if not recursive:
        names = {prefix + path.removeprefix(prefix).partition("/")[0] for path in deep}
    folders = [{"type": "directory", "oid": "0" * 40, "size": 0, "path": name} for name in sorted(names)]
    return as_json(folders + [entry(path, blob) for path, blob in sorted(shown.items())])


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
    return as_json([entry(path, commit.files[path]) for path in paths if path in commit.files])


def resolve(commit: Commit, path: str, byte_range: str | None) -> Reply:
    """A file, or a part of it; the commit is named even where the file is not there."""
    blob = commit.files.get(path)
    if blob is None:
        raise Refusal(404, "Entry not found", "EntryNotFound", X_Repo_Commit=commit.sha)
    headers = {"X-Repo-Commit": commit.sha, "ETag": f'"{blob.etag}"', "Accept-Ranges": "bytes"}
    if blob.is_large:
        headers |= {"X-Linked-Etag": f'"{blob.etag}"', "X-Linked-Size": str(len(blob.content))}
    if byte_range is None:
        return Reply(200, blob.content, headers)
    first, _, last = byte_range.removeprefix("bytes=").partition("-")
    begin, end = int(first or 0), int(last) if last else len(blob.content) - 1
    headers["Content-Range"] = f"bytes {begin}-{end}/{len(blob.content)}"
    return Reply(206, blob.content[begin : end + 1], headers)
