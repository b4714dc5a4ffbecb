"""f1 to f4, and f5 where it is on: one seed at a time, in order, as scaling decides."""

from __future__ import annotations

from collections.abc import Iterable

from curation.dedup.filters import Deduplicator, Verdict
from curation.dedup.semantic import EmbeddingsFilter, reserve_one
from salitrap.records import Seed


class AllFilters:
    """Check and reserve; what ``fetch`` was not given cannot be checked while f5 is on."""

    def __init__(self, dedup: Deduplicator, meaning: EmbeddingsFilter | None) -> None:
        self._dedup, self._meaning = dedup, meaning

    async def fetch(self, seeds: Iterable[Seed]) -> None:
        """Have all that the seeds will be judged by, before one is.

        Raises:
            StoppedError: as ``EmbeddingsFilter.fetch``.
        """
        if self._meaning is not None:
            await self._meaning.fetch(seeds)

    def reserve(self, seed: Seed) -> Verdict:
        """Judge a seed against all accepted before it and keep it in mind unless it is a duplicate."""
        if self._meaning is not None:
            return reserve_one(self._dedup, self._meaning, seed)
        (verdict,) = self._dedup.reserve([seed])
        return verdict

    def reserve_unjudged(self, seed: Seed) -> Verdict:
        """The same by f1 to f4 alone, for a seed that is released at once."""
        (verdict,) = self._dedup.reserve([seed])
        return verdict

    def release(self, seed_id: str) -> None:
        """Give up a reservation of ``reserve_unjudged``."""
        self._dedup.release(seed_id)
