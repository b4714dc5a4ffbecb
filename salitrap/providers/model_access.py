"""``Access`` over real endpoints: journalled, budgeted, re-asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dspy

from salitrap.errors import CallFailed, SalitrapError, StoppedError
from salitrap.providers.access import Answered, Asked, PromptRef
from salitrap.providers.caller import Caller
from salitrap.providers.engine import Build, CallEngine, language_model
from salitrap.providers.money.spend import Ledger, Spend
from salitrap.providers.pacing.trouble import Trouble
from salitrap.providers.parsing.adapter import Forms, StructuredAdapter
from salitrap.providers.parsing.messages import again_message
from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.pool import Pool
from salitrap.providers.reply import Reply
from salitrap.providers.request import CallRequest, ChatMessage, sendable
from salitrap.records.enums import Outcome, Role


class ModelAccess:
    """Implements ``Access``. Made by ``open_access``, which owns what is behind it."""

    def __init__(self, caller: Caller, ledger: Ledger, pools: Mapping[Role, Pool], *, reasks: int) -> None:
        self._caller = caller
        self._ledger = ledger
        self._pools = pools
        self._reasks = reasks
        self._forms = Forms()

    async def ask(
        self,
        role: Role,
        predict: dspy.Predict,
        inputs: Mapping[str, Any],
        prompt: PromptRef,
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Asked:
        """Ask for structured output; see ``Access.ask``.

        Raises:
            CallFailed: no parsable reply within attempts, deadline and re-asks.
            StoppedError: the run cannot go on.
        """
        followup: tuple[ChatMessage, ...] = ()
        root: CallRequest | None = None
        for reasks_left in range(self._reasks, -1, -1):
            engine = CallEngine(self._caller, self._builder(role, prompt, slot, repeat, root))
            adapter = StructuredAdapter(prompt.language, self._forms, followup)
            try:
                fields = await _predict(predict, inputs, engine, adapter)
            except ParseError as error:
                root, reply = root or engine.request, _replied(engine)
                self._caller.settle(reply, error.outcome, str(error))
                if not reasks_left:
                    raise CallFailed(error.outcome, str(error), key=reply.key, raw=reply.text) from None
                followup = (*followup, *_again(prompt, reply, error))
            else:
                return self._asked(fields, engine)
        raise AssertionError("unreachable: the last round returns or raises")

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        """Send ``message`` to a solver; see ``Access.answer``.

        Raises:
            StoppedError: the run cannot go on.
        """
        build = self._builder(Role.SOLVER, None, slot, repeat, None)
        request = build((ChatMessage("user", sendable(message)),), None)
        reply = await self._caller.call(request)
        return Answered(
            outcome=reply.outcome,
            text=reply.text,
            reasoning=reply.reasoning,
            detail=reply.detail,
            family=reply.endpoint.family,
            provenance=reply.provenance(request),
        )

    def stop(self, error: StoppedError) -> None:
        """Send nothing more; see ``Caller.stop``."""
        self._caller.stop(error)

    def spend(self) -> Spend:
        """What the run has used so far, over all its processes."""
        return self._ledger.spend()

    def trouble(self) -> Trouble:
        """Which calls are being tried again at this moment, and why."""
        return self._caller.troubles.now(self.in_flight)

    @property
    def in_flight(self) -> int:
        """Requests on their way at this moment."""
        limiters = {id(end.limiter): end.limiter for pool in self._pools.values() for end in pool.endpoints}
        return sum(limiter.in_flight for limiter in limiters.values())

    def _asked(self, fields: Mapping[str, Any], engine: CallEngine) -> Asked:
        reply = _replied(engine)
        self._caller.settle(reply, Outcome.OK)
        assert engine.request is not None
        return Asked(fields=fields, raw=reply.text, provenance=reply.provenance(engine.request))

    def _builder(
        self, role: Role, prompt: PromptRef | None, slot: int, repeat: int, root: CallRequest | None
    ) -> Build:
        settings = self._caller.pool(role).settings

        def build(messages: tuple[ChatMessage, ...], schema: Mapping[str, Any] | None = None) -> CallRequest:
            return CallRequest(
                role=role,
                messages=messages,
                temperature=settings.temperature,
                max_tokens=settings.max_tokens,
                attempt_timeout=settings.attempt_timeout,
                prompt=prompt,
                schema=schema,
                slot=slot,
                repeat=repeat,
                root=root,
            )

        return build


async def _predict(
    predict: dspy.Predict, inputs: Mapping[str, Any], engine: CallEngine, adapter: StructuredAdapter
) -> dict[str, Any]:
    """Run ``predict`` with our adapter and engine, leaving DSPy's global settings alone.

    Raises:
        ParseError, CallFailed, StoppedError: from the adapter and the engine, unwrapped.
    """
    lm = language_model(engine)
    quiet = {"disable_history": True, "trace": None, "warn_on_type_mismatch": False}
    try:
        with dspy.context(adapter=adapter, **quiet):
            prediction = await predict.acall(lm=lm, **inputs)
    except dspy.LMUnexpectedError as error:
        if isinstance(error.__cause__, SalitrapError):
            raise error.__cause__ from None
        raise
    return {name: prediction[name] for name in predict.signature.output_fields}


def _replied(engine: CallEngine) -> Reply:
    assert engine.reply is not None
    return engine.reply


def _again(prompt: PromptRef, reply: Reply, error: ParseError) -> tuple[ChatMessage, ChatMessage]:
    told = again_message(prompt.language, error.problem)
    return ChatMessage("assistant", reply.text), ChatMessage("user", told)
