"""The course of one call: which endpoint next, how long to wait, and when to give up."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from salitrap.errors import CallFailed, EndpointUnavailable, RateLimited, StoppedError
from salitrap.providers.endpoint import Endpoint
from salitrap.providers.pacing.advice import refusal, sentence, unavailable
from salitrap.providers.pacing.retry import Pacing, retry_after_seconds
from salitrap.providers.pool import Pool
from salitrap.providers.request import CallRequest
from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import Failure
from salitrap.records.enums import Outcome
from salitrap.settings.model import Limits

FAILURES_BEFORE_FAILOVER = 3
EMPTY_RETRIES = 1
TOO_LITTLE = 0.01
"""Share of the deadline in which no attempt is begun: it would be cut off, and charged."""

MAY_PASS = {Kind.RATE_LIMIT, Kind.TIMEOUT, Kind.SERVER, Kind.DROPPED}
"""What an endpoint that has served nothing yet may get over; other failures are the settings' fault."""

_RESUME = "then run the same command again: nothing paid for is lost"
_LOG = logging.getLogger(__name__)


class Action(Enum):
    """What to do after a failed attempt."""

    AGAIN = auto()
    SWITCH = auto()
    GIVE_UP = auto()
    STOP = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """An action, the seconds to wait before it, and what ``GIVE_UP`` and ``STOP`` say."""

    action: Action
    delay: float = 0.0
    detail: str = ""
    stop: StoppedError | None = None

    @property
    def final(self) -> bool:
        """True when the call ends with this attempt."""
        return self.action in (Action.GIVE_UP, Action.STOP)


class Course:
    """Progress of one call through its endpoints.

    The deadline counts time spent on attempts and pauses, not time spent queueing for a slot.
    """

    def __init__(self, pool: Pool, request: CallRequest, limits: Limits, pacing: Pacing) -> None:
        self._pool, self._limits, self._pacing = pool, limits, pacing
        self._role = request.role.value
        self._deadline = pool.settings.deadline or limits.deadline
        self._choices = pool.choices(request.slot)
        self._index = 0
        self._in_row = 0
        self._empties = 0
        self.attempts = 0
        self.elapsed = 0.0

    def prefer(self, holds: Callable[[Endpoint], bool]) -> None:
        """Begin at the first endpoint that ``holds`` the call's request already, if one does."""
        self._index = next((place for place, end in enumerate(self._choices) if holds(end)), 0)

    @property
    def remaining(self) -> float:
        """Seconds left before the deadline."""
        return max(self._deadline - self.elapsed, 0.0)

    def endpoint(self) -> Endpoint:
        """Return the endpoint of the next attempt: the first that takes calls, in order of preference.

        Where all of them rest, the one whose rest ends first.

        Raises:
            CallFailed: nothing may be sent to the one endpoint of this call; the role goes on with others.
            StoppedError: nothing may be sent to any endpoint of the role.
        """
        now = self._pacing.clock()
        usable = [endpoint for endpoint in self._in_turn() if endpoint.shut(now) is None]
        if not usable:
            raise self._nowhere(now)
        taking = (endpoint for endpoint in usable if endpoint.taking)
        chosen = next(taking, None) or min(usable, key=lambda endpoint: endpoint.limiter.free_at)
        index = self._choices.index(chosen)
        self._in_row = self._in_row if index == self._index else 0
        self._index = index
        return chosen

    def _nowhere(self, now: float) -> Exception:
        first = self._choices[0]
        why = first.shut(now) or EndpointUnavailable("no endpoint is configured")
        if not self._pool.others_open(self._choices, now):
            return type(why)(str(why))
        first.left_out = first.left_out or why
        return CallFailed(Outcome.API_ERROR, str(why))

    def _in_turn(self) -> tuple[Endpoint, ...]:
        return self._choices[self._index :] + self._choices[: self._index]

    def after_empty(self) -> bool:
        """True when an empty reply is worth one more attempt."""
        self.attempts += 1
        self._empties += 1
        more = self._empties <= EMPTY_RETRIES and self.attempts < self._limits.attempts
        return more and self.remaining > TOO_LITTLE * self._deadline

    def after_failure(self, endpoint: Endpoint, failure: Failure, started: float) -> Step:
        """Decide what follows a failed attempt at ``endpoint``, sent at monotonic time ``started``."""
        now = self._pacing.clock()
        self.attempts += 1
        self._in_row += 1
        excused = endpoint.health.excuses(failure)
        asked = retry_after_seconds(failure.retry_after, self._pacing.now())
        bearable = None if asked is None else min(asked, self._limits.retry_after_cap)
        endpoint.note_failure(failure, started, now, bearable)
        if failure.rule.stop is not None and not excused:
            return self._close(endpoint, refusal(endpoint, failure), failure)
        if not failure.in_batch and endpoint.health.hopeless(failure, now, self._deadline):
            return self._close(endpoint, unavailable(endpoint, failure), failure)
        if not failure.rule.retryable:
            return Step(Action.GIVE_UP, detail=sentence(endpoint, failure))
        if failure.kind is Kind.RATE_LIMIT and asked is not None and asked != bearable:
            return self._too_long(endpoint, asked, now)
        return self._retry(endpoint, failure, bearable)

    def _retry(self, endpoint: Endpoint, failure: Failure, asked: float | None) -> Step:
        if self.attempts >= self._limits.attempts:
            return self._exhausted(endpoint, failure, f"gave up after {self.attempts} attempts")
        if failure.in_batch:  # the next one may take as long again
            return Step(Action.SWITCH if self._may_switch() else Action.AGAIN)
        if self.remaining <= TOO_LITTLE * self._deadline:
            return self._exhausted(endpoint, failure, f"the deadline of {self._deadline:g} s is over")
        if self._may_switch():
            return Step(Action.SWITCH)
        if asked is None:
            delay = min(self._pacing.backoff(self._in_row), endpoint.health.longest_delay(failure))
        else:
            delay = asked
        if delay >= self.remaining:
            end = f"the deadline of {self._deadline:g} s ends before the next attempt"
            return self._exhausted(endpoint, failure, f"{end} ({self.attempts} made)")
        return Step(Action.AGAIN, delay) if asked is None else self._hold(endpoint, delay)

    def _hold(self, endpoint: Endpoint, seconds: float) -> Step:
        """Nobody sends anything there for the time it asked for; this call may go elsewhere meanwhile."""
        endpoint.limiter.hold(seconds)
        if len(self._choices) == 1:
            self.elapsed += seconds
        return Step(Action.AGAIN)

    def _exhausted(self, endpoint: Endpoint, failure: Failure, why: str) -> Step:
        """The call has failed; so has the endpoint when it never served any call."""
        if not failure.in_batch and endpoint.health.never_worked:
            closed = self._close(endpoint, unavailable(endpoint, failure), failure)
            if closed.stop is not None:
                return closed
        return Step(Action.GIVE_UP, detail=f"{sentence(endpoint, failure)}; {why}")

    def _may_switch(self) -> bool:
        if self._in_row < FAILURES_BEFORE_FAILOVER or len(self._choices) == 1:
            return False
        return self._advance()

    def _advance(self) -> bool:
        """Move on; True when another open endpoint follows before the first one comes round again."""
        self._index = (self._index + 1) % len(self._choices)
        self._in_row = 0
        return self._index != 0

    def _too_long(self, endpoint: Endpoint, asked: float, now: float) -> Step:
        text = (
            f"endpoint {endpoint.spec.text} asks for a pause of {asked:g} s, more than the cap of "
            f"{self._limits.retry_after_cap:g} s (limits.retry_after_cap)"
        )
        error = RateLimited(f"role {self._role}: {text}; wait, {_RESUME}")
        endpoint.pause(error, now + asked)
        if any(other.shut(now) is None for other in self._choices):
            self._advance()
            return Step(Action.SWITCH)
        return self._leave_out(endpoint, error, now) or Step(Action.STOP, detail=text, stop=error)

    def _close(self, endpoint: Endpoint, error: StoppedError, failure: Failure) -> Step:
        """Send nothing more there; stop the run when the role has no other endpoint for it."""
        known = endpoint.closed is not None
        closed = endpoint.close(type(error)(f"role {self._role}: {error}, {_RESUME}"))
        now = self._pacing.clock()
        if any(other.shut(now) is None for other in self._choices):
            if not known:
                _LOG.warning("%s. Going on with the other endpoints of the role", error)
            self._advance()
            return Step(Action.SWITCH)
        passing = endpoint.health.succeeded or failure.kind in MAY_PASS
        step = self._leave_out(endpoint, closed, now) if passing else None
        return step or Step(Action.STOP, detail=str(error), stop=closed)

    def _leave_out(self, endpoint: Endpoint, why: StoppedError, now: float) -> Step | None:
        """Give the call up while the rest of a round-robin role goes on; None when there is no rest."""
        if not self._pool.others_open(self._choices, now):
            return None
        if endpoint.left_out is None:
            _LOG.warning("%s. Meanwhile the other endpoints of the role go on", why)
        endpoint.left_out = endpoint.left_out or why
        return Step(Action.GIVE_UP, detail=str(why))
