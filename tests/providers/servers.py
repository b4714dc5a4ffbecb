"""Loopback servers that say what a test scripts: OpenAI chat completions and Anthropic messages."""

from __future__ import annotations

import asyncio
import inspect
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class Seen:
    path: str
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass
class Server:
    """``answer`` maps a request and its number (from 0) to a body, or to (status, body[, headers]).

    A body is JSON to encode, a text, or bytes as they are.
    """

    answer: Callable[[dict[str, Any], int], Any]
    delay: float = 0.0
    seen: list[Seen] = field(default_factory=list)
    port: int = 0
    busiest: int = 0
    scheme: str = "http"
    _open: int = 0

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/v1"

    @property
    def root(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def requests(self) -> int:
        return len(self.seen)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        number = len(self.seen)
        self.seen.append(Seen(request.path, body, dict(request.headers)))
        self._open += 1
        self.busiest = max(self.busiest, self._open)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            said = self.answer(body, number)
            if inspect.isawaitable(said):
                said = await said
        finally:
            self._open -= 1
        return _response(said)


def _response(said: Any) -> web.Response:
    status, body, headers = (*said, {})[:3] if isinstance(said, tuple) else (200, said, {})
    if isinstance(body, bytes):
        return web.Response(body=body, status=status, headers={"Content-Type": "application/json", **headers})
    if isinstance(body, str):
        return web.Response(text=body, status=status, headers=headers)
    return web.json_response(body, status=status, headers=headers)


@asynccontextmanager
async def serving(
    answer: Callable[[dict[str, Any], int], Any], delay: float = 0.0, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Server]:
    server = Server(answer, delay, scheme="https" if tls else "http")
    app = web.Application()
    app.router.add_post("/{tail:.*}", server.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    server.port = runner.addresses[0][1]
    try:
        yield server
    finally:
        await runner.cleanup()


def chat(content: str | None, finish: str = "stop", **extra: Any) -> dict[str, Any]:
    """A chat completion; ``message_*`` extras go into the message."""
    message = {
        key.removeprefix("message_"): extra.pop(key) for key in list(extra) if key.startswith("message_")
    }
    return {
        "id": "c1",
        "object": "chat.completion",
        "model": "served-model",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7},
        **extra,
    }


def claude(text: str, stop: str = "end_turn", thinking: str = "") -> dict[str, Any]:
    """A reply of the messages interface."""
    blocks = [{"type": "thinking", "thinking": thinking, "signature": "s"}] if thinking else []
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "served-claude",
        "stop_reason": stop,
        "content": [*blocks, {"type": "text", "text": text}],
        "usage": {"input_tokens": 13, "output_tokens": 5},
    }
