"""A provider's limits on requests and tokens a minute, as the generic cell rate algorithm."""

from __future__ import annotations

from collections.abc import Callable

MINUTE = 60.0
BURST = 5.0
"""Seconds' worth of the limit that may go out at once; providers look at windows shorter than a minute."""


class Rate:
    """At most ``per_minute`` units in any minute, ``BURST`` seconds' worth of them at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._seconds_per_unit = (MINUTE + BURST) / per_minute
        self._clock = clock
        self._due = clock()

    def take(self, units: float) -> float:
        """Claim ``units``, in order of calling; returns the seconds to wait before using them.

        More units than fit into a burst are not refused: they wait until nothing is owed, and those
        after them wait longer.
        """
        now = self._clock()
        cost = units * self._seconds_per_unit
        due = max(self._due, now)
        self._due = due + cost
        return max(0.0, due - max(0.0, BURST - cost) - now)

    def give_back(self, units: float) -> None:
        """Return what was claimed and not used; a negative number claims more."""
        self._due -= units * self._seconds_per_unit


class Quota:
    """``rpm`` and ``tpm`` of an endpoint; None is no limit."""

    def __init__(self, rpm: int | None, tpm: int | None, clock: Callable[[], float]) -> None:
        self._requests = None if rpm is None else Rate(rpm, clock)
        self._tokens = None if tpm is None else Rate(tpm, clock)

    def take(self, tokens: int) -> float:
        """Claim a request of at most ``tokens`` tokens; returns the seconds to wait before sending it."""
        waits = [0.0]
        if self._requests is not None:
            waits.append(self._requests.take(1))
        if self._tokens is not None:
            waits.append(self._tokens.take(tokens))
        return max(waits)

    def used(self, claimed: int, used: int) -> None:
        """Tell what a request really used of the ``claimed`` tokens."""
        if self._tokens is not None:
            self._tokens.give_back(claimed - used)
