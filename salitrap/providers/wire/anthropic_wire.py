"""The Anthropic messages interface through the official SDK."""

from __future__ import annotations

from typing import Any

import httpx2
from anthropic import AsyncAnthropic, DefaultAioHttpClient

from salitrap.providers.api_keys import Redactor
from salitrap.providers.network import Network
from salitrap.providers.wire.anthropic_reply import read_message
from salitrap.providers.wire.http_client import BY_ENVIRONMENT, CONNECT_TIMEOUT, client_options
from salitrap.providers.wire.interface import WireReply, WireRequest
from salitrap.providers.wire.reply_json import as_text, cleaned, decoded, without_keys

PATIENT = httpx2.Timeout(3600.0, connect=CONNECT_TIMEOUT)
"""Seconds; the SDK announces the longest to the server. An attempt's own timeout is the caller's."""


class AnthropicWire:
    """A client of one address. Retries, limits and deadlines are the caller's."""

    def __init__(
        self, base_url: str, api_key: str, redactor: Redactor, network: Network = BY_ENVIRONMENT
    ) -> None:
        self._redactor = redactor
        self._client = AsyncAnthropic(
            api_key=api_key,
            base_url=base_url,
            max_retries=0,
            http_client=DefaultAioHttpClient(**client_options(base_url, network)),
        )

    async def send(self, request: WireRequest) -> WireReply:
        """Make one attempt; the SDK's exceptions come through unchanged."""
        response = await self._client.post(
            "/v1/messages",
            cast_to=httpx2.Response,
            body=message_body(request),
            options={"timeout": PATIENT},
        )
        body = cleaned(as_text(response.content), self._redactor)
        return without_keys(read_message(decoded(body), body), self._redactor)

    @property
    def client(self) -> AsyncAnthropic:
        """The client, for other parts of the same interface."""
        return self._client

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()


def message_body(request: WireRequest) -> dict[str, Any]:
    """What is sent, as JSON values."""
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
