"""Where a run stands, read without disturbing it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from curation.cells import CellEnd
from curation.directory import Layout, Revision, holder_of, read_revisions
from curation.funnel import Funnel, funnel_of
from curation.registry import Registry
from curation.registry.doubts import doubted
from curation.registry.progress import count_active, hardens
from curation.registry.queries import disputed
from curation.registry.standing import Standing, dialogues_standing, standing_of
from curation.solver_stats import SolverStats, solver_stats
from curation.strategy_stats import StrategyStats, strategy_stats
from salitrap.records import Stage
from salitrap.records.base import Record
from salitrap.settings import Settings


class CellSeeds(Record):
    """Accepted seeds of one cell."""

    dimension_tag: str
    language: str
    experts: int
    generated: int
    target: int


class StageProgress(Record):
    """One stage: seeds through, seeds in all, and of those through the ones a resumed run visits again.

    ``outdated`` seeds were done under settings that no longer hold; they are not counted as through.
    """

    stage: Stage
    done: int
    total: int
    unsettled: int
    outdated: int = 0


class StatusReport(Record):
    """A run directory at a glance.

    ``running`` is the process that works on it, if any; ``disputed`` counts answers on whose label the judges
    of a panel did not agree, ``doubted`` those to which the rules give another label than the judge, and
    ``completed_passes`` how many of these are a Pass in which the rules find a completed task.
    """

    directory: str
    name: str
    revision: int
    running: int | None
    cells: tuple[CellSeeds, ...]
    stages: tuple[StageProgress, ...]
    funnel: Funnel
    funnel_faults: tuple[str, ...]
    disputed: int = 0
    doubted: int = 0
    hardens: bool = False
    completed_passes: int = 0
    strategies: tuple[StrategyStats, ...] = ()
    solvers: tuple[SolverStats, ...] = ()

    @property
    def path(self) -> Path:
        """The run directory."""
        return Path(self.directory)

    @property
    def finished(self) -> bool:
        """True when a resumed run would find nothing to do, also when cells fell short."""
        return all(stage.done >= stage.total and not stage.unsettled for stage in self.stages)

    @property
    def complete(self) -> bool:
        """True when the run is finished and every cell has as many seeds as were wanted."""
        return self.finished and not self.funnel.shortfalls


def status_of(directory: Path) -> StatusReport:
    """Read where a run stands, also while it is being worked on.

    Raises:
        RunDirectoryError: no run here, damaged, or written by a newer version.
    """
    layout = Layout(directory)
    last = read_revisions(layout)[-1]
    with closing(Registry.open_reader(layout.registry)) as registry:
        funnel = funnel_of(registry)
        passes = [judgement.completed_pass for judgement in doubted(registry)]
        return StatusReport(
            directory=str(directory),
            name=last.settings.name,
            revision=last.number,
            running=holder_of(layout.lock),
            cells=_cells(registry),
            stages=_stages(registry, funnel, last),
            funnel=funnel,
            hardens=hardens(registry),
            funnel_faults=funnel.faults(),
            disputed=sum(1 for _ in disputed(registry)),
            doubted=len(passes),
            completed_passes=sum(passes),
            strategies=strategy_stats(registry),
            solvers=solver_stats(registry, last.settings.validation),
        )


def settings_of(directory: Path) -> Settings:
    """The settings a run was last given.

    Raises:
        RunDirectoryError: no run here, damaged, or written by a newer version.
    """
    return read_revisions(Layout(directory))[-1].settings


def _cells(registry: Registry) -> tuple[CellSeeds, ...]:
    query = (
        "SELECT cells.dimension_tag, cells.language, cells.target,"
        " COALESCE(SUM(active_seeds.origin = 'expert'), 0),"
        " COALESCE(SUM(active_seeds.origin <> 'expert'), 0)"
        " FROM cells LEFT JOIN active_seeds USING (dimension_tag, language)"
        " GROUP BY cells.dimension_tag, cells.language ORDER BY cells.dimension_tag, cells.language"
    )
    return tuple(
        CellSeeds(dimension_tag=tag, language=language, target=target, experts=experts, generated=generated)
        for tag, language, target, experts, generated in registry.connection.execute(query)
    )


def _stages(registry: Registry, funnel: Funnel, last: Revision) -> tuple[StageProgress, ...]:
    (wanted,) = registry.connection.execute("SELECT COALESCE(SUM(target), 0) FROM cells").fetchone()
    active = count_active(registry)
    ended = sum(
        short.target - short.accepted for short in funnel.shortfalls if short.end == CellEnd.EXHAUSTED
    )
    refine, certify = standing_of(registry, last.settings, last.prompts)
    stages = (
        StageProgress(stage=Stage.SCALE, done=active, total=int(wanted) - ended, unsettled=0),
        _progress(Stage.REFINE, refine, active),
        _progress(Stage.CERTIFY, certify, active),
    )
    if not last.settings.dialogues.patterns:
        return stages
    talks = dialogues_standing(registry, last.settings, last.prompts)
    return (*stages, _progress(Stage.DIALOGUES, talks, active))


def _progress(stage: Stage, standing: Standing, total: int) -> StageProgress:
    done = standing.done + standing.unsettled
    return StageProgress(
        stage=stage, done=done, total=total, unsettled=standing.unsettled, outdated=standing.outdated
    )
