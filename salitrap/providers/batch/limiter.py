"""The limiter of an endpoint whose requests travel in batches: all of them may wait at once."""

from __future__ import annotations

from salitrap.providers.pacing.limiter import Limiter
from salitrap.providers.pacing.retry import Pacing

AT_ONCE = 100_000
"""More requests than a process can wait with; a batch has limits of its own."""


class BatchLimiter(Limiter):
    """Never slows down: failures inside a batch say nothing about pace, and no request waits for another."""

    def __init__(self, pacing: Pacing) -> None:
        super().__init__(AT_ONCE, pacing, start=AT_ONCE)

    def refused(self, started: float) -> None:
        """See ``Limiter.refused``."""

    def hold(self, seconds: float) -> None:
        """See ``Limiter.hold``."""

    def rest(self, seconds: float) -> None:
        """See ``Limiter.rest``."""
