"""Routes that write: repositories, commits, large files, tags."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import yaml

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


def preupload(repo: Repo, given: dict[str, Any]) -> Reply:
    def mode(file: dict[str, Any]) -> dict[str, Any]:
        there = repo.head.files.get(file["path"])
        told = {"path": file["path"], "shouldIgnore": False, "oid": there.oid if there else None}
        return {**told, "uploadMode": "lfs" if file["path"].endswith(LARGE) else "regular"}

    return as_json({"files": [mode(file) for file in given["files"]]})


def validate_card(given: dict[str, Any]) -> Reply:
    """Only that the metadata is YAML with a license, of all that the Hub looks at."""
    block = yaml.safe_load(given["content"].split("---\n")[1])
    wrong = [] if block.get("license") else [{"message": '"license" is required'}]
    return as_json({"errors": wrong, "warnings": []}, 400 if wrong else 200)


def commit(hub: Hub, repo: Repo, branch: str, body: bytes, url: str) -> Reply:
    """One commit, or nothing: the parent has to be the head, and large files have to be stored."""
    lines = [json.loads(line) for line in body.splitlines() if line.strip()]
    parent = next((one["value"].get("parentCommit") for one in lines if one["key"] == "header"), None)
    if parent and not repo.branches[branch].startswith(parent):
        raise Refusal(412, "A commit has happened since. Please refresh and try again.")
    title = next(one["value"]["summary"] for one in lines if one["key"] == "header")
    files = dict(repo.commits[repo.branches[branch]].files)
    for line in lines:
        _apply(hub, files, line["key"], line["value"])
    made = repo.commit(title, files, branch)
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
    elif key == "deletedFile" and files.pop(value["path"], None) is None:
        raise Refusal(404, f"{value['path']} does not exist", "EntryNotFound")


def lfs_batch(hub: Hub, given: dict[str, Any], url: str) -> Reply:
    """Where to put large files; no action for what is stored already."""

    def answer(one: dict[str, Any]) -> dict[str, Any]:
        told = {"oid": one["oid"], "size": one["size"]}
        if one["oid"] in hub.stored:
            return told
        put, check = f"{url}/_lfs/{one['oid']}", f"{url}/_lfs_verify"
        return {**told, "actions": {"upload": {"href": put}, "verify": {"href": check}}}

    told = {"transfer": "basic", "objects": [answer(one) for one in given["objects"]]}
    return Reply(200, json.dumps(told).encode(), {"Content-Type": "application/vnd.git-lfs+json"})


def lfs_put(hub: Hub, oid: str, body: bytes) -> Reply:
    if hashlib.sha256(body).hexdigest() != oid:
        raise Refusal(400, "content does not have the hash that was announced")
    hub.stored[oid] = body
    return Reply()


def tag(repo: Repo, revision: str, name: str) -> Reply:
    target = repo.resolve(revision)
    if target is None:
        raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")
    if name in repo.tags:
        raise Refusal(409, f"Tag {name} already exists")
    repo.tags[name] = target.sha
    return as_json({"success": True})


def settings(repo: Repo, given: dict[str, Any]) -> Reply:
    repo.gated = given.get("gated", repo.gated)
    repo.private = given["visibility"] == "private" if "visibility" in given else repo.private
    return as_json({"private": repo.private, "gated": repo.gated})
