"""How many requests at a time: slow start, additive increase, multiplicative decrease (RFC 5681's terms)."""

from __future__ import annotations

START = 16
START_SHARE = 1 / 16
GROWTH = 0.19
MOST_AT_ONCE = 25
CUT = 0.75
STEPS = 64


class Window:
    """The number of requests that may be in flight at one endpoint, between 1 and ``ceiling``.

    It begins with ``START``, or with ``START_SHARE`` of a ceiling of which that is more. Slow start: one
    more with every request served, which doubles it with every round trip, until the first refusal.
    Afterwards a fixed step with every round trip: a ``STEPS``-th of the ceiling, at least one. A refusal
    cuts what was really in flight to three quarters, once for each round trip: the refusals of requests
    that were on their way already say nothing new.
    """

    def __init__(self, ceiling: int, start: int | None = None) -> None:
        self._ceiling = float(ceiling)
        self._step = max(1.0, ceiling / STEPS)
        self._size = min(float(start or max(START, int(ceiling * START_SHARE))), self._ceiling)
        self._threshold = self._ceiling
        self._last_cut: float | None = None

    @property
    def slots(self) -> int:
        """Requests allowed at a time."""
        return int(self._size)

    @property
    def exploring(self) -> bool:
        """True as long as nothing has been refused and there is room to grow."""
        return self._last_cut is None and self._size < self._ceiling

    def widen(self) -> None:
        """Grow by ``GROWTH``, at most ``MOST_AT_ONCE``, without waiting for replies.

        Refusals come fast, while replies of a model may take a minute. A burst of requests would come
        back as a burst of replies, which the event loop takes through all its steps side by side: no
        request could follow before nearly all replies are dealt with, and bursts would never spread out.
        """
        self._size = min(self._ceiling, self._size + min(self._size * GROWTH, float(MOST_AT_ONCE)))

    def served(self) -> None:
        """A request was served."""
        slow_start = self._size < self._threshold
        self._size = min(self._ceiling, self._size + (1.0 if slow_start else self._step / self._size))

    def refused(self, started: float, now: float, in_flight: int) -> None:
        """A request that started at monotonic time ``started`` was refused for going too fast."""
        if self._is_old(started):
            return
        self._size = self._threshold = max(1.0, min(self._size, float(in_flight)) * CUT)
        self._last_cut = now

    def restart(self, now: float) -> None:
        """Begin again with one request at a time, slow start up to half of what it was."""
        if self._size > 1.0:
            self._threshold = max(1.0, self._size / 2.0)
        self._size = 1.0
        self._last_cut = now

    def _is_old(self, started: float) -> bool:
        return self._last_cut is not None and started <= self._last_cut
