"""One attempt at a call, and the journal row it becomes."""

from __future__ import annotations

import json
from dataclasses import dataclass

from salitrap.providers.endpoint import Endpoint
from salitrap.providers.journal.store import UNDER_WAY, Row
from salitrap.providers.money.budget import Reservation, estimate_tokens, worst_case
from salitrap.providers.money.price import price_from
from salitrap.providers.money.spend import Totals
from salitrap.providers.reply import LAB_FINGERPRINT
from salitrap.providers.request import CallRequest
from salitrap.providers.wire.interface import WireReply, WireRequest
from salitrap.records.enums import Outcome


@dataclass(frozen=True, slots=True)
class Attempt:
    """What goes out, under which key; ``ask_key`` is the key of the conversation's first call."""

    request: CallRequest
    endpoint: Endpoint
    key: str
    ask_key: str
    messages: str
    sent: WireRequest
    number: int

    @property
    def timeout(self) -> float:
        """Most seconds it may take: the endpoint's own, or else the role's."""
        return self.endpoint.settings.timeout or self.request.attempt_timeout

    @property
    def batch_key(self) -> str:
        """Its key where the request may wait in a batch; empty where it is sent alone."""
        return self.key if self.endpoint.batch else ""

    @property
    def reservation(self) -> Reservation:
        """The most it can cost."""
        return worst_case(estimate_tokens(self.messages), self.sent.max_tokens, self.endpoint.prices)


@dataclass(frozen=True, slots=True)
class Timing:
    """When an attempt was sent (UTC, and monotonic seconds) and how many seconds it took.

    ``begun`` is the row of the journal that was written when it was sent, None where a batch keeps it.
    """

    started_at: str
    started: float
    seconds: float
    begun: int | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How an attempt ended. ``reply`` is None when none came; ``body`` is what came instead.

    ``batch`` is the tag of the batch in which it failed, if any.
    """

    outcome: Outcome
    detail: str
    final: bool
    timing: Timing
    reply: WireReply | None = None
    body: str = ""
    batch: str | None = None


def under_way(started_at: str) -> Ending:
    """How an attempt stands in the journal until it has ended: as one that may have been paid for."""
    timing = Timing(started_at, 0.0, UNDER_WAY / 1000.0)
    return Ending(Outcome.TIMEOUT, "under way, or cut off with its process", False, timing)


def simulated(reply: WireReply) -> bool:
    """True when the lab wrote the reply, whatever spec or proxy it came through."""
    return reply.system_fingerprint.startswith(LAB_FINGERPRINT)


def row_of(attempt: Attempt, ending: Ending) -> Row:
    """Build the journal row of an attempt."""
    request, reply = attempt.request, ending.reply
    prompt = request.prompt
    charged_input, charged_output = _charged(attempt, ending)
    price = attempt.endpoint.price
    return Row(
        key=attempt.key,
        ask_key=attempt.ask_key,
        role=request.role,
        model=attempt.endpoint.spec.text,
        endpoint=attempt.endpoint.address,
        messages=attempt.messages,
        sampling=json.dumps(attempt.sent.sampling()),
        prompt="" if prompt is None else str(prompt),
        prompt_sha256="" if prompt is None else prompt.sha256,
        repeat=request.repeat,
        attempt=attempt.number,
        raw=ending.body if reply is None else reply.body,
        text="" if reply is None else reply.text,
        reasoning="" if reply is None else reply.reasoning,
        outcome=ending.outcome,
        detail=ending.detail,
        settled=not (request.structured and ending.outcome is Outcome.OK),
        final=ending.final,
        input_tokens=None if reply is None else reply.input_tokens,
        output_tokens=None if reply is None else reply.output_tokens,
        charged_input=charged_input,
        charged_output=charged_output,
        latency_ms=round(ending.timing.seconds * 1000.0, 1),
        returned_model="" if reply is None else reply.returned_model,
        simulated=reply is not None and simulated(reply),
        started_at=ending.timing.started_at,
        cached_input=None if reply is None else reply.cached_input,
        cache_written=None if reply is None else reply.cache_written,
        price_input=None if price is None else price.input,
        price_output=None if price is None else price.output,
        price_cached=None if price is None else price.cached_input,
        price_date=None if price is None else price.dated,
        batch=ending.batch if reply is None else reply.batch,
    )


def totals_of(row: Row) -> Totals:
    """Return what a row adds to the ledger."""
    return Totals(
        role=row.role,
        model=row.model,
        address=row.endpoint,
        outcome=row.outcome,
        final=row.final,
        price=price_from(row.price_input, row.price_output, row.price_cached, row.price_date),
        simulated=row.simulated,
        attempts=1,
        input_tokens=row.input_tokens or 0,
        output_tokens=row.output_tokens or 0,
        charged_input=row.charged_input,
        charged_output=row.charged_output,
        cached_input=row.cached_input or 0,
        cache_written=row.cache_written or 0,
    )


def _charged(attempt: Attempt, ending: Ending) -> tuple[int, int]:
    """Reported tokens, estimates where none are, nothing for a refusal, the worst for a time-out."""
    reply = ending.reply
    if reply is None:
        lost = ending.outcome is Outcome.TIMEOUT
        return (estimate_tokens(attempt.messages), attempt.sent.max_tokens) if lost else (0, 0)
    told_input, told_output = reply.input_tokens, reply.output_tokens
    return (
        estimate_tokens(attempt.messages) if told_input is None else told_input,
        estimate_tokens(reply.text + reply.reasoning) if told_output is None else told_output,
    )
