"""Our engine behind ``dspy.LM``: one object a call, so that nothing is shared between calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import dspy
from dspy.lm15 import Message, Request, Response, Usage

from salitrap.errors import CallFailed
from salitrap.providers.caller import Caller
from salitrap.providers.reply import Reply
from salitrap.providers.request import CallRequest, ChatMessage
from salitrap.records.enums import Outcome

MODEL_NAME = "salitrap"


class Build(Protocol):
    """Makes a call's request from what the adapter wrote."""

    def __call__(self, messages: tuple[ChatMessage, ...], schema: Mapping[str, Any] | None) -> CallRequest:
        """Return the request."""
        ...


class SyncEngine:
    """The synchronous half that DSPy demands; programs here are asynchronous throughout."""

    def complete(self, request: Request) -> Response:
        """Refuse.

        Raises:
            NotImplementedError: always, on purpose: a synchronous call would bypass journal and budget.
        """
        raise NotImplementedError(
            "model access is asynchronous: await predict.acall(...) instead of predict(...)"
        )


class CallEngine:
    """Serves one call. ``reply`` is what came of it, also when the call failed.

    ``build`` makes the request from the messages.
    """

    def __init__(self, caller: Caller, build: Build) -> None:
        self._caller = caller
        self._build = build
        self.request: CallRequest | None = None
        self.reply: Reply | None = None

    async def complete(self, request: Request) -> Response:
        """Make the call.

        Raises:
            CallFailed: it ended without text to parse.
            StoppedError: the run cannot go on.
        """
        self.request = self._build(_messages(request), (request.config.response_format or {}).get("schema"))
        reply = self.reply = await self._caller.call(self.request)
        if reply.outcome is not Outcome.OK:
            raise CallFailed(reply.outcome, reply.detail, key=reply.key, raw=reply.text)
        return Response(
            id=None,
            model=MODEL_NAME,
            message=Message.assistant(reply.text),
            finish_reason="stop",
            usage=Usage(),
        )


def language_model(engine: CallEngine) -> dspy.LM:
    """Return the LM of one call; DSPy's cache, retries and history stay out of it."""
    return dspy.LM(MODEL_NAME, engine=SyncEngine(), async_engine=engine, cache=False, num_retries=0)


def _messages(request: Request) -> tuple[ChatMessage, ...]:
    system = [ChatMessage("system", request.system)] if isinstance(request.system, str) else []
    return (*system, *(ChatMessage(message.role, message.text or "") for message in request.messages))
