"""A loopback server with the batch interfaces of OpenAI and Anthropic, and those for single requests."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.providers.batch.forms import Held, Lines, anthropic_line, fated, openai_line


@dataclass
class BatchServer:
    """What a test scripts.

    ``answer`` maps a request's body to a reply, or to (status, body); ``fate`` a body to a result that is
    no reply: ``expired``, ``cancelled`` or ``missing``. ``spoil`` changes the lines of results. A batch has
    ended at its ``polls``-th question, unless ``hold``. ``refused`` are faults of the next batches as a
    whole; ``state`` is the state in which OpenAI's end. ``creating`` is awaited after a batch was created
    and before the client is told; what it returns is the answer. A ``plain`` server has no batch
    interface; an ``ailing`` one fails so many questions.
    """

    answer: Callable[[dict[str, Any]], Any]
    fate: Callable[[dict[str, Any]], str | None] = lambda body: None
    spoil: Callable[[Lines], Lines] = lambda lines: lines
    polls: int = 1
    hold: bool = False
    state: str = "completed"
    refused: list[list[dict[str, Any]]] = field(default_factory=list)
    creating: Callable[[Held], Any] | None = None
    lose_files: bool = False
    tells_metadata: bool = True
    plain: bool = False
    ailing: int = 0
    batches: dict[str, Held] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    singles: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def submitted(self) -> list[dict[str, Any]]:
        """Bodies of all requests of all batches."""
        return [body for batch in self.batches.values() for body in batch.requests.values()]

    def app(self) -> web.Application:
        app = web.Application(client_max_size=512 * 1024**2)
        app.router.add_post("/v1/chat/completions", self.single)
        app.router.add_post("/v1/messages", self.single)
        if self.plain:
            return app
        app.router.add_post("/v1/files", self.upload)
        app.router.add_get("/v1/files/{id}/content", self.content)
        app.router.add_post("/v1/batches", self.create)
        app.router.add_get("/v1/batches", self.listed)
        app.router.add_get("/v1/batches/{id}", self.standing)
        app.router.add_post("/v1/messages/batches", self.create_messages)
        app.router.add_get("/v1/messages/batches", self.listed_messages)
        app.router.add_get("/v1/messages/batches/{id}", self.standing_messages)
        app.router.add_get("/v1/messages/batches/{id}/results", self.results_messages)
        app.router.add_post("/v1/chat/completions", self.single)
        app.router.add_post("/v1/messages", self.single)
        return app

    async def single(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.singles.append(body)
        status, said = await self._said(body)
        return web.json_response(said, status=status)

    async def upload(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        assert form["purpose"] == "batch"
        name = f"file-{len(self.files)}"
        self.files[name] = form["file"].file.read()
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def create(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        assert (body["endpoint"], body["completion_window"]) == ("/v1/chat/completions", "24h")
        lines = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
        assert all((line["method"], line["url"]) == ("POST", "/v1/chat/completions") for line in lines)
        assert len({line["body"]["model"] for line in lines}) == 1, "one model a batch"
        batch = self._add({line["custom_id"]: line["body"] for line in lines})
        assert len(batch.requests) == len(lines), "custom ids differ"
        batch.metadata, batch.upload = body["metadata"], body["input_file_id"]
        return await self._created(batch, self._openai(batch))

    async def listed(self, request: web.Request) -> web.StreamResponse:
        self.asked.append("list")
        found = [self._openai(batch) for batch in reversed(self.batches.values())]
        return web.json_response({"object": "list", "data": found, "has_more": False})

    async def standing(self, request: web.Request) -> web.StreamResponse:
        batch = self.batches.get(request.match_info["id"])
        if batch is None:
            return web.json_response({"error": {"message": "No such batch"}}, status=404)
        if self._ails():
            return web.json_response({"error": {"message": "out of order"}}, status=503)
        await self._poll(batch)
        return web.json_response(self._openai(batch))

    async def content(self, request: web.Request) -> web.StreamResponse:
        name, _, kind = request.match_info["id"].partition(".")
        batch = self.batches[name]
        assert batch.lines is not None
        if self.lose_files:
            return web.json_response({"error": {"message": "No such File object"}}, status=404)
        return web.Response(body=b"\n".join(batch.lines[kind == "errors"]), content_type="application/jsonl")

    def _openai(self, batch: Held) -> dict[str, Any]:
        told: dict[str, Any] = {
            "id": batch.id,
            "object": "batch",
            "status": "in_progress",
            "input_file_id": batch.upload,
            "created_at": int(batch.made.timestamp()),
            "metadata": batch.metadata if self.tells_metadata else None,
            "request_counts": {"total": len(batch.requests), "completed": 0, "failed": 0},
        }
        faults = self.refused[0] if self.refused and batch.id == f"batch-{len(self.batches) - 1}" else None
        if faults:
            return {**told, "status": "failed", "errors": {"object": "list", "data": faults}}
        if batch.lines is not None:
            out, errors = batch.lines
            told["request_counts"].update(completed=len(out), failed=len(errors))
            told["status"] = self.state
            told["output_file_id"] = f"{batch.id}.output" if out else None
            told["error_file_id"] = f"{batch.id}.errors" if errors else None
        return told

    async def create_messages(self, request: web.Request) -> web.StreamResponse:
        entries = (await request.json())["requests"]
        batch = self._add({entry["custom_id"]: entry["params"] for entry in entries})
        assert len(batch.requests) == len(entries), "custom ids differ"
        assert all(len(name) <= 64 for name in batch.requests)
        return await self._created(batch, self._anthropic(batch))

    async def listed_messages(self, request: web.Request) -> web.StreamResponse:
        self.asked.append("list")
        found = [self._anthropic(batch) for batch in reversed(self.batches.values())]
        return web.json_response({"data": found, "has_more": False, "last_id": None})

    async def standing_messages(self, request: web.Request) -> web.StreamResponse:
        batch = self.batches.get(request.match_info["id"])
        if batch is None:
            error = {"type": "not_found_error", "message": "no such batch"}
            return web.json_response({"type": "error", "error": error}, status=404)
        if self._ails():
            return web.json_response({"type": "error"}, status=529)
        await self._poll(batch)
        return web.json_response(self._anthropic(batch))

    async def results_messages(self, request: web.Request) -> web.StreamResponse:
        batch = self.batches[request.match_info["id"]]
        if self.lose_files:
            return web.json_response({"type": "error", "error": {"type": "not_found_error"}}, status=404)
        assert batch.lines is not None
        return web.Response(body=b"\n".join(batch.lines[0]), content_type="application/x-jsonl")

    def _anthropic(self, batch: Held) -> dict[str, Any]:
        ended = batch.lines is not None
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if ended else "processing"] = len(batch.requests)
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "created_at": batch.made.isoformat(),
            "request_counts": counts,
            "results_url": "http://127.0.0.1:1/never/asked" if ended else None,
        }

    def _add(self, requests: dict[str, dict[str, Any]]) -> Held:
        batch = Held(f"batch-{len(self.batches)}", requests)
        self.batches[batch.id] = batch
        return batch

    async def _created(self, batch: Held, told: dict[str, Any]) -> web.StreamResponse:
        instead = await self.creating(batch) if self.creating is not None else None
        return web.json_response(told) if instead is None else instead

    def _ails(self) -> bool:
        self.ailing -= 1
        return self.ailing >= 0

    async def _poll(self, batch: Held) -> None:
        batch.polls += 1
        self.asked.append(batch.id)
        if batch.lines is None and batch.polls >= self.polls and not self.hold:
            await self.finish(batch)

    async def finish(self, batch: Held) -> None:
        """Work through the batch; with OpenAI, failures stand in a file of their own."""
        done: Lines = []
        failed: Lines = []
        openai = bool(batch.upload)
        for name, body in batch.requests.items():
            fate = self.fate(body)
            if fate is None:
                status, said = await self._said(body)
                line = (openai_line if openai else anthropic_line)(name, status, said)
                (failed if openai and status >= 400 else done).append(line)
            elif fate != "missing":
                (failed if openai else done).append(fated(name, fate, openai))
        batch.lines = self.spoil(done), failed

    async def _said(self, body: dict[str, Any]) -> tuple[int, Any]:
        said = self.answer(body)
        if inspect.isawaitable(said):
            said = await said
        return said if isinstance(said, tuple) else (200, said)


@asynccontextmanager
async def batching(answer: Callable[[dict[str, Any]], Any], **more: Any) -> AsyncIterator[BatchServer]:
    server = BatchServer(answer, **more)
    runner = web.AppRunner(server.app(), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.port = runner.addresses[0][1]
    try:
        yield server
    finally:
        await runner.cleanup()


async def never(batch: Held) -> None:
    """A ``creating`` that does not tell: the client has to be ended meanwhile."""
    await asyncio.sleep(3600)
