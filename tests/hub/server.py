"""The Hub's HTTP server: ``python -m tests.hub.server`` prints its port and serves until it is killed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote

from tests.hub import reading, writing
from tests.hub.admin import answer_admin
from tests.hub.faults import Fault, Faults
from tests.hub.replies import Refusal, Reply, as_json
from tests.hub.state import ACCOUNTS, Account, Blob, Hub, Repo

HELD_SECONDS = 60.0


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    hub = Hub()
    faults = Faults()

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the log is asked for."""

    def _answer(self) -> None:
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path.startswith("/_admin/"):
            self._send(answer_admin(self.hub, self.faults, path, body))
            return
        fault = self.faults.of(self.command, path)
        if fault is not None and self._struck(fault, path):
            return
        reply = self._routed(path, query, body)
        if fault is not None and fault.cut == "after":
            self._break_off()
            return
        self._send(reply, fault.truncate if fault is not None else None)

    def _struck(self, fault: Fault, path: str) -> bool:
        """Carry out a fault; True when nothing is left to answer."""
        if fault.hold:
            self.faults.held.set()
            self.faults.release.wait(HELD_SECONDS)
        interfere(self.hub, fault, "/".join(path.strip("/").split("/")[2:4]))
        if fault.cut == "before":
            self._break_off()
        elif fault.status is not None:
            refused = Refusal(fault.status, "as the test asked for").reply
            self._send(Reply(refused.status, refused.body, {**refused.headers, **fault.headers}))
        return fault.cut == "before" or fault.status is not None

    def _routed(self, path: str, query: str, body: bytes) -> Reply:
        try:
            return route(self, [unquote(part) for part in path.strip("/").split("/")], query, body)
        except Refusal as refusal:
            return refusal.reply

    def _break_off(self) -> None:
        self.close_connection = True
        self.connection.close()

    def _send(self, reply: Reply, truncate: int | None = None) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(reply.body if truncate is None else reply.body[:truncate])
        if truncate is not None:
            self.wfile.flush()
            self._break_off()

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


def interfere(hub: Hub, fault: Fault, name: str) -> None:
    """Do what somebody else, or a broken disk, would do in this moment."""
    if fault.foreign is not None:
        repo = hub.repos[name]
        repo.commit("by somebody else", {**repo.head.files, fault.foreign: Blob(b"theirs\n", False)})
    if fault.foreign_tag is not None:
        repo = hub.repos[name]
        repo.tags[fault.foreign_tag] = next(iter(repo.commits))
    if fault.corrupt is not None:
        held = hub.stored[fault.corrupt]
        hub.stored[fault.corrupt] = held[:-1] + bytes([held[-1] ^ 1])


def route(handler: Handler, parts: list[str], query: str, body: bytes) -> Reply:
    """Find who answers a request."""
    hub = handler.hub
    match parts:
        case ["api", "whoami-v2"]:
            return whoami(handler.account)
        case ["api", "repos", "create"]:
            return writing.create(hub, handler.account, json.loads(body), handler.url)
        case ["api", "validate-yaml"]:
            return writing.validate_card(json.loads(body))
        case ["api", "datasets", owner, name, *rest]:
            repo = reading.repo_of(hub, f"{owner}/{name}", handler.account)
            return of_repo(handler, repo, rest, query, body)
        case ["datasets", owner, name, "resolve", revision, *path]:
            repo = reading.repo_of(hub, f"{owner}/{name}", handler.account)
            reading.require_access(repo, handler.account)
            commit = reading.commit_of(repo, revision)
            return reading.resolve(commit, "/".join(path), handler.headers.get("Range"))
        case ["datasets", owner, git, "info", "lfs", "objects", "batch"]:
            writing.require_write(handler.account, f"{owner}/{git.removesuffix('.git')}")
            return writing.lfs_batch(hub, json.loads(body), handler.url)
        case ["_lfs", oid]:
            return writing.lfs_put(hub, oid, body)
        case ["_lfs_verify"]:
            return Reply() if json.loads(body)["oid"] in hub.stored else Reply(404)
    raise Refusal(404, f"no route {'/'.join(parts)}")


def of_repo(handler: Handler, repo: Repo, rest: list[str], query: str, body: bytes) -> Reply:
    """Routes below one repository."""
    commit: Callable[[str], Any] = lambda revision: reading.commit_of(repo, revision)  # noqa: E731
    match handler.command, rest:
        case "GET", []:
            return reading.info(repo, repo.head)
        case "GET", ["revision", revision]:
            return reading.info(repo, commit(revision))
        case "GET", ["refs"]:
            return reading.refs(repo)
        case "GET", ["tree", revision, *folder]:
            return reading.tree(commit(revision), "/".join(folder), query)
        case "GET", ["commits", revision]:
            return reading.commits(repo, commit(revision))
        case "GET", ["auth-check"]:
            reading.require_access(repo, handler.account)
            return as_json({})
        case "GET", ["auth-check", "write"]:
            writing.require_write(handler.account, repo.name)
            return as_json({})
        case "POST", ["paths-info", revision]:
            return reading.paths_info(commit(revision), paths_in(handler, body))
    writing.require_write(handler.account, repo.name)
    return changed(handler, repo, rest, body)


def changed(handler: Handler, repo: Repo, rest: list[str], body: bytes) -> Reply:
    """Routes that need the right to write."""
    match handler.command, rest:
        case "POST", ["preupload", _]:
            return writing.preupload(repo, json.loads(body))
        case "POST", ["commit", branch]:
            return writing.commit(handler.hub, repo, branch, body, handler.url)
        case "POST", ["tag", revision]:
            return writing.tag(repo, revision, json.loads(body)["tag"])
        case "DELETE", ["tag", name]:
            del repo.tags[name]
            return as_json({})
        case "PUT", ["settings"]:
            return writing.settings(repo, json.loads(body))
    raise Refusal(404, f"no route {handler.command} {'/'.join(rest)}")


def paths_in(handler: Handler, body: bytes) -> list[str]:
    """The paths of a request, which the client sends as a form or as JSON."""
    if "json" in (handler.headers.get("Content-Type") or ""):
        return list(json.loads(body)["paths"])
    return parse_qs(body.decode())["paths"]


def whoami(account: Account | None) -> Reply:
    """Who a token belongs to, with its role."""
    if account is None:
        raise Refusal(401, "Invalid username or password.")
    token: dict[str, Any] = {"displayName": "t", "role": account.role}
    if account.role == "fineGrained":
        scoped = [
            {"entity": {"type": "dataset", "name": name}, "permissions": ["repo.write"]}
            for name in account.writable
        ]
        token["fineGrained"] = {"scoped": scoped, "global": []}
    orgs = [{"type": "org", "name": name} for name in account.orgs]
    return as_json(
        {
            "type": "user",
            "name": account.name,
            "orgs": orgs,
            "auth": {"type": "access_token", "accessToken": token},
        }
    )


def main() -> None:
    """Serve on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
