"""OpenAI's batch interface: a file of requests, a batch on it, files of results."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import httpx2

from salitrap.providers.api_keys import Redactor
from salitrap.providers.batch.answers import count, identifier, mapping, record, records, word
from salitrap.providers.batch.interface import Fault, Found, Size, Sought, Standing
from salitrap.providers.batch.lines import lines_of
from salitrap.providers.batch.openai_lines import read_line, refusals
from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import failure_of
from salitrap.providers.wire.interface import WireReply, WireRequest
from salitrap.providers.wire.openai_wire import chat_body
from salitrap.providers.wire.reply_json import without_keys

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MOST = Size(requests=50_000, octets=200 * 1000**2)
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
TOO_MUCH = "token_limit_exceeded"
MARK = "salitrap_batch"
"""Name under which a batch carries our tag as metadata."""

SUBMIT_SECONDS, ASK_SECONDS, READ_SECONDS = 900.0, 60.0, 120.0
PAGE, MOST_PAGES = 100, 50
CLOCKS_APART = 3600
"""Seconds by which the provider's clock may differ from ours."""


class OpenAIService:
    """The batch interface behind one client."""

    def __init__(self, client: AsyncOpenAI, redactor: Redactor) -> None:
        self.limits = MOST
        self._client = client
        self._redactor = redactor

    def body(self, request: WireRequest) -> bytes:
        """See ``Service.body``."""
        return json.dumps(chat_body(request)).encode("ascii")

    def line(self, custom_id: str, body: bytes) -> bytes:
        """See ``Service.line``."""
        head = f'{{"custom_id":"{custom_id}","method":"POST","url":"/v1/chat/completions","body":'
        return b"".join((head.encode("ascii"), body, b"}"))

    async def upload(self, tag: str, lines: Sequence[bytes]) -> str:
        """Upload the file of requests."""
        content = b"\n".join((*lines, b""))
        name = (f"salitrap-{tag}.jsonl", content, "application/jsonl")
        file = await self._client.files.create(file=name, purpose="batch", timeout=SUBMIT_SECONDS)
        return identifier({"id": file.id})

    async def create(self, tag: str, upload: str, lines: Sequence[bytes]) -> str:
        """Start a batch on the uploaded file."""
        body = {
            "input_file_id": upload,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {MARK: tag},
        }
        response = await self._client.post(
            "/batches", cast_to=httpx2.Response, body=body, options={"timeout": ASK_SECONDS}
        )
        return identifier(record(response, self._redactor))

    async def standing(self, provider_id: str) -> Standing:
        """See ``Service.standing``."""
        return _standing(await self._get(f"/batches/{provider_id}"))

    async def results(self, provider_id: str, standing: Standing) -> AsyncIterator[bytes]:
        """Yield the lines of the output file, then those of the error file."""
        for file in standing.files:
            try:
                async with self._client.files.with_streaming_response.content(
                    file, timeout=httpx2.Timeout(READ_SECONDS)
                ) as response:
                    async for line in lines_of(response.iter_bytes()):
                        yield line
            except Exception as error:
                if failure_of(error).kind is not Kind.NOT_FOUND:
                    raise

    def refusals(self, ids: Sequence[str], standing: Standing) -> Iterable[tuple[str, str]]:
        """See ``Service.refusals``."""
        return refusals(ids, standing.faults)

    async def find(self, sought: Sought) -> Found:
        """Look through the latest batches for the tag, or for the uploaded file."""
        after = ""
        for _ in range(MOST_PAGES):
            page = await self._get("/batches", {"limit": PAGE, **({"after": after} if after else {})})
            batches = records(page.get("data"))
            for batch in batches:
                if _is(batch, sought):
                    return Found(identifier(batch))
            if not batches or not page.get("has_more") or _older(batches[-1], sought):
                break
            after = identifier(batches[-1])
        return Found()

    def read(self, line: str) -> WireReply:
        """See ``Service.read``."""
        return without_keys(read_line(line), self._redactor)

    async def _get(self, path: str, query: Mapping[str, object] | None = None) -> dict[str, Any]:
        response = await self._client.get(
            path, cast_to=httpx2.Response, options={"timeout": ASK_SECONDS, "params": dict(query or {})}
        )
        return record(response, self._redactor)


def _standing(batch: Mapping[str, Any]) -> Standing:
    state = word(batch.get("status"))
    counts = mapping(batch.get("request_counts"))
    files = (word(batch.get("output_file_id")), word(batch.get("error_file_id")))
    faults = tuple(_fault(entry) for entry in records(mapping(batch.get("errors")).get("data")))
    return Standing(
        word=state,
        ended=state in ENDED,
        done=count(counts.get("completed")) + count(counts.get("failed")),
        total=count(counts.get("total")),
        files=tuple(identifier({"id": file}) for file in files if file),
        faults=faults if state == "failed" else (),
        taken=state != "validating",
        too_much=state == "failed" and any(fault.code == TOO_MUCH for fault in faults),
    )


def _fault(entry: Mapping[str, Any]) -> Fault:
    code = word(entry.get("code"))
    message = word(entry.get("message")) or code or "no reason was given"
    return Fault(code, message, count(entry.get("line")) or None, word(entry.get("param")) or None)


def _is(batch: Mapping[str, Any], sought: Sought) -> bool:
    marked = mapping(batch.get("metadata")).get(MARK) == sought.tag
    return marked or (bool(sought.upload) and batch.get("input_file_id") == sought.upload)


def _older(batch: Mapping[str, Any], sought: Sought) -> bool:
    return count(batch.get("created_at")) + CLOCKS_APART < sought.since.timestamp()
