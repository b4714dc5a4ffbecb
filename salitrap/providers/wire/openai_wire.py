"""OpenAI chat completions, and everything that speaks them, through the official SDK."""

from __future__ import annotations

from typing import Any

import httpx2
from openai import AsyncOpenAI, DefaultAioHttpClient, RequestOptions

from salitrap.providers.api_keys import Redactor
from salitrap.providers.network import Network
from salitrap.providers.wire.http_client import BY_ENVIRONMENT, client_options
from salitrap.providers.wire.interface import WireReply, WireRequest
from salitrap.providers.wire.openai_reply import read_chat
from salitrap.providers.wire.reply_json import as_text, cleaned, decoded, without_keys

ATTEMPT_HEADER = "X-Attempt"


class OpenAIWire:
    """A client of one address. Retries, limits and deadlines are the caller's."""

    def __init__(
        self, base_url: str, api_key: str, redactor: Redactor, network: Network = BY_ENVIRONMENT
    ) -> None:
        self._redactor = redactor
        self._client = AsyncOpenAI(
            api_key=api_key,
            base_url=base_url,
            max_retries=0,
            http_client=DefaultAioHttpClient(**client_options(base_url, network)),
        )

    async def send(self, request: WireRequest) -> WireReply:
        """Make one attempt; the SDK's exceptions come through unchanged."""
        response = await self._client.post(
            "/chat/completions", cast_to=httpx2.Response, body=chat_body(request), options=_options(request)
        )
        body = cleaned(as_text(response.content), self._redactor)
        return without_keys(read_chat(decoded(body), body), self._redactor)

    @property
    def client(self) -> AsyncOpenAI:
        """The client, for other parts of the same interface."""
        return self._client

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()


def _options(request: WireRequest) -> RequestOptions:
    return {} if request.attempt is None else {"headers": {ATTEMPT_HEADER: str(request.attempt)}}


def chat_body(request: WireRequest) -> dict[str, Any]:
    """What is sent, as JSON values."""
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        request.token_parameter: request.max_tokens,
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.seed is not None:
        body["seed"] = request.seed
    if request.schema is not None:
        schema = {"name": "reply", "schema": dict(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body
