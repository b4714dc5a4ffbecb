"""How long the batch room waits for what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

GROWTH = 1.5


@dataclass(frozen=True, slots=True)
class BatchPace:
    """All in seconds.

    A batch is submitted when its queue has not grown for ``settle``. Batches are asked about after
    ``first_poll``, then ever more rarely, down to once in ``longest_poll``. ``grace`` is how long a batch
    whose submission was cut off may take to show at the provider; ``patience`` how long a provider may
    fail to answer, or find a single request too large for its queue; ``closing`` how long a submission
    under way may hold up the end of the process.
    """

    settle: float = 2.0
    first_poll: float = 3.0
    longest_poll: float = 60.0
    grace: float = 60.0
    patience: float = 3600.0
    closing: float = 30.0

    def polls(self) -> Iterator[float]:
        """Pauses between questions, without end."""
        pause = self.first_poll
        while True:
            yield pause
            pause = min(self.longest_poll, pause * GROWTH)
