"""The calls of one wave: every batch sees the state at the wave's start and nothing of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.cells import BATCHES_PER_WAVE, CellState
from curation.scale.levels import cap_of, slowest_of
from curation.scale.state import ScaleState
from curation.stage import gather_all
from curation.tools import Tools
from generator.directives import Steering
from generator.drafts import SeedDraft
from generator.scaling import few_shot
from salitrap.errors import CallFailed
from salitrap.records import Domain, Provenance, Seed


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """One micro-batch before it is asked for; ``ordinal`` counts the cell's batches from 0."""

    cell: CellState
    domain: Domain
    wave: int
    ordinal: int
    count: int
    steering: Steering
    examples: tuple[Seed, ...]
    exclusions: tuple[Seed, ...]

    @property
    def key(self) -> str:
        """Readable name, unique in a run."""
        return f"{self.cell.tag.lower()}-{self.cell.language.value}-w{self.wave}-b{self.ordinal}"


@dataclass(frozen=True, slots=True)
class BatchReply:
    """One micro-batch after the call: drafts, or why there are none."""

    plan: BatchPlan
    drafts: tuple[SeedDraft, ...] = ()
    provenance: Provenance | None = None
    failure: CallFailed | None = None


async def ask_wave(tools: Tools, state: ScaleState, domains: Mapping[str, Domain]) -> tuple[BatchReply, ...]:
    """Issue all batches of a wave at once; replies come back in order of cell and batch.

    Raises:
        StoppedError: the run cannot go on; nothing of the wave was decided.
    """
    plans = [
        plan
        for cell in state.cells
        if cell.end is None
        for plan in plan_cell(tools, state, cell, domains[cell.tag])
    ]
    return tuple(await gather_all([_ask(tools, plan) for plan in plans]))


def plan_cell(tools: Tools, state: ScaleState, cell: CellState, domain: Domain) -> list[BatchPlan]:
    """The batches a cell issues in this wave, none larger than what it still needs."""
    size, accepted = tools.settings.scale.batch_size, state.accepted_in(cell)
    needed = _needed(state, cell, size)
    batches = min(-(-needed // size), BATCHES_PER_WAVE)
    return [
        _plan(tools, state, cell, domain, accepted, number, min(size, needed - number * size))
        for number in range(batches)
    ]


def _needed(state: ScaleState, cell: CellState, size: int) -> int:
    """Drafts to ask for: with those that wait, a cell may be ahead of the slowest by what one wave brings.

    After a wave without a seed it is a whole batch at least, since most of its drafts will not do.
    """
    slowest = slowest_of(state.cells, {one.key: one.accepted for one in state.cells})
    cap = cap_of(cell, slowest, BATCHES_PER_WAVE * size)
    needed = max(0, cap - cell.accepted - state.waiting_in(cell))
    return max(needed, size) if needed and cell.empty_waves else needed


def _plan(  # one argument for each thing that a batch depends on
    tools: Tools,
    state: ScaleState,
    cell: CellState,
    domain: Domain,
    accepted: Sequence[Seed],
    number: int,
    count: int,
) -> BatchPlan:
    settings, ordinal = tools.settings, cell.batches + number
    aside = frozenset((one.axis, one.value) for one in cell.aside)
    steering = tools.programs.steer(domain, cell.language, accepted, ordinal, aside)
    return BatchPlan(
        cell=cell,
        domain=domain,
        wave=state.wave,
        ordinal=ordinal,
        count=count,
        steering=steering,
        examples=few_shot(domain, cell.language, ordinal, settings.scale.few_shot, settings.random_seed),
        exclusions=_recent(accepted, settings.scale.exclusions),
    )


async def _ask(tools: Tools, plan: BatchPlan) -> BatchReply:
    try:
        scaled = await tools.programs.scaler.write(
            tools.access,
            plan.domain,
            plan.cell.language,
            examples=plan.examples,
            directive=plan.steering.directive,
            niche=plan.steering.niche,
            exclusions=plan.exclusions,
            count=plan.count,
            slot=plan.ordinal,
            repeat=plan.ordinal,
        )
    except CallFailed as error:
        return BatchReply(plan, failure=error)
    return BatchReply(plan, tuple(scaled.drafts), scaled.provenance)


def _recent(accepted: Sequence[Seed], count: int) -> tuple[Seed, ...]:
    return tuple(accepted[len(accepted) - min(count, len(accepted)) :])
