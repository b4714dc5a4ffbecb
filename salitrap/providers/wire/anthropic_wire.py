"""The Anthropic messages interface through the official SDK."""

from __future__ import annotations

from typing import Any

import httpx2
from anthropic import AsyncAnthropic, DefaultAioHttpClient

from salitrap.providers.api_keys import Redactor
from salitrap.providers.wire.anthropic_reply import read_message
from salitrap.providers.wire.http_client import client_options
from salitrap.providers.wire.interface import WireReply, WireRequest
from salitrap.providers.wire.reply_json import as_text, decoded

LONGEST_READ = 3600.0  # the SDK announces it to the server; an attempt's own timeout is the caller's


class AnthropicWire:
    """A client of one address. Retries, limits and deadlines are the caller's."""

    def __init__(self, base_url: str, api_key: str, redactor: Redactor) -> None:
        self._redactor = redactor
        self._client = AsyncAnthropic(
            api_key=api_key,
            base_url=base_url,
            max_retries=0,
            http_client=DefaultAioHttpClient(**client_options(base_url)),
        )

    async def send(self, request: WireRequest) -> WireReply:
        """Make one attempt; the SDK's exceptions come through unchanged."""
        response = await self._client.post(
            "/v1/messages", cast_to=httpx2.Response, body=_body(request), options={"timeout": LONGEST_READ}
        )
        body = self._redactor.clean(as_text(response.content))
        return read_message(decoded(body), body)

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()


def _body(request: WireRequest) -> dict[str, Any]:
    system = "\n\n".join(message.content for message in request.messages if message.role == "system")
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [
            {"role": message.role, "content": message.content}
            for message in request.messages
            if message.role != "system"
        ],
    }
    if system:
        body["system"] = system
    if request.temperature is not None:
        body["temperature"] = request.temperature
    return body
