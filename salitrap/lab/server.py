"""The OpenAI-compatible HTTP interface of the lab."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from salitrap.lab.desk import Reply, reply_to, tokens
from salitrap.lab.faults import ATTEMPT_HEADER, HEADER, FaultPlan, LabFault, spoiled
from salitrap.lab.gold import GoldBook
from salitrap.lab.request import Ask, BadRequest, read_request

MODELS = ("generator", "writer", "checker", "judge", "solver-a", "solver-b", "solver-c")
STALL_SECONDS = 3600.0
RETRY_AFTER_SECONDS = 0.2
LARGEST_BODY = 16 * 1024**2
CREATED = 1_700_000_000


@dataclass(frozen=True, slots=True)
class LabOptions:
    """``latency`` in seconds, ``faults`` as shares of attempts, ``gold`` answers known to the judge."""

    seed: int = 0
    latency: float = 0.0
    faults: Mapping[LabFault, float] = field(default_factory=dict)
    gold: GoldBook = field(default_factory=GoldBook)


def build_app(options: LabOptions) -> web.Application:
    """The application with its two routes."""
    service = LabService(options)
    app = web.Application(client_max_size=LARGEST_BODY)
    app.router.add_post("/v1/chat/completions", service.complete)
    app.router.add_get("/v1/models", service.models)
    return app


class LabService:
    """Request handlers; the only state is how often a request was seen, for clients that do not tell."""

    def __init__(self, options: LabOptions) -> None:
        self._options = options
        self._faults = FaultPlan(options.faults, options.seed)
        self._fingerprint = f"salitrap-lab-{options.seed}"

    async def models(self, request: web.Request) -> web.Response:
        """GET /v1/models."""
        data = [{"id": name, "object": "model", "created": CREATED, "owned_by": "lab"} for name in MODELS]
        return _json(200, {"object": "list", "data": data})

    async def complete(self, request: web.Request) -> web.Response:
        """POST /v1/chat/completions."""
        try:
            body = json.loads(await request.read())
            ask = read_request(body, self._options.seed, self._options.gold)
            fault = self._fault(ask, request.headers)
        except (BadRequest, json.JSONDecodeError, UnicodeDecodeError) as error:
            return _error(400, "invalid_request_error", str(error))
        if body.get("stream"):
            return _error(400, "invalid_request_error", "the lab does not stream; leave 'stream' out")
        if self._options.latency:
            await asyncio.sleep(self._options.latency)
        return await self._answered(ask, fault)

    def _fault(self, ask: Ask, headers: Mapping[str, str]) -> LabFault | None:
        return self._faults.draw(ask.draw.bits("request"), headers.get(HEADER), headers.get(ATTEMPT_HEADER))

    async def _answered(self, ask: Ask, fault: LabFault | None) -> web.Response:
        if fault is LabFault.HTTP_429:
            headers = {"Retry-After": f"{RETRY_AFTER_SECONDS:g}"}
            return _error(429, "rate_limit_exceeded", "too many requests (fault on request)", headers)
        if fault is LabFault.HTTP_500:
            return _error(500, "server_error", "internal error (fault on request)")
        if fault is LabFault.STALL:
            await asyncio.sleep(STALL_SECONDS)
        if fault is LabFault.MALFORMED and ask.schema is None:
            return web.Response(status=200, body=b'{"choices": [{"mess', content_type="application/json")
        reply = reply_to(ask)
        return _json(200, self._completion(ask, spoiled(reply, fault) if fault else reply))

    def _completion(self, ask: Ask, reply: Reply) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.content}
        if reply.reasoning:
            message["reasoning_content"] = reply.reasoning
        return {
            "id": f"chatcmpl-{ask.draw.bits('id'):016x}",
            "object": "chat.completion",
            "created": CREATED,
            "model": ask.model,
            "system_fingerprint": self._fingerprint,
            "choices": [
                {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish_reason}
            ],
            "usage": _usage(ask, reply),
        }


def _usage(ask: Ask, reply: Reply) -> dict[str, int]:
    sent = tokens(ask.characters, ask.language)
    written = tokens(len(reply.content or "") + len(reply.reasoning), ask.language)
    return {"prompt_tokens": sent, "completion_tokens": written, "total_tokens": sent + written}


def _error(status: int, kind: str, message: str, headers: Mapping[str, str] | None = None) -> web.Response:
    return _json(status, {"error": {"message": message, "type": kind, "param": None, "code": kind}}, headers)


def _json(status: int, value: object, headers: Mapping[str, str] | None = None) -> web.Response:
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)
