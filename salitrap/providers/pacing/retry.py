"""When to try again: exponential back-off with full jitter, and Retry-After within a cap."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_DELAY = 1.0
LONGEST_DELAY = 60.0
SPREAD = 0.1
LONGEST_BELIEVED = 30 * 86_400.0


def _drawn() -> float:
    return random.random()


@dataclass(frozen=True, slots=True)
class Pacing:
    """Time and chance, as parameters: tests pass their own and wait for nothing.

    ``sleep`` takes seconds, ``clock`` is monotonic seconds, ``now`` the wall clock, ``draw``
    returns a number in [0, 1). None of them reaches a result.
    """

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    draw: Callable[[], float] = _drawn

    def backoff(self, failures: int) -> float:
        """Seconds to wait after the given number of failures in a row: full jitter, doubling."""
        ceiling = min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(failures - 1, 16))
        return ceiling * self.draw()

    def after(self, asked: float) -> float:
        """Seconds to wait when ``asked`` for a pause: never less, and not all at one instant."""
        return asked + min(FIRST_DELAY, asked * SPREAD) * self.draw()


def retry_after_seconds(value: str | None, now: datetime) -> float | None:
    """Read a Retry-After header: seconds or an HTTP date.

    None when it is absent, malformed, not finite, not positive, in the past or beyond 30 days (a time
    of day sent as seconds): then the ordinary back-off applies.
    """
    if value is None:
        return None
    seconds = _number(value)
    if seconds is None:
        seconds = _until(value, now)
    return seconds if seconds is not None and 0.0 < seconds <= LONGEST_BELIEVED else None


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _until(value: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now.timestamp()
