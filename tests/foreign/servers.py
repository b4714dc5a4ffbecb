"""Servers that know nothing of this project: they read requests and answer, over plain HTTP."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.foreign.questions import Question, read_question

KEY = "sk-foreign-0123456789"


@dataclass(frozen=True)
class Say:
    """A reply of a model. ``content`` may be anything a server puts there; ``raw`` replaces all of it."""

    content: Any = ""
    finish: str | None = "stop"
    thinking: dict[str, str] = field(default_factory=dict)
    usage: bool = True
    model: str = "served"
    delay: float = 0.0


@dataclass(frozen=True)
class Raw:
    """A reply below the interface: status, headers and bytes."""

    status: int
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"


Answer = Say | Raw
Mind = Callable[[Question], Answer]
STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


@dataclass
class Foreign:
    """What happened at a server."""

    mind: Mind
    port: int = 0
    questions: list[Question] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def asked(self, *tasks: str) -> int:
        return sum(question.task in tasks for question in self.questions)


def chat_completion(say: Say) -> dict[str, Any]:
    reply: dict[str, Any] = {
        "id": "x-1",
        "object": "chat.completion",
        "model": say.model,
        "choices": [
            {
                "index": 0,
                "finish_reason": say.finish,
                "message": {"role": "assistant", "content": say.content, **say.thinking},
            }
        ],
    }
    return reply | ({"usage": {"prompt_tokens": 9, "completion_tokens": 5}} if say.usage else {})


def message(say: Say) -> dict[str, Any]:
    content = say.content if isinstance(say.content, list) else [{"type": "text", "text": say.content or ""}]
    thoughts = [{"type": "thinking", "thinking": text, "signature": ""} for text in say.thinking.values()]
    reply: dict[str, Any] = {
        "id": "m-1",
        "type": "message",
        "role": "assistant",
        "model": say.model,
        "stop_reason": STOPS.get(say.finish or "stop", say.finish),
        "content": [*thoughts, *content],
    }
    return reply | ({"usage": {"input_tokens": 9, "output_tokens": 5}} if say.usage else {})


class Handler(BaseHTTPRequestHandler):
    """Both interfaces at their usual addresses, for whoever has the key."""

    protocol_version = "HTTP/1.1"
    foreign: Foreign

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        shapes = {"/v1/chat/completions": chat_completion, "/v1/messages": message}
        shape = shapes.get(self.path)
        given = (self.headers.get("Authorization", ""), self.headers.get("x-api-key", ""))
        if shape is None or not ({f"Bearer {KEY}", KEY} & set(given)):
            self._send(Raw(404 if shape is None else 401, '{"error": {"message": "go away"}}'))
            return
        question = read_question(body)
        with self.foreign.lock:
            self.foreign.questions.append(question)
        answer = self.foreign.mind(question)
        if isinstance(answer, Say):
            time.sleep(answer.delay)
            answer = Raw(200, json.dumps(shape(answer), ensure_ascii=False))
        self._send(answer)

    def _send(self, raw: Raw) -> None:
        body = raw.body.encode("utf-8")
        self.send_response(raw.status)
        headers = {"Content-Type": raw.kind, "Content-Length": str(len(body)), **raw.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no news."""


@contextmanager
def serving(mind: Mind) -> Iterator[Foreign]:
    foreign = Foreign(mind)
    server = _Server(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"foreign": foreign}))
    foreign.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield foreign
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
