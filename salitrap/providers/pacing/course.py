"""The course of one call: which endpoint next, how long to wait, and when to give up."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import Enum, auto

from salitrap.errors import CredentialRejected, EndpointUnavailable, RateLimited, StoppedError
from salitrap.providers.api_keys import KEY_NAMED_BY
from salitrap.providers.endpoint import Endpoint
from salitrap.providers.pacing.retry import Pacing, retry_after_seconds
from salitrap.providers.pool import Pool
from salitrap.providers.request import CallRequest
from salitrap.providers.wire.failures import Failure, Kind
from salitrap.settings.model import Limits

FAILURES_BEFORE_FAILOVER = 3
EMPTY_RETRIES = 1
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
        self._choices = pool.choices(request.slot)
        self._index = 0
        self._in_row = 0
        self._empties = 0
        self.attempts = 0
        self.elapsed = 0.0

    @property
    def remaining(self) -> float:
        """Seconds left before the deadline."""
        return max(self._limits.deadline - self.elapsed, 0.0)

    def endpoint(self) -> Endpoint:
        """Return the endpoint of the next attempt, passing over closed ones and, if it can, paused ones.

        Raises:
            StoppedError: every endpoint this call may use is closed.
        """
        usable = [endpoint for endpoint in self._in_turn() if endpoint.closed is None]
        if not usable:
            closed = self._choices[0].closed or EndpointUnavailable("no endpoint is configured")
            raise type(closed)(str(closed))
        now = self._pacing.clock()
        chosen = next((endpoint for endpoint in usable if endpoint.paused_until <= now), usable[0])
        index = self._choices.index(chosen)
        self._in_row = self._in_row if index == self._index else 0
        self._index = index
        return chosen

    def _in_turn(self) -> tuple[Endpoint, ...]:
        return self._choices[self._index :] + self._choices[: self._index]

    def after_empty(self) -> bool:
        """True when an empty reply is worth one more attempt."""
        self.attempts += 1
        self._empties += 1
        return self._empties <= EMPTY_RETRIES and self.attempts < self._limits.attempts

    def after_failure(self, endpoint: Endpoint, failure: Failure) -> Step:
        """Decide what follows a failed attempt at ``endpoint``."""
        now = self._pacing.clock()
        self.attempts += 1
        self._in_row += 1
        health = endpoint.health
        excused = health.excuses(failure)
        health.note_failure(failure, now)
        if failure.rule.stop is not None and not excused:
            return self._close(endpoint, _refusal(endpoint, failure))
        if health.hopeless(failure, now, self._limits.deadline):
            return self._close(endpoint, _unavailable(endpoint, failure))
        if not failure.rule.retryable:
            return Step(Action.GIVE_UP, detail=_sentence(endpoint, failure))
        return self._retry(endpoint, failure, now)

    def _retry(self, endpoint: Endpoint, failure: Failure, now: float) -> Step:
        asked = retry_after_seconds(failure.retry_after, self._pacing.now())
        cap = self._limits.retry_after_cap
        if failure.kind is Kind.RATE_LIMIT and asked is not None and asked > cap:
            return self._too_long(endpoint, asked, now)
        if self.attempts >= self._limits.attempts:
            return self._exhausted(endpoint, failure, f"gave up after {self.attempts} attempts")
        if self._may_switch():
            return Step(Action.SWITCH)
        delay = self._delay(endpoint, failure, None if asked is None else min(asked, cap))
        if delay >= self.remaining:
            end = f"the deadline of {self._limits.deadline:g} s ends before the next attempt"
            return self._exhausted(endpoint, failure, f"{end} ({self.attempts} made)")
        return Step(Action.AGAIN, delay)

    def _delay(self, endpoint: Endpoint, failure: Failure, asked: float | None) -> float:
        if asked is not None:
            return self._pacing.after(asked)
        return min(self._pacing.backoff(self._in_row), endpoint.health.longest_delay(failure))

    def _exhausted(self, endpoint: Endpoint, failure: Failure, why: str) -> Step:
        """The call has failed; so has the endpoint when it never served any call."""
        if endpoint.health.never_worked:
            closed = self._close(endpoint, _unavailable(endpoint, failure))
            if closed.stop is not None:
                return closed
        return Step(Action.GIVE_UP, detail=f"{_sentence(endpoint, failure)}; {why}")

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
        endpoint.paused_until = now + asked
        text = (
            f"endpoint {endpoint.spec.text} asks for a pause of {asked:g} s, more than the cap of "
            f"{self._limits.retry_after_cap:g} s (limits.retry_after_cap)"
        )
        if len(self._choices) > 1 and self._advance():
            return Step(Action.SWITCH)
        if self._pool.others_open(endpoint, now):
            return Step(Action.GIVE_UP, detail=text)
        return Step(Action.STOP, detail=text, stop=RateLimited(f"role {self._role}: {text}; wait, {_RESUME}"))

    def _close(self, endpoint: Endpoint, error: StoppedError) -> Step:
        """Send nothing more there; stop the run when the call has no other endpoint left."""
        endpoint.closed = type(error)(f"role {self._role}: {error}, {_RESUME}")
        if any(other.closed is None for other in self._choices):
            _LOG.warning("%s. Going on with the other endpoints of the role", error)
            self._advance()
            return Step(Action.SWITCH)
        return Step(Action.STOP, detail=str(error), stop=endpoint.closed)


def _sentence(endpoint: Endpoint, failure: Failure) -> str:
    status = f" (HTTP {failure.status})" if failure.status else ""
    return f"endpoint {endpoint.spec.text} {failure.kind.value}{status}: {failure.reason}"


def _unavailable(endpoint: Endpoint, failure: Failure) -> StoppedError:
    """The error of an endpoint that keeps failing."""
    health = endpoint.health
    served = "since it last served one" if health.succeeded else "and none was served"
    text = f"{_sentence(endpoint, failure)}; {health.failed} requests failed {served}"
    if failure.kind is Kind.RATE_LIMIT:
        return RateLimited(f"{text}. Wait, or ask for less at a time (in_flight)")
    what = f"the address (asked at {endpoint.address}), the model name, the key and the service"
    return EndpointUnavailable(f"{text}. Check {what}")


def _refusal(endpoint: Endpoint, failure: Failure) -> StoppedError:
    """The error of an answer that no repetition will change."""
    stop = failure.rule.stop or EndpointUnavailable
    if stop is CredentialRejected:
        named = f"check the key in {endpoint.key_env}"
        hint = named if endpoint.key_env else f"give it a key: {KEY_NAMED_BY}"
    elif failure.kind is Kind.NOT_FOUND:
        hint = f"check the model name and the address in the spec (asked at {endpoint.address})"
    else:
        hint = "add credit or raise the limit there"
    return stop(f"{_sentence(endpoint, failure)}. Please {hint}")
