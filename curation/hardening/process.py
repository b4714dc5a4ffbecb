"""Hardening as a run: recertify, refine what is solved, write new seeds where items are missing.

All of it stands in an ordinary run directory. What is there is not paid again, and what was stopped goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from curation.certify.stage import CertifyWork
from curation.dedup.semantic import EmbeddingsFilter
from curation.directory import Layout, record_revision
from curation.hardening.entry import (
    as_left,
    enter,
    fresh_seeds,
    refuse_others,
    settings_for,
    with_room,
)
from curation.hardening.outcome import best_of, hardened_of, missing_in, to_refine
from curation.hardening.recertify import Subject, recertified_in, recertify
from curation.hardening.released import Release
from curation.programs import Programs
from curation.refine.loop import first_candidate
from curation.refine.stage import RefineWork
from curation.registry import Registry
from curation.run import Run, open_run
from curation.scale.stage import run_scale
from curation.seed_work import work_through
from curation.stage import DrainingAccess, Reporter, StopSwitch
from curation.tools import Tools
from salitrap.providers.access import Access
from salitrap.records import Domain, Seed
from salitrap.settings import Settings


@contextmanager
def open_hardening(
    directory: Path,
    settings: Settings,
    domains: Sequence[Domain],
    release: Release,
    programs: Programs | None = None,
) -> Iterator[Run]:
    """Open or create the run directory in which ``release`` is hardened.

    Raises:
        ConfigError: the release has a dimension or language that the settings lack.
        InputError: the directory holds another run.
        RunDirectoryError: in use, damaged, or written by a newer version.
        DiskFull: something could not be written.
    """
    layout = Layout(directory)
    refuse_others(layout, release)
    used = as_left(layout, settings_for(settings, release, domains))
    with open_run(directory, used, domains, programs) as run:
        enter(run, release)
        yield run


async def run_hardening(
    run: Run,
    access: Access,
    release: Release,
    reporter: Reporter,
    switch: StopSwitch | None = None,
    meaning: EmbeddingsFilter | None = None,
) -> None:
    """Work until every released item has been answered and what can take the place of others was searched.

    Raises:
        StoppedError: the run cannot go on; the same call goes on later.
    """
    stop = StopSwitch() if switch is None else switch
    tools = Tools(DrainingAccess(access, stop), run.programs, run.settings, meaning)
    shop = _Shop(tools, run.registry, reporter, stop)
    await shop.recertify(
        [Subject(one.item.item_id, one.seed, first_candidate(one.seed)) for one in release.items]
    )
    refined = to_refine(release.items, recertified_in(run.registry), run.settings)
    await shop.search(refined, revised=True)
    if run.settings.hardening.generate:
        await _generate(run, shop, release)


async def _generate(run: Run, shop: _Shop, release: Release) -> None:
    """As many new seeds as items are missing, and what they give."""
    missing = missing_in(release, hardened_of(run.registry, release, run.settings).items)
    if not missing:
        return
    room = {cell: count + missing.get(cell, 0) for cell, count in release.entered.items()}
    settings = with_room(run.settings, room)
    record_revision(run.layout, settings, run.domains, run.programs.prompts)
    run.registry.set_targets(room)
    raised = replace(shop, tools=replace(shop.tools, settings=settings))
    shop.stop.check()
    await run_scale(raised.tools, run.domains, run.registry, shop.reporter)
    await raised.search(fresh_seeds(run.registry, release), revised=False)


@dataclass(frozen=True, slots=True)
class _Shop:
    """What the steps of one hardening share."""

    tools: Tools
    registry: Registry
    reporter: Reporter
    stop: StopSwitch

    async def recertify(self, subjects: Sequence[Subject]) -> None:
        """Let the pool answer."""
        self.stop.check()
        await recertify(self.tools, self.registry, self.reporter, self.stop, subjects)

    async def search(self, seeds: Sequence[Seed], *, revised: bool) -> None:
        """Refine and certify ``seeds``, and let the pool answer the best item of each."""
        if not seeds:
            return
        self.stop.check()
        refine = RefineWork(self.tools, self.registry, self.reporter)
        certify = CertifyWork(self.tools, self.registry, self.reporter, len(seeds))
        refine.total = len(seeds)
        works, settings = (refine, certify), self.tools.settings
        await work_through(works, self.registry, settings, self.reporter, self.stop, iter(seeds))
        found = [best_of(self.registry, seed, revised=revised) for seed in seeds]
        await self.recertify([subject for subject in found if subject is not None])
