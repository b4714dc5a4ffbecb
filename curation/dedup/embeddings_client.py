"""Embeddings of texts from an OpenAI-compatible endpoint, through the official SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import httpx2
import numpy as np
from numpy.typing import NDArray
from openai import AsyncOpenAI, DefaultAioHttpClient

from salitrap.errors import ConfigError, EndpointUnavailable, RateLimited
from salitrap.providers.api_keys import NO_KEY, Redactor, read_key
from salitrap.providers.money.budget import estimate_tokens
from salitrap.providers.network import Network, network_of
from salitrap.providers.pacing.retry import Pacing, retry_after_seconds
from salitrap.providers.request import sendable
from salitrap.providers.spec import DEFAULT_BASE_URLS, Provider, parse_spec
from salitrap.providers.wire.failures import Failure, failure_of
from salitrap.providers.wire.http_client import client_options
from salitrap.providers.wire.interface import NotAReply
from salitrap.providers.wire.reply_json import as_text, decoded, upstream_error
from salitrap.records.enums import Outcome
from salitrap.settings import EndpointSettings

TIMEOUT = 60.0
ATTEMPTS = 6
LONGEST_WAIT = 120.0

Vectors = NDArray[np.float32]
"""One row a text, shape (texts, dimensions)."""


@dataclass(frozen=True, slots=True)
class EmbeddingsSite:
    """A checked endpoint; its key is kept out of every representation.

    ``dimensions`` is asked for where the model can shorten its vectors; None takes them as they are.
    """

    model: str
    spec: str
    address: str
    key: str
    network: Network
    dimensions: int | None = None
    timeout: float = TIMEOUT

    @property
    def identity(self) -> str:
        """What a vector depends on besides its text."""
        return f"{self.model}@{self.address} dimensions={self.dimensions or 'all'}"

    def __repr__(self) -> str:
        return f"EmbeddingsSite({self.spec})"


class Purse(Protocol):
    """Who pays: asked before each request, told afterwards."""

    async def reserve(self, tokens: int) -> None:
        """Set the worst case aside.

        Raises:
            BudgetReached: it does not fit.
        """
        ...

    def book(self, reserved: int, reported: int | None, outcome: Outcome) -> None:
        """Turn the reservation of ``reserved`` tokens into what was used; None when nothing was reported."""
        ...


def site_of(
    endpoint: EndpointSettings, environment: Mapping[str, str], *, dimensions: int | None = None
) -> EmbeddingsSite:
    """Check an endpoint and read its key; nothing is sent.

    Raises:
        ConfigError: the spec is not an ``openai/`` one, the key is missing, or the network settings are bad.
    """
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    if spec.provider is not Provider.OPENAI:
        raise ConfigError(
            f"spec {spec.text!r}: embeddings are asked of OpenAI-compatible servers; write openai/NAME or "
            "openai/NAME@http://host:port/v1"
        )
    return EmbeddingsSite(
        model=spec.name,
        spec=spec.text,
        address=spec.base_url or DEFAULT_BASE_URLS[spec.provider.value],
        key=read_key(environment, endpoint.api_key_env or spec.key_env, spec.text),
        network=network_of(endpoint, spec.provider, environment, f"embeddings ({spec.text})"),
        dimensions=dimensions,
        timeout=endpoint.timeout or TIMEOUT,
    )


class EmbeddingsClient:
    """One endpoint. Every attempt is paid from ``purse``; failures that may pass are tried again."""

    def __init__(self, site: EmbeddingsSite, purse: Purse, pacing: Pacing | None = None) -> None:
        self._site, self._purse, self._pacing = site, purse, pacing or Pacing()
        self._redactor = Redactor([*([] if site.key == NO_KEY else [site.key]), *site.network.secrets])
        options = client_options(site.address, site.network)
        http = DefaultAioHttpClient(**options)
        self._client = AsyncOpenAI(api_key=site.key, base_url=site.address, max_retries=0, http_client=http)

    @property
    def identity(self) -> str:
        """What a vector depends on besides its text."""
        return self._site.identity

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector a text, in order.

        Raises:
            BudgetReached: the next attempt does not fit.
            StoppedError: the endpoint refused, or kept failing.
        """
        for failures in range(1, ATTEMPTS + 1):
            result = await self._attempt(texts)
            if not isinstance(result, Failure):
                return result
            await self._pause_or_stop(result, failures)
        raise AssertionError("unreachable: the last failure stops")

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _attempt(self, texts: Sequence[str]) -> Vectors | Failure:
        reserved = sum(map(estimate_tokens, texts))
        await self._purse.reserve(reserved)
        tokens, outcome = None, Outcome.TIMEOUT  # what was cut off may be billed
        try:
            async with asyncio.timeout(self._site.timeout):
                vectors, tokens = await self._send(texts)
            outcome = Outcome.OK
            return vectors
        except Exception as error:
            failure = failure_of(error).redacted(self._redactor)
            outcome = failure.rule.outcome
            return failure
        finally:
            self._purse.book(reserved, tokens, outcome)

    async def _send(self, texts: Sequence[str]) -> tuple[Vectors, int | None]:
        body: dict[str, Any] = {
            "model": self._site.model,
            "input": [sendable(text) for text in texts],
            "encoding_format": "float",
        }
        if self._site.dimensions is not None:
            body["dimensions"] = self._site.dimensions
        response = await self._client.post("/embeddings", cast_to=httpx2.Response, body=body)
        text = self._redactor.clean(as_text(response.content))
        return read_embeddings(decoded(text), len(texts), text)

    async def _pause_or_stop(self, failure: Failure, failures: int) -> None:
        where = f"embeddings endpoint {self._site.spec} {failure.kind.value}: {failure.reason}"
        if failure.rule.stop is not None:
            raise failure.rule.stop(f"{where}; correct the endpoint and run the same command again")
        if not failure.rule.retryable or failures == ATTEMPTS:
            tried = f" ({failures} attempts)" if failures > 1 else ""
            raise EndpointUnavailable(f"{where}{tried}; run the same command again later")
        asked = retry_after_seconds(failure.retry_after, self._pacing.now())
        if asked is not None and asked > LONGEST_WAIT:
            raise RateLimited(f"{where}; it asks for {asked:.0f} s of rest, run the same command again then")
        await self._pacing.sleep(
            self._pacing.backoff(failures) if asked is None else self._pacing.after(asked)
        )


def read_embeddings(reply: Any, count: int, body: str) -> tuple[Vectors, int | None]:
    """Vectors of a decoded reply in the order of the texts, and the tokens it reports.

    Raises:
        UpstreamError: the body is an error.
        NotAReply: it does not hold one vector of finite numbers, not all zero, for each of ``count`` texts.
    """
    if isinstance(reply, dict) and reply.get("error"):
        raise upstream_error(reply, body)
    rows = reply.get("data") if isinstance(reply, dict) else None
    by_index = {row.get("index"): row.get("embedding") for row in rows or () if isinstance(row, dict)}
    if not isinstance(rows, list) or len(rows) != count or set(by_index) != set(range(count)):
        raise NotAReply(f"the reply does not hold one embedding for each of {count} texts", body)
    usage = reply.get("usage")
    tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    known = isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0
    return _vectors([by_index[place] for place in range(count)], body), tokens if known else None


def _vectors(rows: list[Any], body: str) -> Vectors:
    try:
        vectors = np.array(rows, dtype=np.float32)
    except (TypeError, ValueError):
        raise NotAReply("an embedding is no list of numbers, or they differ in length", body) from None
    if vectors.ndim != 2 or not vectors.size or not np.isfinite(vectors).all():
        raise NotAReply("an embedding is empty or holds a number that is not finite", body)
    if not vectors.any(axis=1).all():
        raise NotAReply("an embedding is zero throughout and has no direction", body)
    return vectors
