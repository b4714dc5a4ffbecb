"""How every seed of a run stands under what is given now: as it is, decided anew, new or unsettled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from curation.cells import CellState, cells_of, reopened
from curation.changing.given import Given
from curation.fingerprints import dialogue_fingerprint, refine_fingerprint, scale_fingerprint
from curation.registry import Registry
from curation.registry.events import WorkState
from curation.registry.people import edits_of
from curation.registry.queries import accepted_seeds
from curation.registry.waves import last_wave
from curation.swayed import certify_key, refine_key, with_edits_told
from salitrap.records import Language, Origin, Seed, Stage


class Standing(StrEnum):
    """What a resumed run does with a seed's unit of work."""

    STAYS = "stays"
    ANEW = "anew"
    UNSETTLED = "unsettled"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Unit:
    """One seed in the stages after scaling; ``sure`` is False for a seed that scaling may not bring again.

    ``by_last`` says that its refinement holds under the last revision, so that changes since tell all.
    ``edits`` counts texts that people wrote since, where nothing else of its refinement differs.
    """

    seed: Seed
    refine: Standing
    certify: Standing
    sure: bool
    by_last: bool
    edits: int = 0
    dialogues: Standing = Standing.STAYS


@dataclass(frozen=True, slots=True)
class Units:
    """All seeds of a run; ``cells`` are where scaling begins or goes on, ``missing`` seeds not there yet."""

    scale_stays: bool
    cells: tuple[CellState, ...]
    units: tuple[Unit, ...]

    @property
    def missing(self) -> int:
        """Seeds wanted by cells that still ask, beyond those expected."""
        there = [(unit.seed.dimension_tag, unit.seed.language) for unit in self.units]
        return sum(max(0, cell.target - there.count(cell.key)) for cell in self.cells if cell.end is None)

    def count(self, stage: Stage, standing: Standing) -> int:
        """Units of a stage after scaling that stand so."""
        return sum(getattr(one, stage.value) is standing for one in self.units)


State = tuple[str, str, str]


def units_of(registry: Registry, last: Given, given: Given) -> Units:
    """Hold what the registry has against what is given; ``last`` is what was given before."""
    wave = last_wave(registry, scale_fingerprint(given.settings, given.domains, given.prompts))
    first = cells_of(given.settings, given.domains)
    known = {seed.seed_id: seed for seed in accepted_seeds(registry)}
    targets = {cell.key: cell.target for cell in first}
    if wave is not None:
        cells = tuple(reopened(cell, targets[cell.key]) for cell in wave.cells)
        seeds = list(_within(iter(known.values()), targets))
    else:
        experts = [seed for domain in given.domains for seed in domain.seeds]
        generated = (seed for seed in known.values() if seed.origin is not Origin.EXPERT)
        seeds = list(_within(iter((*experts, *generated)), targets))
        cells = tuple(_with_experts(cell, seeds) for cell in first)
    sure = wave is not None
    unit, ranks = partial(_unit, registry, _states(registry), last, given), _ranks(seeds)
    units = (
        unit(seed, sure=sure or seed.origin is Origin.EXPERT, rank=ranks[seed.seed_id]) for seed in seeds
    )
    return Units(sure, cells, tuple(units))


def _within(seeds: Iterator[Seed], targets: Mapping[tuple[str, Language], int]) -> Iterator[Seed]:
    """Seeds up to the target of their cells, in their order."""
    counts: dict[tuple[str, Language], int] = {}
    for seed in seeds:
        cell = (seed.dimension_tag, seed.language)
        counts[cell] = counts.get(cell, 0) + 1
        if counts[cell] <= targets.get(cell, 0):
            yield seed


def _ranks(seeds: list[Seed]) -> dict[str, int]:
    """The place of each seed within its dimension and language, from 0."""
    counts: dict[tuple[str, Language], int] = {}
    ranks = {}
    for seed in seeds:
        cell = (seed.dimension_tag, seed.language)
        ranks[seed.seed_id] = counts.get(cell, 0)
        counts[cell] = ranks[seed.seed_id] + 1
    return ranks


def _with_experts(cell: CellState, seeds: list[Seed]) -> CellState:
    experts = [one for one in seeds if one.origin is Origin.EXPERT]
    there = sum((one.dimension_tag, one.language) == cell.key for one in experts)
    return cell.model_copy(update={"accepted": there})


def _states(registry: Registry) -> dict[tuple[str, str], State]:
    """Fingerprint, state and digest by stage and seed."""
    query = "SELECT stage, seed_id, fingerprint, state, digest FROM seed_state"
    return {row[:2]: tuple(row[2:]) for row in registry.connection.execute(query)}


def _unit(
    registry: Registry,
    states: Mapping[tuple[str, str], State],
    last: Given,
    given: Given,
    seed: Seed,
    *,
    sure: bool,
    rank: int,
) -> Unit:
    refined, certified = (states.get((stage, seed.seed_id)) for stage in (Stage.REFINE, Stage.CERTIFY))
    refine = _standing(refined, refine_key(registry, given.settings, given.prompts, seed))
    digest = refined[2] if refined else ""
    certify = _standing(certified, certify_key(registry, given.settings, given.prompts, seed, digest))
    if certify is not Standing.NEW and refine is not Standing.STAYS:
        certify = Standing.ANEW
    talks = _dialogues(states, given, seed, certified, certify, rank)
    before = refine_key(registry, last.settings, last.prompts, seed)
    edits = _fresh_edits(registry, given, seed, refined) if refine is Standing.ANEW else 0
    return Unit(seed, refine, certify, sure, refined is not None and refined[0] == before, edits, talks)


def _dialogues(
    states: Mapping[tuple[str, str], State],
    given: Given,
    seed: Seed,
    certified: State | None,
    certify: Standing,
    rank: int,
) -> Standing:
    """How the dialogues of a seed stand; where none are asked for there is nothing to do."""
    if not given.settings.dialogues.patterns:
        return Standing.STAYS
    there = states.get((Stage.DIALOGUES, seed.seed_id))
    digest = certified[2] if certified else ""
    wanted = given.settings.dialogues.per_cell is None or rank < given.settings.dialogues.per_cell
    told = dialogue_fingerprint(given.settings, given.prompts, seed, digest, wanted=wanted)
    found = _standing(there, told)
    return Standing.ANEW if found is not Standing.NEW and certify is not Standing.STAYS else found


def _fresh_edits(registry: Registry, given: Given, seed: Seed, refined: State | None) -> int:
    """Texts written since the refinement that is there, 0 where settings or withdrawn texts differ, too."""
    edits = edits_of(registry, seed.seed_id)
    base = refine_fingerprint(given.settings, given.prompts, seed)
    prints = [with_edits_told(base, edits[:known]) for known in range(len(edits))]
    return len(edits) - prints.index(refined[0]) if refined and refined[0] in prints else 0


def _standing(found: State | None, fingerprint: str) -> Standing:
    if found is None:
        return Standing.NEW
    if found[0] != fingerprint:
        return Standing.ANEW
    return Standing.STAYS if found[1] == WorkState.DONE else Standing.UNSETTLED
