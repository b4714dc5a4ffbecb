"""What an endpoint is asked and what it said, whatever interface it speaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from salitrap.providers.access import ChatMessage

LONGEST_START = 160


class Finish(StrEnum):
    """Why a model stopped."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class WireRequest:
    """Exactly what goes out; a None parameter is not sent.

    ``token_parameter`` is the name under which ``max_tokens`` travels. ``attempt`` counts the attempts at
    this call, those of earlier processes too, from 1; it travels as a header. ``key`` is the call's, for
    wires that may answer a request in a later process, and ``call`` is what such a process needs to know of
    it; neither is sent as such.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int
    temperature: float | None = None
    seed: int | None = None
    schema: Mapping[str, Any] | None = None
    token_parameter: str = "max_tokens"
    attempt: int | None = None
    key: str = ""
    call: str = ""

    def sampling(self) -> dict[str, Any]:
        """The sampling really used, as recorded in the journal; null means the model's default."""
        return {
            "temperature": self.temperature,
            self.token_parameter: self.max_tokens,
            "seed": self.seed,
            "json_schema": self.schema is not None,
        }


@dataclass(frozen=True, slots=True)
class WireReply:
    """A reply taken apart; ``reasoning`` never holds the answer, nor ``text`` a draft.

    ``unfinished_thought`` says that the reply ended inside its think block. ``body`` is the reply
    as received, keys blanked out. Tokens are None when not reported: ``input_tokens`` counts the whole
    prompt, of which ``cached_input`` were read from the provider's cache and ``cache_written`` put there;
    ``output_tokens`` counts everything that was written, thoughts too. ``batch`` is the tag
    of the batch it came in, if any.
    """

    text: str
    reasoning: str
    finish: Finish
    input_tokens: int | None
    output_tokens: int | None
    returned_model: str
    system_fingerprint: str
    body: str
    unfinished_thought: bool = False
    cached_input: int | None = None
    cache_written: int | None = None
    batch: str | None = None

    @property
    def total_tokens(self) -> int | None:
        """Tokens of prompt and reply; None when not reported."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


class UpstreamError(Exception):
    """A reply with status 200 whose body is an error; ``batch`` is the tag of the batch it came in."""

    batch: str | None = None

    def __init__(self, message: str, *, status: int | None, body: str) -> None:
        self.status, self.body = status, body
        super().__init__(message)


class NotAReply(UpstreamError):
    """What came with status 200 is no reply of this interface: a web page, or JSON of another shape."""

    def __init__(self, problem: str, body: str) -> None:
        super().__init__(f"{problem}; it began with {body[:LONGEST_START]!r}", status=None, body=body)


class Wire(Protocol):
    """A client of one address. ``send`` raises the SDK's exceptions and ``UpstreamError``."""

    async def send(self, request: WireRequest) -> WireReply:
        """Make one attempt."""
        ...

    async def close(self) -> None:
        """Close its connections."""
        ...
