"""Who answers which request."""

from __future__ import annotations

import json
from dataclasses import dataclass
from email.message import Message
from typing import Any
from urllib.parse import parse_qs, unquote

from tests.hub import lfs, reading, writing
from tests.hub.replies import Refusal, Reply, as_json
from tests.hub.state import ACCOUNTS, Account, Hub, Repo


@dataclass(frozen=True)
class Request:
    """One request; ``path`` is as it was sent, with its escapes."""

    method: str
    path: str
    query: str
    headers: Message
    body: bytes

    @property
    def parts(self) -> list[str]:
        """Cut first and unescape then: a tag may hold a slash."""
        return [unquote(part) for part in self.path.strip("/").split("/")]

    @property
    def has_token(self) -> bool:
        return "Authorization" in self.headers

    @property
    def account(self) -> Account | None:
        """Who asks; a token that nobody has is refused."""
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ").strip()
        if token and token not in ACCOUNTS:
            raise Refusal(401, "Invalid credentials in Authorization header")
        return ACCOUNTS.get(token)

    @property
    def url(self) -> str:
        """The address of this server."""
        return f"http://{self.headers['Host']}"

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    @property
    def paths(self) -> list[str]:
        """The paths that are asked about, which the client sends as a form or as JSON."""
        if "json" in (self.headers.get("Content-Type") or ""):
            return list(self.json["paths"])
        return parse_qs(self.body.decode())["paths"]


def answer(hub: Hub, request: Request) -> Reply:
    """Answer a request; one that cannot be read is refused with the reason."""
    try:
        with hub.lock:
            return route(hub, request)
    except Refusal as refusal:
        return refusal.reply
    except (KeyError, ValueError, StopIteration) as error:
        return Refusal(400, f"not a request that this Hub can read: {error!r}").reply


def route(hub: Hub, request: Request) -> Reply:
    """Find who answers a request."""
    match request.parts:
        case ["api", "whoami-v2"]:
            return reading.whoami(request.account)
        case ["api", "repos", "create"]:
            return writing.create(hub, request.account, request.json, request.url)
        case ["api", "validate-yaml"]:
            return writing.validate_card(request.json)
        case ["api", "datasets", owner, name, *rest]:
            return of_repo(hub, reading.repo_of(hub, f"{owner}/{name}", request.account), rest, request)
        case ["datasets", owner, name, "resolve", revision, *path]:
            repo = reading.repo_of(hub, f"{owner}/{name}", request.account)
            reading.require_access(repo, request.account)
            commit = reading.commit_of(repo, revision)
            return reading.resolve(commit, "/".join(path), request.headers.get("Range"))
    return of_large_files(hub, request)


def of_large_files(hub: Hub, request: Request) -> Reply:
    """Routes of the large file storage."""
    match request.parts:
        case ["datasets", owner, git, "info", "lfs", "objects", "batch"]:
            repo = reading.repo_of(hub, f"{owner}/{git.removesuffix('.git')}", request.account)
            writing.require_write(request.account, repo.name)
            return lfs.batch(hub, request.json, request.url)
        case ["_lfs", oid]:
            return lfs.put(hub, oid, request.body, has_token=request.has_token)
        case ["_lfs_verify"]:
            return lfs.verify(hub, request.json)
    raise Refusal(404, f"no route {request.path}")


def of_repo(hub: Hub, repo: Repo, rest: list[str], request: Request) -> Reply:
    """Routes below one repository."""
    match request.method, rest:
        case "GET", ["refs"]:
            return reading.refs(repo)
        case "GET", ["auth-check"]:
            reading.require_access(repo, request.account)
            return as_json({})
        case "GET", ["auth-check", "write"]:
            writing.require_write(request.account, repo.name)
            return as_json({})
        case "GET", []:
            return reading.info(repo, repo.head, request.query)
        case ("GET", [_, _, *_]) | ("POST", ["paths-info", _]):
            return at_revision(repo, rest, request)
    writing.require_write(request.account, repo.name)
    return changed(hub, repo, rest, request)


def at_revision(repo: Repo, rest: list[str], request: Request) -> Reply:
    """Routes that read at a branch, a tag or a SHA."""
    what, revision, *folder = rest
    commit = reading.commit_of(repo, revision)
    match what:
        case "revision":
            return reading.info(repo, commit, request.query)
        case "tree":
            return reading.tree(commit, "/".join(folder), request.query)
        case "commits":
            return reading.commits(repo, commit)
        case "paths-info":
            return reading.paths_info(commit, request.paths)
    raise Refusal(404, f"no route {request.method} {request.path}")


def changed(hub: Hub, repo: Repo, rest: list[str], request: Request) -> Reply:
    """Routes that need the right to write."""
    match request.method, rest:
        case "POST", ["preupload", revision]:
            return writing.preupload(repo, revision, request.json)
        case "POST", ["commit", branch]:
            return writing.commit(hub, repo, branch, request.body, request.url)
        case "POST", ["tag", revision]:
            return writing.tag(repo, revision, request.json["tag"])
        case "DELETE", ["tag", name]:
            return writing.delete_tag(repo, name)
        case "POST", ["branch", name]:
            return writing.branch(repo, name, request.json.get("startingPoint", "main"))
        case "DELETE", ["branch", name]:
            return writing.delete_branch(repo, name)
        case "PUT", ["settings"]:
            return writing.settings(repo, request.json)
    raise Refusal(404, f"no route {request.method} {request.path}")
