"""Anthropic's batch interface: one request with all requests in it, one stream of results."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx2

from salitrap.providers.api_keys import Redactor
from salitrap.providers.batch.answers import count, identifier, mapping, record, records, word
from salitrap.providers.batch.anthropic_lines import read_line
from salitrap.providers.batch.interface import Found, Size, Sought, Standing
from salitrap.providers.batch.lines import lines_of, owned
from salitrap.providers.wire.anthropic_wire import message_body
from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import failure_of
from salitrap.providers.wire.interface import WireReply, WireRequest
from salitrap.providers.wire.reply_json import without_keys

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

MOST = Size(requests=100_000, octets=256 * 1000**2)
BATCHES = "/v1/messages/batches"
SUBMIT_SECONDS, ASK_SECONDS, READ_SECONDS = 900.0, 60.0, 120.0
PAGE, MOST_PAGES = 100, 50
CLOCKS_APART = timedelta(hours=1)
"""By how much the provider's clock may differ from ours."""

_STREAMED = "X-Stainless-Raw-Response"


class AnthropicService:
    """The batch interface behind one client.

    Results are read at an address made from the batch's id, not at the ``results_url`` that a server
    names: the key goes to no other host than the one it was given for.
    """

    def __init__(self, client: AsyncAnthropic, redactor: Redactor) -> None:
        self.limits = MOST
        self._client = client
        self._redactor = redactor

    def body(self, request: WireRequest) -> bytes:
        """See ``Service.body``."""
        return json.dumps(message_body(request)).encode("ascii")

    def line(self, custom_id: str, body: bytes) -> bytes:
        """See ``Service.line``."""
        return b"".join((f'{{"custom_id":"{custom_id}","params":'.encode("ascii"), body, b"}"))

    async def upload(self, tag: str, lines: Sequence[bytes]) -> str:
        """Do nothing: requests travel with the batch."""
        return ""

    async def create(self, tag: str, upload: str, lines: Sequence[bytes]) -> str:
        """Send all requests."""
        content = b"".join((b'{"requests":[', b",".join(lines), b"]}"))
        response = await self._client.post(
            BATCHES,
            cast_to=httpx2.Response,
            content=content,
            options={"timeout": SUBMIT_SECONDS, "headers": {"Content-Type": "application/json"}},
        )
        return identifier(record(response, self._redactor))

    async def standing(self, provider_id: str) -> Standing:
        """See ``Service.standing``."""
        return _standing(await self._get(f"{BATCHES}/{provider_id}"))

    async def results(self, provider_id: str, standing: Standing) -> AsyncIterator[bytes]:
        """Yield the lines of the stream of results."""
        try:
            response = await self._stream(f"{BATCHES}/{provider_id}/results")
        except Exception as error:
            if failure_of(error).kind is not Kind.NOT_FOUND:
                raise
            return
        try:
            async for line in lines_of(response.aiter_bytes()):
                yield line
        finally:
            await response.aclose()

    def refusals(self, ids: Sequence[str], standing: Standing) -> Iterable[tuple[str, str]]:
        """Nothing: a batch is taken, or its submission fails."""
        return ()

    async def find(self, sought: Sought) -> Found:
        """Look at the latest batches of the same size; whose they are shows once they have ended."""
        others: set[str] = set()
        undecided = False
        async for batch in self._latest(sought):
            if _total(batch) != sought.requests:
                continue
            if not _standing(batch).ended:
                undecided = True
            elif await self._holds(identifier(batch), sought.tag):
                return Found(identifier(batch))
            else:
                others.add(identifier(batch))
        return Found(undecided=undecided, others=frozenset(others))

    def read(self, line: str) -> WireReply:
        """See ``Service.read``."""
        return without_keys(read_line(line), self._redactor)

    async def _latest(self, sought: Sought) -> AsyncIterator[Mapping[str, Any]]:
        """Batches that are not known, made since then."""
        after = ""
        for _ in range(MOST_PAGES):
            page = await self._get(BATCHES, {"limit": PAGE, **({"after_id": after} if after else {})})
            batches = records(page.get("data"))
            for batch in batches:
                if _is_older(batch, sought):
                    return
                if identifier(batch) not in sought.known:
                    yield batch
            if not batches or not page.get("has_more"):
                return
            after = identifier(batches[-1])

    async def _holds(self, provider_id: str, tag: str) -> bool:
        """True when its results are those of our batch."""
        async for line in self.results(provider_id, Standing("ended", True, 0, 0)):
            if (mine := owned(line, self._redactor)) is not None:
                return mine[0].startswith(tag)
        return False

    async def _get(self, path: str, query: Mapping[str, object] | None = None) -> dict[str, Any]:
        response = await self._client.get(
            path, cast_to=httpx2.Response, options={"timeout": ASK_SECONDS, "params": dict(query or {})}
        )
        return record(response, self._redactor)

    async def _stream(self, path: str) -> httpx2.Response:
        """An answer whose body has not been read; the SDK's own method would ask at ``results_url``."""
        return await self._client.get(
            path,
            cast_to=httpx2.Response,
            options={"timeout": httpx2.Timeout(READ_SECONDS), "headers": {_STREAMED: "stream"}},
        )


def _standing(batch: Mapping[str, Any]) -> Standing:
    state = word(batch.get("processing_status"))
    total = _total(batch)
    processing = count(mapping(batch.get("request_counts")).get("processing"))
    return Standing(word=state, ended=state == "ended", done=max(total - processing, 0), total=total)


def _total(batch: Mapping[str, Any]) -> int:
    return sum(count(value) for value in mapping(batch.get("request_counts")).values())


def _is_older(batch: Mapping[str, Any], sought: Sought) -> bool:
    """True when it was made before; one that does not say when is looked at."""
    try:
        made = datetime.fromisoformat(word(batch.get("created_at")))
    except ValueError:
        return False
    return made.tzinfo is not None and made + CLOCKS_APART < sought.since
