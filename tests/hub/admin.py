"""What a test asks of its Hub: faults, the log, and what is really there."""

from __future__ import annotations

import json
from typing import Any

from tests.hub.faults import Fault, Faults
from tests.hub.replies import Reply, as_json
from tests.hub.state import Blob, Hub, Repo


def answer_admin(hub: Hub, faults: Faults, path: str, body: bytes) -> Reply:
    """Answer a request below ``/_admin/``."""
    given: dict[str, Any] = json.loads(body) if body else {}
    what = path.removeprefix("/_admin/")
    told = _of_faults(faults, what, given)
    if told is not None:
        return told
    with hub.lock:
        return _of_content(hub, faults, what, given)


def interfere(hub: Hub, fault: Fault, path: str) -> None:
    """Do what somebody else, or a broken disk, would do in this moment.

    Raises:
        LookupError: the request is about no repository, or there is no such large file.
    """
    with hub.lock:
        if fault.foreign is not None:
            repo = _repo_in(hub, path)
            repo.commit("by somebody else", {**repo.head.files, fault.foreign: Blob(b"theirs\n", False)})
        if fault.foreign_tag is not None:
            repo = _repo_in(hub, path)
            repo.tags[fault.foreign_tag] = next(iter(repo.commits))
        if fault.corrupt is not None:
            held = hub.stored[fault.corrupt]
            hub.stored[fault.corrupt] = held[:-1] + bytes([held[-1] ^ 1])


def _repo_in(hub: Hub, path: str) -> Repo:
    """The repository that a request is about, whatever the route."""
    named = [name for name in hub.repos if f"/{name}/" in f"{path.replace('.git/', '/')}/"]
    if not named:
        raise LookupError(f"{path}: no repository for somebody else to commit to")
    return hub.repos[named[0]]


def _of_faults(faults: Faults, what: str, given: dict[str, Any]) -> Reply | None:
    match what:
        case "fault":
            faults.add(**given)
        case "clear_faults":
            faults.rules.clear()
        case "log":
            return as_json(faults.log)
        case "wait":
            return as_json(faults.held.wait(given["seconds"]))
        case "release":
            faults.release.set()
        case _:
            return None
    return as_json({})


def _of_content(hub: Hub, faults: Faults, what: str, given: dict[str, Any]) -> Reply:
    match what:
        case "reset":
            hub.repos.clear()
            hub.stored.clear()
            faults.clear()
        case "commit":
            repo = hub.repos[given["repo"]]
            changed = {path: Blob(text.encode(), False) for path, text in given["files"].items()}
            repo.commit("by somebody else", {**repo.head.files, **changed})
        case "drop":
            repo = hub.repos[given["repo"]]
            left = {path: blob for path, blob in repo.head.files.items() if path != given["path"]}
            repo.commit("by somebody else", left)
        case "move_tag":
            repo = hub.repos[given["repo"]]
            repo.tags[given["tag"]] = repo.tags[given["to"]]
        case "make":
            hub.create(given["repo"], private=given.get("private", False))
        case "repo":
            return _state(hub, given["repo"])
        case _:
            return Reply(404)
    return as_json({})


def _state(hub: Hub, name: str) -> Reply:
    """What a repository holds, for a test to look at without the clients."""
    repo = hub.repos.get(name)
    if repo is None:
        return as_json(None)
    head = {path: blob.sha256 for path, blob in repo.head.files.items()}
    titles = [commit.title for commit in repo.commits.values()]
    told = {"head": repo.head.sha, "files": head, "tags": repo.tags, "titles": titles}
    return as_json({**told, "gated": repo.gated, "private": repo.private})
