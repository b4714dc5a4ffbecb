"""Our engine behind ``dspy.LM``: one object a call, so that nothing is shared between calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import dspy
from dspy.lm15 import Message, Request, Response, Usage

from salitrap.errors import CallFailed, SalitrapError
from salitrap.providers.access import ChatMessage
from salitrap.providers.caller import Caller
from salitrap.providers.reply import Reply
from salitrap.providers.request import CallRequest
from salitrap.providers.tracing import CallInfo, announced, ended, never_sent
from salitrap.records.enums import Outcome

MODEL_NAME = "salitrap"
QUIET = {"disable_history": True, "trace": None, "warn_on_type_mismatch": False}
"""DSPy settings of every call: nothing that grows with the run, and no warnings."""


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

    ``build`` makes the request from the messages. ``call`` is what callbacks are told, None when there
    are none. The attributes are slots: a tracing tool that writes down what an object holds finds no way
    to the clients and their keys.
    """

    __slots__ = ("_build", "_caller", "call", "reply", "request")

    def __init__(self, caller: Caller, build: Build, call: CallInfo | None = None) -> None:
        self._caller = caller
        self._build = build
        self.call = call
        self.request: CallRequest | None = None
        self.reply: Reply | None = None

    async def complete(self, request: Request) -> Response:
        """Make the call.

        Raises:
            CallFailed: it ended without text to parse.
            StoppedError: the run cannot go on.
        """
        self.request = self._build(_messages(request), (request.config.response_format or {}).get("schema"))
        reply = self.reply = await self._replied(self.request)
        if reply.outcome is not Outcome.OK:
            raise CallFailed(reply.outcome, reply.detail, key=reply.key, raw=reply.text)
        return _response(reply.text, self.call)

    async def _replied(self, request: CallRequest) -> Reply:
        try:
            reply = await self._caller.call(request)
        except CallFailed as error:
            self.call = self.call and never_sent(self.call, error)
            raise
        self.call = self.call and ended(self.call, reply)
        return reply


class DirectLM(dspy.LM):  # type: ignore[misc]  # dspy ships no types
    """The LM of a call that no callback sees: the request goes straight to the engine.

    ``dspy.LM.acall`` prepares each call in another thread, since a message may name a file to be read.
    Ours are text; what the thread would cost: docs/throughput.md.
    """

    def __init__(self, engine: CallEngine) -> None:
        super().__init__(MODEL_NAME, engine=SyncEngine(), async_engine=engine, cache=False, num_retries=0)
        self._call_engine = engine

    async def acall(self, prompt: Request) -> Response:
        """Make the call.

        Raises:
            CallFailed, StoppedError: from the engine, unwrapped.
        """
        return await self._call_engine.complete(prompt)


def language_model(engine: CallEngine) -> dspy.LM:
    """Return the LM of one call; DSPy's cache, retries and history stay out of it."""
    if engine.call is None:
        return DirectLM(engine)
    name, told = engine.call.model, {"role": engine.call.role.value, "prompt": engine.call.prompt}
    return dspy.LM(name, engine=SyncEngine(), async_engine=engine, cache=False, num_retries=0, **told)


async def watched(caller: Caller, request: CallRequest, call: CallInfo) -> Reply:
    """Make the call by way of ``dspy.LM``, so that callbacks see it; else as ``Caller.call``.

    Raises:
        CallFailed, StoppedError: as ``Caller.call``.
    """
    engine = CallEngine(caller, lambda messages, schema: request, call)
    lm = language_model(engine)
    shown = Request(model=lm.model, messages=tuple(Message.user(said.content) for said in request.messages))
    try:
        with our_errors(), announced(call), dspy.context(**QUIET):
            await lm.acall(shown)
    except CallFailed:
        if engine.reply is None:
            raise
    assert engine.reply is not None
    return engine.reply


@contextmanager
def our_errors() -> Iterator[None]:
    """Take DSPy's wrapping off what the engine raised.

    Raises:
        SalitrapError: the engine's own error.
    """
    try:
        yield
    except dspy.LMUnexpectedError as error:
        if isinstance(error.__cause__, SalitrapError):
            raise error.__cause__ from None
        raise


def _response(text: str, call: CallInfo | None) -> Response:
    """The reply as DSPy takes it; with what is known of the call when callbacks will see it."""
    message = Message.assistant(text)
    if call is None:
        return Response(id=None, model=MODEL_NAME, message=message, finish_reason="stop", usage=Usage())
    return Response(
        id=call.call_key,
        model=call.model,
        message=message,
        finish_reason="stop",
        usage=Usage() if call.from_journal else Usage(call.input_tokens, call.output_tokens),
        provider_data={"salitrap": call.record()},
    )


def _messages(request: Request) -> tuple[ChatMessage, ...]:
    system = [ChatMessage("system", request.system)] if isinstance(request.system, str) else []
    return (*system, *(ChatMessage(message.role, message.text or "") for message in request.messages))
