"""A run: its directory, its lock, its registry, and the stages in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from curation.cells import cells_of
from curation.certify.stage import CertifyWork, run_certify
from curation.dedup.semantic import EmbeddingsFilter
from curation.directory import Layout, Lock, Revision, record_revision, write_derived
from curation.funnel import Funnel, funnel_of
from curation.programs import Programs, default_programs
from curation.refine.stage import RefineWork, run_refine
from curation.registry import Registry
from curation.scale.stage import run_scale
from curation.seed_work import work_through
from curation.stage import DrainingAccess, Reporter, StopSwitch
from curation.tools import Tools
from salitrap.errors import DiskFull
from salitrap.providers.access import Access
from salitrap.records import Domain, Stage
from salitrap.settings import Settings

STAGES = (Stage.SCALE, Stage.REFINE, Stage.CERTIFY)


@dataclass(frozen=True, slots=True)
class Run:
    """An open run directory; only the process that holds its lock has one."""

    layout: Layout
    settings: Settings
    domains: tuple[Domain, ...]
    programs: Programs
    registry: Registry
    revision: Revision

    @property
    def funnel(self) -> Funnel:
        """Where the run stands."""
        return funnel_of(self.registry)


@contextmanager
def open_run(
    directory: Path, settings: Settings, domains: Sequence[Domain], programs: Programs | None = None
) -> Iterator[Run]:
    """Open or create a run directory for writing.

    Changed settings are appended to ``run.yaml`` as a revision; what does not depend on them is kept.
    The files derived from the registry are written anew on the way out, however the run ends.

    Raises:
        RunDirectoryError: in use, not a run directory, damaged, or written by a newer version.
        DiskFull: something could not be written.
    """
    used = default_programs(settings) if programs is None else programs
    layout = Layout(directory)
    layout.create()
    with Lock(layout.lock), closing(Registry.open(layout.registry)) as registry:
        revision = record_revision(layout, settings, domains, used.prompts)
        registry.set_targets({cell.key: cell.target for cell in cells_of(settings, domains)})
        try:
            yield Run(layout, settings, tuple(domains), used, registry, revision)
        except BaseException:  # raised again below
            # The reason of the stop is what the user must read; the files can be derived again.
            with suppress(DiskFull):
                write_derived(layout, registry)
            raise
        write_derived(layout, registry)


async def run_stages(
    run: Run,
    access: Access,
    stages: Sequence[Stage],
    reporter: Reporter,
    switch: StopSwitch | None = None,
    meaning: EmbeddingsFilter | None = None,
) -> None:
    """Run ``stages`` in order; what is done under the present settings is not done again.

    ``meaning`` is filter f5, opened for this run; without it f5 is off.

    Raises:
        InputError: an earlier stage that one of these needs was never run.
        StoppedError: the run cannot go on; everything answered so far is kept.
    """
    stop = StopSwitch() if switch is None else switch
    tools = Tools(DrainingAccess(access, stop), run.programs, run.settings, meaning)
    if tuple(stages[-2:]) == (Stage.REFINE, Stage.CERTIFY):
        await _run_each(run, tools, stages[:-2], reporter, stop)
        stop.check()
        await _refine_and_certify(run, tools, reporter, stop)
    else:
        await _run_each(run, tools, stages, reporter, stop)


async def _run_each(
    run: Run, tools: Tools, stages: Sequence[Stage], reporter: Reporter, stop: StopSwitch
) -> None:
    for stage in stages:
        stop.check()
        await _run_stage(run, tools, stage, reporter, stop)


async def _refine_and_certify(run: Run, tools: Tools, reporter: Reporter, stop: StopSwitch) -> None:
    """Both at once: a seed is certified as soon as it is refined."""
    refine = RefineWork(tools, run.registry, reporter)
    certify = CertifyWork(tools, run.registry, reporter, refine.total)
    await work_through((refine, certify), run.registry, run.settings, reporter, stop)


async def _run_stage(run: Run, tools: Tools, stage: Stage, reporter: Reporter, stop: StopSwitch) -> None:
    match stage:
        case Stage.SCALE:
            await run_scale(tools, run.domains, run.registry, reporter)
        case Stage.REFINE:
            await run_refine(tools, run.registry, reporter, stop)
        case Stage.CERTIFY:
            await run_certify(tools, run.registry, reporter, stop)
        case Stage.REVIEW:
            raise ValueError("review is what people do; see curation.review")
        case Stage.BUILD | Stage.EVAL | Stage.JUDGE | Stage.CHECK:
            raise ValueError(f"{stage.value} belongs to exports and works on a finished run")
