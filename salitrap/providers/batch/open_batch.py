"""A batch in this process, from its submission to its results."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from salitrap.providers.batch.interface import BatchCancelled, BatchFailure, BatchUnfinished


@dataclass(slots=True, eq=False)
class OpenBatch:
    """What is known of a batch; calls wait for ``over``.

    Then either ``error`` is why it cannot be waited for, or it is ``void`` and its requests are free
    again, or it is ``finished`` and its results are in the journal. ``word`` is how it ended; ``sent`` is
    set when its submission is no longer under way; ``looked`` when its provider was asked about it;
    ``taken`` when it will not be refused any more. ``too_much`` is why it was, in the provider's words.
    ``ours`` says that this process has made it.
    """

    tag: str
    model: str
    total: int
    since: float
    ours: bool = False
    done: int = 0
    word: str = ""
    provider_id: str = ""
    trouble: str = ""
    failing_since: float | None = None
    looked: bool = False
    void: bool = False
    taken: bool = False
    too_much: str = ""
    finished: bool = False
    error: Exception | None = None
    others: frozenset[str] = frozenset()
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def close(self, error: Exception | None = None) -> None:
        """Nothing more will come of it in this process."""
        if not (self.finished or self.void):
            self.error = self.error or error
        self.sent.set()
        self.over.set()

    def absent(self) -> BatchFailure:
        """Why a request of the ended batch has no result."""
        if self.word == "expired":
            return BatchUnfinished("the batch expired before this request was done")
        if self.word == "cancelled":
            return BatchCancelled("the batch was cancelled at the provider before this request was done")
        return BatchUnfinished("the batch has ended without a readable result for this request")
