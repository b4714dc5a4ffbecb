"""The Hub's HTTP server: ``python -m tests.hub.server`` prints its port and serves until it is killed."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.hub.admin import answer_admin, interfere
from tests.hub.faults import Fault, Faults
from tests.hub.replies import Refusal, Reply
from tests.hub.routes import Request, answer
from tests.hub.state import Hub

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
        reply = answer(self.hub, Request(self.command, path, query, self.headers, body))
        if fault is not None and fault.cut == "after":
            self._break_off()
            return
        self._send(reply, fault.truncate if fault is not None else None)

    def _struck(self, fault: Fault, path: str) -> bool:
        """Carry out a fault; True when nothing is left to answer."""
        if fault.hold:
            self.faults.hold(HELD_SECONDS)
        try:
            interfere(self.hub, fault, path)
        except LookupError as error:
            self._send(Refusal(400, f"the fault cannot be done: {error}").reply)
            return True
        if fault.cut == "before":
            self._break_off()
        elif fault.status is not None:
            refused = Refusal(fault.status, "as the test asked for").reply
            body = refused.body if fault.body is None else fault.body.encode()
            self._send(Reply(refused.status, body, {**refused.headers, **fault.headers}))
        return fault.cut == "before" or fault.status is not None

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


def end_with_parent() -> None:
    """End when standard input does: a killed test run leaves no server behind."""
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    """Serve on the given port, or on a free one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--until-eof", action="store_true", help="end when standard input ends")
    given = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    server.daemon_threads = True
    if given.until_eof:
        threading.Thread(target=end_with_parent, daemon=True).start()
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
