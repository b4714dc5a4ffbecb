"""Routes that write: repositories, commits, branches, tags, settings."""

from __future__ import annotations

import base64
import json
from typing import Any

import yaml

from tests.hub.reading import commit_of
from tests.hub.replies import Refusal, Reply, as_json
from tests.hub.state import LARGE, Account, Blob, Hub, Repo


def create(hub: Hub, account: Account | None, given: dict[str, Any], url: str) -> Reply:
    if account is None:
        raise Refusal(401, "Invalid username or password.")
    name = f"{given.get('organization') or account.name}/{given['name']}"
    told = {"url": f"{url}/datasets/{name}", "name": name, "id": "0" * 24}
    if name in hub.repos:
        return as_json({**told, "error": "You already created this dataset repo"}, 409)
    if not account.may_write(name):
        raise Refusal(403, "You don't have the rights to create a dataset under this namespace")
    hub.create(name, private=given.get("visibility") == "private" or given.get("private") is True)
    return as_json(told)


def require_write(account: Account | None, repo: str) -> None:
    if account is None:
        raise Refusal(401, "Invalid username or password.")
    if not account.may_write(repo):
        raise Refusal(403, "You don't have write access to this repository")


def preupload(repo: Repo, revision: str, given: dict[str, Any]) -> Reply:
    """How to send each file, and the hash of what is there: a client leaves out what has not changed."""
    held = commit_of(repo, revision).files

    def mode(file: dict[str, Any]) -> dict[str, Any]:
        there = held.get(file["path"])
        told = {"path": file["path"], "shouldIgnore": False, "oid": there.etag if there else None}
        return {**told, "uploadMode": "lfs" if file["path"].endswith(LARGE) else "regular"}

    return as_json({"files": [mode(file) for file in given["files"]]})


def validate_card(given: dict[str, Any]) -> Reply:
    """Only that the metadata is a YAML mapping, of all that the Hub looks at."""
    parts = given["content"].split("---\n", 2)
    if len(parts) < 3 or parts[0].strip():
        warning = {"message": "empty or missing yaml metadata in repo card"}
        return as_json({"errors": [], "warnings": [warning]})
    try:
        sound = isinstance(yaml.safe_load(parts[1]), dict)
    except yaml.YAMLError:
        sound = False
    wrong = [] if sound else [{"message": "metadata is no YAML mapping"}]
    return as_json({"errors": wrong, "warnings": []}, 200 if sound else 400)


def commit(hub: Hub, repo: Repo, branch: str, body: bytes, url: str) -> Reply:
    """One commit, or nothing: the parent has to be the head, and large files have to be stored."""
    if branch not in repo.branches:
        raise Refusal(404, f"Invalid rev id: {branch}", "RevisionNotFound")
    lines = [json.loads(line) for line in body.splitlines() if line.strip()]
    header = next(one["value"] for one in lines if one["key"] == "header")
    if not repo.branches[branch].startswith(header.get("parentCommit") or ""):
        raise Refusal(412, "A commit has happened since. Please refresh and try again.")
    files = dict(commit_of(repo, branch).files)
    for line in lines:
        _apply(hub, files, line["key"], line["value"])
    made = repo.commit(header["summary"], files, branch)
    return as_json(
        {"commitUrl": f"{url}/datasets/{repo.name}/commit/{made.sha}", "commitOid": made.sha, "success": True}
    )


def _apply(hub: Hub, files: dict[str, Blob], key: str, value: dict[str, Any]) -> None:
    if key == "file":
        files[value["path"]] = Blob(base64.b64decode(value["content"]), is_large=False)
    elif key == "lfsFile":
        if value["oid"] not in hub.stored:
            raise Refusal(400, f"LFS object {value['oid']} does not exist")
        files[value["path"]] = Blob(hub.stored[value["oid"]], is_large=True)
    elif key in ("deletedFile", "deletedFolder"):
        _delete(files, value["path"], is_folder=key == "deletedFolder")
    elif key != "header":
        raise Refusal(400, f"no such operation: {key}")


def _delete(files: dict[str, Blob], path: str, *, is_folder: bool) -> None:
    prefix = path.rstrip("/") + "/"
    gone = [one for one in files if (one.startswith(prefix) if is_folder else one == path)]
    if not gone:
        raise Refusal(404, f"{path} does not exist", "EntryNotFound")
    for one in gone:
        del files[one]


def tag(repo: Repo, revision: str, name: str) -> Reply:
    target = commit_of(repo, revision)
    if name in repo.tags:
        raise Refusal(409, f"Tag {name} already exists")
    repo.tags[name] = target.sha
    return as_json({"success": True})


def delete_tag(repo: Repo, name: str) -> Reply:
    if repo.tags.pop(name, None) is None:
        raise Refusal(404, f"Tag {name} does not exist", "RevisionNotFound")
    return as_json({"success": True})


def branch(repo: Repo, name: str, start: str) -> Reply:
    target = commit_of(repo, start)
    if name in repo.branches:
        raise Refusal(409, f"Branch {name} already exists")
    repo.branches[name] = target.sha
    return as_json({"success": True})


def delete_branch(repo: Repo, name: str) -> Reply:
    if name == "main":
        raise Refusal(403, "main is protected")
    if repo.branches.pop(name, None) is None:
        raise Refusal(404, f"Branch {name} does not exist", "RevisionNotFound")
    return as_json({"success": True})


def settings(repo: Repo, given: dict[str, Any]) -> Reply:
    repo.gated = given.get("gated", repo.gated)
    repo.private = given["visibility"] == "private" if "visibility" in given else repo.private
    return as_json({"private": repo.private, "gated": repo.gated})
