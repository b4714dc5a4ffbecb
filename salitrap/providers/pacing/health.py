"""Whether an endpoint works, judged by its failures since it last served a request."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import Failure

FIRST_LIMITS = {
    Kind.UNREACHABLE: 5,
    Kind.PROXY: 5,
    Kind.NONSENSE: 5,
    Kind.DROPPED: 10,
    Kind.BAD_REPLY: 10,
    Kind.BAD_REQUEST: 10,
}
"""Failures of one kind after which an endpoint that has never served a request is given up."""

FIRST_LONGEST_DELAY = 2.0
FIRST_PATIENCE, FIRST_STEP = 120.0, 15.0
"""Seconds of 5xx and time-outs after which an endpoint that has never served a request is given up, and
the longest pause meanwhile; failures in a row as for any other."""

LASTING_FAILURES = 5
FORGOTTEN_AFTER = 240.0
NONSENSE_FAILURES, NONSENSE_SECONDS = 10, 60.0
REFUSALS_AFTER_SUCCESS = 3
NEVER_WORKED = 20


@dataclass(slots=True)
class Health:
    """Failures since the last success; ``in_row`` leaves 429 aside, since a slower pace is no fault."""

    in_row: int = 0
    failed: int = 0
    succeeded: bool = False
    failing_since: float | None = None
    limited_since: float | None = None
    last_failure: float | None = None
    by_kind: Counter[Kind] = field(default_factory=Counter)

    def note_success(self) -> None:
        """Record that a request was served."""
        self.in_row, self.failed, self.succeeded = 0, 0, True
        self.failing_since = self.limited_since = self.last_failure = None
        self.by_kind.clear()

    def note_failure(self, failure: Failure, now: float, started: float | None = None) -> None:
        """Record an attempt sent at monotonic time ``started`` that failed at ``now``.

        Failures before a long time in which nothing was asked say nothing about today's: they count no more.
        """
        if self.last_failure is not None and (started or now) > self.last_failure + FORGOTTEN_AFTER:
            self.in_row, self.failing_since, self.limited_since = 0, None, None
            self.by_kind.clear()
        self.last_failure = now
        self.failed += 1
        self.by_kind[failure.kind] += 1
        if failure.kind is Kind.RATE_LIMIT:
            self.limited_since = now if self.limited_since is None else self.limited_since
        else:
            self.in_row += 1
            self.failing_since = now if self.failing_since is None else self.failing_since

    def hopeless(self, failure: Failure, now: float, patience: float) -> bool:
        """True when trying on is no use: never worked, or has failed for ``patience`` seconds.

        One that has never served a request gets ``FIRST_PATIENCE`` at most. An endpoint that did work
        and now sends no reply of its interface gets one minute. One that asks for a slower pace gets all
        of the patience: it is open again only for another run.
        """
        if failure.kind is Kind.RATE_LIMIT:
            return self._starved(now, patience)
        if self.failing_since is None:
            return False
        if not self.succeeded and self.by_kind[failure.kind] >= FIRST_LIMITS.get(failure.kind, 1 << 30):
            return True
        lasting = now - self.failing_since
        if failure.kind is Kind.NONSENSE and self.by_kind[failure.kind] >= NONSENSE_FAILURES:
            return lasting >= NONSENSE_SECONDS
        patience = patience if self.succeeded else min(patience, FIRST_PATIENCE)
        return (
            failure.kind is not Kind.BAD_REQUEST and lasting >= patience and self.in_row >= LASTING_FAILURES
        )

    def _starved(self, now: float, patience: float) -> bool:
        """True when nothing has been served for ``patience`` seconds of requests to slow down."""
        limited = self.by_kind[Kind.RATE_LIMIT] >= LASTING_FAILURES and self.limited_since is not None
        return limited and now - (self.limited_since or now) >= patience

    def longest_delay(self, failure: Failure) -> float:
        """Most seconds worth waiting: little while it is open whether the endpoint works at all."""
        if self.succeeded or failure.kind is Kind.RATE_LIMIT:
            return float("inf")
        return FIRST_LONGEST_DELAY if failure.kind in FIRST_LIMITS else FIRST_STEP

    def excuses(self, failure: Failure) -> bool:
        """True for a 403 of an endpoint that works: it may be about this one request.

        Some providers answer so when their moderation objects to a prompt.
        """
        refusals = self.by_kind[failure.kind]
        return self.succeeded and failure.status == 403 and refusals < REFUSALS_AFTER_SUCCESS

    @property
    def never_worked(self) -> bool:
        """True when it has failed often and never served a request; 429 counts here."""
        return not self.succeeded and self.failed >= NEVER_WORKED
