"""What stages expect to spend: calls as a range, tokens for the high end.

Tokens a call are typical sizes of our prompts and replies, to be read as an order of magnitude.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curation.cells import CellState, cells_of
from salitrap.plan import Plan, RolePlan
from salitrap.records import Domain, Role, Stage
from salitrap.settings import Settings


class Tokens(NamedTuple):
    """Typical size of one call."""

    input: int
    output: int


TYPICAL: dict[Role, Tokens] = {
    Role.GENERATOR: Tokens(2200, 1400),
    Role.WRITER: Tokens(1300, 350),
    Role.CHECKER: Tokens(1100, 150),
    Role.SOLVER: Tokens(200, 1200),
    Role.JUDGE: Tokens(2200, 250),
}
CHECKS = 3
WASTE = 2
"""Batches asked for per batch needed, at the high end: filters reject and cells run dry."""


def plan_run(settings: Settings, domains: Sequence[Domain]) -> Plan:
    """A whole run from its settings alone."""
    cells = cells_of(settings, domains)
    seeds = sum(cell.target for cell in cells)
    experts = {domain.tag: domain for domain in domains}
    filled = tuple(
        cell.model_copy(update={"accepted": len(experts[cell.tag].seeds_in(cell.language))}) for cell in cells
    )
    return plan_scale(settings, filled) + plan_refine(settings, seeds) + plan_certify(settings, seeds)


def plan_scale(settings: Settings, cells: Sequence[CellState]) -> Plan:
    """Generator calls until every open cell has its target."""
    size, open_cells = (
        settings.scale.batch_size,
        [cell for cell in cells if cell.end is None and cell.missing],
    )
    needed = sum(-(-cell.missing // size) for cell in open_cells)
    most = needed * WASTE + len(open_cells) * settings.scale.empty_waves
    return Plan(roles=tuple(_role(Stage.SCALE, Role.GENERATOR, needed, most)))


def plan_refine(settings: Settings, seeds: int, spent: int = 0) -> Plan:
    """Calls of the search around ``seeds`` seeds, after ``spent`` expansions of each."""
    refine = settings.refine
    expansions = max(0, refine.max_expansions - spent)
    explorations = min(refine.generator_rounds, expansions)
    candidates = min(refine.max_candidates, expansions + 1)
    ranges = {
        Role.WRITER: (0, expansions - explorations),
        Role.GENERATOR: (explorations, explorations),
        Role.CHECKER: (CHECKS + explorations, CHECKS * candidates + expansions),
        Role.SOLVER: (0, candidates),
        Role.JUDGE: (0, 2 * candidates),
    }
    return _of_stage(Stage.REFINE, seeds, ranges)


def plan_certify(settings: Settings, seeds: int, pool: int | None = None) -> Plan:
    """Calls of the repeats; ``pool`` is the number of certified candidates a seed, if known."""
    repeats = settings.certify.repeats
    most = pool if pool is not None else settings.refine.top_k
    least = min(most, settings.refine.top_k) if pool is not None else 0
    ranges = {
        Role.SOLVER: (least * repeats, most * repeats),
        Role.JUDGE: (least * repeats, 2 * most * repeats),
    }
    return _of_stage(Stage.CERTIFY, seeds, ranges)


def _of_stage(stage: Stage, seeds: int, ranges: dict[Role, tuple[int, int]]) -> Plan:
    roles = [
        plan for role, (low, high) in ranges.items() for plan in _role(stage, role, seeds * low, seeds * high)
    ]
    return Plan(roles=tuple(roles))


def _role(stage: Stage, role: Role, low: int, high: int) -> list[RolePlan]:
    if not high:
        return []
    typical = TYPICAL[role]
    return [
        RolePlan(
            stage=stage,
            role=role,
            calls_low=low,
            calls_high=high,
            input_tokens=high * typical.input,
            output_tokens=high * typical.output,
        )
    ]
