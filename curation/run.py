"""A run: its directory, its lock, its registry, and the stages in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from curation.cells import cells_of
from curation.certify.stage import CertifyWork, run_certify
from curation.dedup.semantic import EmbeddingsFilter
from curation.dialogues.programs import default_dialogue_programs
from curation.dialogues.stage import DialogueWork, run_dialogues
from curation.dialogues.tools import DialogueTools
from curation.directory import Layout, Lock, Revision, record_revision, write_derived
from curation.funnel import Funnel, funnel_of
from curation.programs import Programs, default_programs
from curation.refine.stage import RefineWork, run_refine
from curation.registry import Registry
from curation.scale.stage import run_scale
from curation.seed_work import SeedWork, work_through
from curation.stage import DrainingAccess, DrainingConversations, Reporter, StopSwitch
from curation.tools import Tools
from salitrap.errors import DiskFull
from salitrap.providers.access import Access, Converses
from salitrap.records import Domain, Stage
from salitrap.settings import Settings

STAGES = (Stage.SCALE, Stage.REFINE, Stage.CERTIFY)
BY_SEED = (Stage.REFINE, Stage.CERTIFY, Stage.DIALOGUES)
"""Stages that look at one seed at a time, in order."""


def stages_of(settings: Settings) -> tuple[Stage, ...]:
    """The stages of a run: with dialogues where patterns are asked for."""
    return (*STAGES, Stage.DIALOGUES) if settings.dialogues.patterns else STAGES


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

    Where the stages go on from refinement, a seed goes through them one after the other, whatever the other
    seeds are at. ``meaning`` is filter f5, opened for this run; without it f5 is off.

    Raises:
        InputError: an earlier stage that one of these needs was never run.
        StoppedError: the run cannot go on; everything answered so far is kept.
    """
    stop = StopSwitch() if switch is None else switch
    tools = Tools(DrainingAccess(access, stop), run.programs, run.settings, meaning)
    shop = _Shop(run, tools, access, reporter, stop)
    together = tuple(stage for stage in stages if stage in BY_SEED)
    if together[:2] != BY_SEED[:2]:
        await shop.run_each(stages)
        return
    await shop.run_each([stage for stage in stages if stage not in BY_SEED])
    stop.check()
    await shop.run_together(together)


@dataclass(frozen=True, slots=True)
class _Shop:
    """What the stages of one run share."""

    run: Run
    tools: Tools
    access: Access
    reporter: Reporter
    stop: StopSwitch

    async def run_each(self, stages: Sequence[Stage]) -> None:
        """One stage after the other."""
        for stage in stages:
            self.stop.check()
            await self._run_stage(stage)

    async def run_together(self, stages: Sequence[Stage]) -> None:
        """Each seed through all stages."""
        registry, settings = self.run.registry, self.run.settings
        refine = RefineWork(self.tools, registry, self.reporter)
        works: list[SeedWork] = [refine, CertifyWork(self.tools, registry, self.reporter, refine.total)]
        if Stage.DIALOGUES in stages:
            works.append(self._dialogues(refine.total))
        await work_through(works, registry, settings, self.reporter, self.stop)

    def _dialogues(self, total: int) -> DialogueWork:
        return DialogueWork(self._dialogue_tools(), self.run.registry, self.reporter, total)

    def _dialogue_tools(self) -> DialogueTools:
        if not isinstance(self.access, Converses):
            raise TypeError("the access holds no conversations, which dialogues need")
        talking = DrainingConversations(self.access, self.stop)
        programs = default_dialogue_programs(self.run.settings)
        return DialogueTools(talking, programs, self.run.settings, self.run.programs.prompts)

    async def _run_stage(self, stage: Stage) -> None:
        registry = self.run.registry
        match stage:
            case Stage.SCALE:
                await run_scale(self.tools, self.run.domains, registry, self.reporter)
            case Stage.REFINE:
                await run_refine(self.tools, registry, self.reporter, self.stop)
            case Stage.CERTIFY:
                await run_certify(self.tools, registry, self.reporter, self.stop)
            case Stage.DIALOGUES:
                await run_dialogues(self._dialogue_tools(), registry, self.reporter, self.stop)
            case Stage.REVIEW:
                raise ValueError("review is what people do; see curation.review")
            case Stage.RECERTIFY:
                raise ValueError("released items are certified again by curation.hardening")
            case Stage.BUILD | Stage.EVAL | Stage.JUDGE | Stage.CHECK:
                raise ValueError(f"{stage.value} belongs to exports and works on a finished run")
