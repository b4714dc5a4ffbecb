"""Make one call: from the journal if it was paid for, else through the role's pool."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from salitrap.errors import ConfigError, StoppedError
from salitrap.providers.api_keys import Redactor
from salitrap.providers.attempt import Attempt, Ending, Timing, row_of, totals_of, under_way
from salitrap.providers.endpoint import Endpoint
from salitrap.providers.journal.keys import CallKeys
from salitrap.providers.journal.store import Journal
from salitrap.providers.money.budget import BudgetGuard
from salitrap.providers.money.spend import Ledger
from salitrap.providers.outcome import outcome_of
from salitrap.providers.pacing.course import Action, Course, Step
from salitrap.providers.pacing.gate import Gate
from salitrap.providers.pacing.retry import Pacing
from salitrap.providers.pacing.same_key import SameKey
from salitrap.providers.pacing.trouble import Troubles, named, trouble_text
from salitrap.providers.past_replies import PastReplies
from salitrap.providers.pool import Pool
from salitrap.providers.reply import Reply
from salitrap.providers.request import CallRequest
from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import Failure, failure_of
from salitrap.providers.wire.interface import WireReply, WireRequest
from salitrap.records.enums import Outcome, Role
from salitrap.settings.model import Limits


@dataclass(frozen=True, slots=True)
class Books:
    """Where calls are written down and what they may cost."""

    journal: Journal
    ledger: Ledger
    guard: BudgetGuard


class Caller:
    """The one path of every call, structured or bare."""

    def __init__(
        self, pools: Mapping[Role, Pool], books: Books, *, limits: Limits, redactor: Redactor, pacing: Pacing
    ) -> None:
        self._pools = pools
        self._books = books
        self._limits = limits
        self._redactor = redactor
        self._pacing = pacing
        self._past = PastReplies(books.journal, books.ledger, limits.reasks)
        self._same_key = SameKey()
        self._gate = Gate()
        self.troubles = Troubles(pacing.clock)

    def pool(self, role: Role) -> Pool:
        """Return a role's pool.

        Raises:
            ConfigError: the settings give the role none.
        """
        if role not in self._pools:
            raise ConfigError(f"role {role.value} has no pool; add it under 'roles:'")
        return self._pools[role]

    async def call(self, request: CallRequest) -> Reply:
        """Return the reply to ``request``, whatever its outcome.

        Raises:
            StoppedError: the run cannot go on.
        """
        pool = self.pool(request.role)
        choices, keys = pool.choices(request.slot), CallKeys(request)
        async with self._same_key.hold(keys.at(choices[0].identity)):
            return self._past.find(keys, choices) or await self._through(pool, keys)

    async def collect(self, request: CallRequest) -> Reply:
        """Book the reply that waits in a batch for ``request``, also where the journal has another one.

        Raises:
            StoppedError: it is not there yet, or its provider cannot be asked.
        """
        pool, keys = self.pool(request.role), CallKeys(request)
        async with self._same_key.hold(keys.at(pool.choices(request.slot)[0].identity)):
            return await self._through(pool, keys)

    def stop(self, error: StoppedError) -> None:
        """Let the requests under way end and send no further one; calls without a reply raise ``error``."""
        self._gate.stop(error)

    def settle(self, reply: Reply, outcome: Outcome, detail: str = "") -> None:
        """Record what parsing made of an ok reply.

        Raises:
            DiskFull: it could not be written.
        """
        if reply.settled and outcome is reply.outcome:
            return
        self._books.journal.settle(reply.row_id, outcome, detail)
        if outcome is not reply.outcome:
            self._books.ledger.move(reply.booked, outcome)

    async def _through(self, pool: Pool, keys: CallKeys) -> Reply:
        course = Course(pool, keys.request, self._limits, self._pacing)
        course.prefer(lambda end: end.batch and self._books.guard.waits(keys.at(end.identity)))
        try:
            return await self._to_the_end(course, keys)
        finally:
            self.troubles.over(course)

    async def _to_the_end(self, course: Course, keys: CallKeys) -> Reply:
        while True:
            attempt = self._attempt(course, keys)
            concluded = await self._try_once(attempt, course)
            if isinstance(concluded, Reply):
                return concluded
            if concluded.stop is not None:
                raise concluded.stop
            if concluded.delay > 0.0:
                course.elapsed += concluded.delay
                await self._pause(concluded.delay)
            self._gate.check()

    async def _pause(self, seconds: float) -> None:
        """Sleep, or until the run is stopped."""
        await self._gate.pause(self._pacing.sleep(seconds))

    def _attempt(self, course: Course, keys: CallKeys) -> Attempt:
        endpoint = course.endpoint()
        key = keys.at(endpoint.identity)
        tried = self._books.journal.attempts(key) + 1 if endpoint.counts_attempts else None
        return Attempt(
            request=keys.request,
            endpoint=endpoint,
            key=key,
            ask_key=keys.ask_at(endpoint.identity),
            messages=keys.messages,
            sent=endpoint.wire_request(keys.request, key, tried),
            number=course.attempts + 1,
        )

    async def _try_once(self, attempt: Attempt, course: Course) -> Reply | Step:
        reservation = attempt.reservation
        limiter, patient = attempt.endpoint.limiter, attempt.request.patient
        async with limiter.slot(reservation.tokens, self._pause, patient=patient) as admitted:
            self._gate.check()
            if not admitted or attempt.endpoint.closed is not None:
                return Step(Action.AGAIN)
            await self._books.guard.reserve(reservation, attempt.batch_key)
            try:
                self._gate.check()
                if attempt.endpoint.shut(self._pacing.clock()) is not None:  # while it waited for the budget
                    return Step(Action.AGAIN)
                return await self._exchange(attempt, course)
            finally:
                self._books.guard.release(reservation, attempt.batch_key)

    async def _exchange(self, attempt: Attempt, course: Course) -> Reply | Step:
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        started = self._pacing.clock()
        timeout = None if attempt.endpoint.batch else min(attempt.timeout, course.remaining)
        begun = None if timeout is None else self._books.journal.add(row_of(attempt, under_way(started_at)))
        result = await _send(attempt.endpoint, attempt.sent, timeout)
        timing = Timing(started_at, started, self._pacing.clock() - started, begun)
        course.elapsed += 0.0 if timeout is None else timing.seconds
        if isinstance(result, Failure):
            return self._after_failure(attempt, result, course, timing)
        return self._after_reply(attempt, result, course, timing)

    def _after_failure(
        self, attempt: Attempt, failure: Failure, course: Course, timing: Timing
    ) -> Reply | Step:
        failure = failure.redacted(self._redactor)
        if attempt.endpoint.learn(failure, attempt.sent):
            step = Step(Action.AGAIN)
        else:
            step = course.after_failure(attempt.endpoint, failure, timing.started)
            self.troubles.failed(course, trouble_text(attempt.endpoint, failure))
        detail = step.detail or f"{failure.kind.value}: {failure.detail}"
        ending = Ending(failure.rule.outcome, detail, step.final, timing, None, failure.body, failure.batch)
        reply = self._book(attempt, ending)
        return reply if step.action is Action.GIVE_UP else step

    def _after_reply(
        self, attempt: Attempt, answer: WireReply, course: Course, timing: Timing
    ) -> Reply | Step:
        attempt.endpoint.note_served(attempt.reservation.tokens, answer.total_tokens)
        attempt.endpoint.note_model(answer.returned_model)
        outcome, detail = outcome_of(answer, attempt.sent.max_tokens)
        again = outcome is Outcome.EMPTY and course.after_empty()
        if again:
            self.troubles.failed(course, f"{detail} ({named(attempt.endpoint)})")
        reply = self._book(attempt, Ending(outcome, detail, not again, timing, answer))
        return Step(Action.AGAIN) if again else reply

    def _book(self, attempt: Attempt, ending: Ending) -> Reply:
        row = row_of(attempt, ending)
        row_id = self._books.journal.add(row, ending.timing.begun)
        booked = totals_of(row)
        self._books.ledger.add(booked)
        self._books.ledger.sent += 1
        return Reply(
            row_id=row_id,
            key=attempt.key,
            endpoint=attempt.endpoint,
            outcome=row.outcome,
            detail=row.detail,
            text=row.text,
            reasoning=row.reasoning,
            returned_model=row.returned_model,
            simulated=row.simulated,
            settled=row.settled,
            booked=booked,
        )


async def _send(endpoint: Endpoint, sent: WireRequest, timeout: float | None) -> WireReply | Failure:
    try:
        async with asyncio.timeout(timeout):
            return await endpoint.wire.send(sent)
    except TimeoutError as error:
        if timeout is None:
            return failure_of(error)
        return Failure(Kind.TIMEOUT, f"no reply within {timeout:g} s")
    except Exception as error:
        return failure_of(error)
