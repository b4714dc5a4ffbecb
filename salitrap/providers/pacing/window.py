"""How many requests at a time: slow start, additive increase, multiplicative decrease (RFC 5681's terms)."""

from __future__ import annotations

START = 16
CUT = 0.75
STEPS = 64


class Window:
    """The number of requests that may be in flight at one endpoint, between 1 and ``ceiling``.

    Slow start: one more with every request served, which doubles it with every round trip, until the
    first refusal. Afterwards a fixed step with every round trip: a ``STEPS``-th of the ceiling, at least
    one. A refusal cuts what was really in flight to three quarters, once for each round trip: the
    refusals of requests that were on their way already say nothing new.
    """

    def __init__(self, ceiling: int, start: int = START) -> None:
        self._ceiling = float(ceiling)
        self._step = max(1.0, ceiling / STEPS)
        self._size = min(float(start), self._ceiling)
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

    def double(self) -> None:
        """Grow without waiting for replies; refusals come fast, replies of a model may take a minute."""
        self._size = min(self._ceiling, self._size * 2.0)

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
