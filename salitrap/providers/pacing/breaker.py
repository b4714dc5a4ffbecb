"""Rests for an endpoint that answers with nothing but failures: a circuit breaker that opens and probes."""

from __future__ import annotations

from salitrap.providers.pacing.retry import LONGEST_DELAY

TRIP_AFTER = 8
FIRST_REST = 1.0


class Breaker:
    """Counts failures since the last success.

    After ``TRIP_AFTER`` in a row the endpoint rests for a second; then every further failure doubles the
    rest, up to a minute, until a request is served. Failures of requests that were on their way when a
    rest began are not counted: they say nothing new.
    """

    def __init__(self) -> None:
        self._in_row = 0
        self._rests = 0
        self._began: float | None = None

    @property
    def probing(self) -> bool:
        """True when it has rested and served nothing since."""
        return self._rests > 0

    def served(self) -> None:
        """A request was served."""
        self._in_row = self._rests = 0
        self._began = None

    def failed(self, started: float, now: float) -> float:
        """Count a request that started at monotonic time ``started``; returns the seconds to rest, or 0."""
        if self._began is not None and started <= self._began:
            return 0.0
        self._in_row += 1
        if not self.probing and self._in_row < TRIP_AFTER:
            return 0.0
        self._began = now
        self._rests += 1
        rest: float = min(LONGEST_DELAY, FIRST_REST * 2.0 ** min(self._rests - 1, 16))
        return rest
