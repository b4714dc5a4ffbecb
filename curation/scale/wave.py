"""The calls of one wave: every batch sees the state at the wave's start and nothing of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.cells import BATCHES_PER_WAVE, CellState
from curation.scale.state import ScaleState
from curation.stage import gather_all
from curation.tools import Tools
from generator.drafts import SeedDraft
from salitrap.errors import CallFailed
from salitrap.records import Domain, Language, Niche, Provenance, Seed, stable_int


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """One micro-batch before it is asked for; ``ordinal`` counts the cell's batches from 0."""

    cell: CellState
    domain: Domain
    wave: int
    ordinal: int
    count: int
    niche: Niche
    directive: str
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
    """The batches a cell issues in this wave, none larger than what is still missing."""
    settings, accepted = tools.settings, state.accepted_in(cell)
    size = settings.scale.batch_size
    batches = min(-(-cell.missing // size), BATCHES_PER_WAVE)
    plans = []
    for number in range(batches):
        ordinal = cell.batches + number
        niche, directive = tools.programs.choose_niche(domain, cell.language, accepted, ordinal)
        plans.append(
            BatchPlan(
                cell=cell,
                domain=domain,
                wave=state.wave,
                ordinal=ordinal,
                count=min(size, cell.missing - number * size),
                niche=niche,
                directive=directive,
                examples=_examples(
                    domain, cell.language, settings.scale.few_shot, ordinal, settings.random_seed
                ),
                exclusions=_recent(accepted, settings.scale.exclusions),
            )
        )
    return plans


async def _ask(tools: Tools, plan: BatchPlan) -> BatchReply:
    try:
        scaled = await tools.programs.scaler.write(
            tools.access,
            plan.domain,
            plan.cell.language,
            examples=plan.examples,
            directive=plan.directive,
            niche=plan.niche,
            exclusions=plan.exclusions,
            count=plan.count,
            slot=plan.ordinal,
            repeat=plan.ordinal,
        )
    except CallFailed as error:
        return BatchReply(plan, failure=error)
    return BatchReply(plan, tuple(scaled.drafts), scaled.provenance)


def _examples(
    domain: Domain, language: Language, few_shot: int, ordinal: int, random_seed: int
) -> tuple[Seed, ...]:
    """Expert seeds by turns, so that no batch is shown the same ones as the last."""
    experts = domain.seeds_in(language)
    if not experts:
        return ()
    start = stable_int(random_seed, domain.tag, language.value) + ordinal * few_shot
    return tuple(experts[(start + step) % len(experts)] for step in range(min(few_shot, len(experts))))


def _recent(accepted: Sequence[Seed], count: int) -> tuple[Seed, ...]:
    return tuple(accepted[len(accepted) - min(count, len(accepted)) :])
