"""Work that is done seed by seed: many seeds at a time, and for each one stage after the other.

A seed goes on to its next stage at once, whatever the others are at. No stage of a seed looks at another
seed, so what a run comes to does not depend on it; only the time does, since the repeats of a seed that
was refined early fill the slots that the long searches leave idle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from curation.registry import Registry
from curation.registry.queries import active_seeds
from curation.stage import Reporter, StopSwitch, for_each
from salitrap.records import Seed, Stage
from salitrap.settings import Settings


class SeedProgress:
    """Running totals of one stage for the reporter."""

    def __init__(self, reporter: Reporter, stage: Stage) -> None:
        self._reporter, self._stage, self._done = reporter, stage, 0
        self._counts = Counter[str]()

    def skip(self) -> None:
        """A seed was through before."""
        self.add({"done before": 1})

    def add(self, counts: Mapping[str, int]) -> None:
        """A seed is through; ``counts`` is what came of it."""
        self._counts.update(counts)
        self._done += 1
        self._reporter.advanced(self._stage, self._done, dict(self._counts))


class SeedWork(Protocol):
    """One stage as it works on a seed; what is done under the present settings is not done again."""

    @property
    def stage(self) -> Stage:
        """Which stage it is."""
        ...

    @property
    def total(self) -> int:
        """How many seeds it will see."""
        ...

    async def on(self, seed: Seed) -> None:
        """Bring one seed through the stage and write the outcome.

        Raises:
            StoppedError: the run cannot go on; the next call goes on from the journal.
        """
        ...


async def work_through(
    works: Sequence[SeedWork],
    registry: Registry,
    settings: Settings,
    reporter: Reporter,
    switch: StopSwitch,
    seeds: Iterator[Seed] | None = None,
) -> None:
    """Bring ``seeds`` (all active ones) through ``works``, in the order of both as far as slots allow.

    Raises:
        StoppedError: the run cannot go on; the same call goes on later.
    """

    async def through(seed: Seed) -> None:
        for work in works:
            await work.on(seed)

    for work in works:
        reporter.stage_started(work.stage, work.total)
    chosen = active_seeds(registry) if seeds is None else seeds
    await for_each(chosen, through, workers=settings.seeds_at_a_time, switch=switch)
    for work in works:
        reporter.finished(work.stage)
