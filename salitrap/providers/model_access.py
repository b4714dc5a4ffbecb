"""``Access`` over real endpoints: journalled, budgeted, re-asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dspy

from salitrap.errors import CallFailed, StoppedError
from salitrap.providers.access import Answered, Asked, ChatMessage, PromptRef
from salitrap.providers.batch.office import BatchOffice
from salitrap.providers.caller import Caller
from salitrap.providers.engine import QUIET, Build, CallEngine, language_model, our_errors, watched
from salitrap.providers.journal.store import Journal
from salitrap.providers.money.budget import BudgetGuard
from salitrap.providers.money.spend import Ledger, Spend
from salitrap.providers.pacing.limiter import Limiter
from salitrap.providers.pacing.trouble import Trouble
from salitrap.providers.parsing.adapter import Forms, StructuredAdapter
from salitrap.providers.parsing.messages import again_message
from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.pool import Pool
from salitrap.providers.reply import Reply
from salitrap.providers.request import CallRequest, sendable
from salitrap.providers.sent import sent_without_temperature
from salitrap.providers.tracing import CallInfo, announced, traced
from salitrap.records.enums import Outcome, Role
from salitrap.records.provenance import Provenance


class ModelAccess:
    """Implements ``Access``. Made by ``open_access``, which owns what is behind it.

    ``ledger`` and ``guard`` are for what a run pays besides these calls.
    """

    def __init__(
        self,
        caller: Caller,
        ledger: Ledger,
        guard: BudgetGuard,
        pools: Mapping[Role, Pool],
        journal: Journal,
        *,
        reasks: int,
        batches: BatchOffice,
    ) -> None:
        self._caller = caller
        self._journal = journal
        self.ledger, self.guard = ledger, guard
        self._pools = pools
        self._reasks = reasks
        self.batches = batches
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
            build = self._builder(role, prompt, slot, repeat, root)
            engine = CallEngine(self._caller, build, self._told(role, prompt, slot, repeat))
            adapter = StructuredAdapter(prompt.language, self._forms, followup)
            try:
                fields = await _predict(predict, inputs, engine, adapter)
            except ParseError as error:
                root, reply = root or engine.request, _replied(engine)
                self._caller.settle(reply, error.outcome, str(error))
                if not reasks_left:
                    source = self._source(engine, role, prompt, slot)
                    raise CallFailed(
                        error.outcome, str(error), key=reply.key, raw=reply.text, provenance=source
                    ) from None
                followup = (*followup, *_again(prompt, reply, error))
            except CallFailed as error:
                error.provenance = self._source(engine, role, prompt, slot)
                raise
            else:
                return self._asked(fields, engine)
        raise AssertionError("unreachable: the last round returns or raises")

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        """Send ``message`` to a solver; see ``Access.answer``.

        Raises:
            StoppedError: the run cannot go on.
        """
        return await self.converse((ChatMessage("user", message),), slot=slot, repeat=repeat)

    async def converse(self, messages: Sequence[ChatMessage], *, slot: int = 0, repeat: int = 0) -> Answered:
        """Send a conversation to a solver; see ``Converses.converse``.

        Raises:
            StoppedError: the run cannot go on.
        """
        build = self._builder(Role.SOLVER, None, slot, repeat, None)
        request = build(tuple(ChatMessage(one.role, sendable(one.content)) for one in messages), None)
        told = self._told(Role.SOLVER, None, slot, repeat)
        try:
            reply = await (
                self._caller.call(request) if told is None else watched(self._caller, request, told)
            )
        except CallFailed as error:
            return self._unanswered(request, error)
        return Answered(
            outcome=reply.outcome,
            text=reply.text,
            reasoning=reply.reasoning,
            detail=reply.detail,
            family=reply.endpoint.family,
            provenance=reply.provenance(request),
            default_temperature=sent_without_temperature(self._journal, reply.row_id),
        )

    async def collect(self, request: CallRequest) -> None:
        """Book the reply that waits in a batch; see ``Caller.collect``.

        Raises:
            StoppedError: it is not there yet, or its provider cannot be asked.
        """
        await self._caller.collect(request)

    def left_out(self) -> StoppedError | None:
        """Why calls to an endpoint were given up while the rest of its role went on; None when none were.

        The run has come to its end then, but is not complete: the same command asks again.
        """
        ends = (endpoint for pool in self._pools.values() for endpoint in pool.endpoints)
        return next((endpoint.left_out for endpoint in ends if endpoint.left_out is not None), None)

    def _source(self, engine: CallEngine, role: Role, prompt: PromptRef, slot: int) -> Provenance:
        """Where a failed call went; without a row in the journal when its endpoint takes no calls."""
        if engine.reply is not None and engine.request is not None:
            return engine.reply.provenance(engine.request)
        endpoint = self._caller.pool(role).choices(slot)[0]
        return Provenance(model=endpoint.spec.text, prompt=str(prompt), prompt_sha256=prompt.sha256)

    def _unanswered(self, request: CallRequest, error: CallFailed) -> Answered:
        """What stands for an answer that was not even asked for: its endpoint takes no calls."""
        endpoint = self._caller.pool(request.role).choices(request.slot)[0]
        return Answered(
            outcome=error.outcome,
            text="",
            reasoning="",
            detail=error.detail,
            family=endpoint.family,
            provenance=Provenance(model=endpoint.spec.text),
        )

    def stop(self, error: StoppedError) -> None:
        """Send nothing more, see ``Caller.stop``, and wait for no batch: batches go on at the provider."""
        self._caller.stop(error)
        self.batches.leave(error)

    def spend(self) -> Spend:
        """What the run has used so far, over all its processes."""
        return self.ledger.spend()

    def trouble(self) -> Trouble:
        """Which calls are being tried again at this moment, and why."""
        waiting = sum(limiter.waiting_for_quota for limiter in self._limiters())
        return self._caller.troubles.now(self.in_flight, waiting)

    @property
    def in_flight(self) -> int:
        """Requests on their way at this moment, with those that wait for the limits of their endpoint."""
        return sum(limiter.in_flight for limiter in self._limiters())

    def _limiters(self) -> Iterable[Limiter]:
        ends = (end for pool in self._pools.values() for end in pool.endpoints)
        return {id(end.limiter): end.limiter for end in ends}.values()

    def _told(self, role: Role, prompt: PromptRef | None, slot: int, repeat: int) -> CallInfo | None:
        """What callbacks are told of a call before it is made; None when there are none."""
        if not traced():
            return None
        first = self._caller.pool(role).choices(slot)[0]
        return CallInfo(role, first.spec.text, "" if prompt is None else str(prompt), repeat)

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
    with our_errors(), announced(engine.call), dspy.context(adapter=adapter, **QUIET):
        prediction = await predict.acall(lm=lm, **inputs)
    return {name: prediction[name] for name in predict.signature.output_fields}


def _replied(engine: CallEngine) -> Reply:
    assert engine.reply is not None
    return engine.reply


def _again(prompt: PromptRef, reply: Reply, error: ParseError) -> tuple[ChatMessage, ChatMessage]:
    told = again_message(prompt.language, error.problem)
    return ChatMessage("assistant", reply.text), ChatMessage("user", told)
