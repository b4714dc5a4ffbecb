"""What stages expect to spend: calls and tokens as ranges, from few to many.

Few: every cell reaches its target at once and every search ends with its first candidate. Many: every
budget of the search is used up. Neither counts repeated attempts after failures or re-asks of replies
that cannot be read.
"""

from __future__ import annotations

from collections.abc import Sequence

from checkers.base import CHECK_ATTEMPTS
from checkers.judge import judges_asked
from curation.call_sizes import CallSize, Sizes
from curation.cells import BATCHES_PER_WAVE, CellState
from salitrap.plan import Plan, RolePlan
from salitrap.records import Role, Stage
from salitrap.settings import Settings

TYPICAL: dict[Role, CallSize] = {
    Role.GENERATOR: CallSize(1000.0, 3000.0, 100.0, 1500.0),
    Role.WRITER: CallSize(500.0, 1100.0, 60.0, 220.0),
    Role.CHECKER: CallSize(500.0, 1300.0, 30.0, 270.0),
    Role.SOLVER: CallSize(60.0, 240.0, 200.0, 1500.0),
    Role.JUDGE: CallSize(1000.0, 3700.0, 30.0, 270.0),
}
"""Sizes where prompts and seeds are not at hand: those of the shipped ones, rounded."""

PROMPT_TOKENS = (60.0, 240.0)
"""Tokens of one seed's prompt, few to many."""

CHECKS = 3
WASTE = 2
"""Batches asked for per batch needed, at the high end: filters reject and cells run dry."""

DRY = 2
"""Waves without a seed that a cell may see, at the high end, for each of ``empty_waves``."""

READINGS = 2
"""Readings of an answer by the judge, at the high end: the visible part, and with exposed reasoning."""


def plan_scale(settings: Settings, cells: Sequence[CellState], sizes: Sizes | None = None) -> Plan:
    """Calls until every open cell has its target: the generator's, and the checker's for the screen."""
    size = settings.scale.batch_size
    batches = [-(-cell.missing // size) for cell in cells if cell.end is None and cell.missing]
    needed = sum(batches)
    most = needed * WASTE + len(batches) * DRY * settings.scale.empty_waves
    at_once = sum(min(count, BATCHES_PER_WAVE) for count in batches)
    ranges, together = {Role.GENERATOR: (needed, most)}, {Role.GENERATOR: at_once}
    if settings.scale.viability != "off":
        missing = sum(cell.missing for cell in cells if cell.end is None)
        ranges[Role.CHECKER] = (missing, CHECK_ATTEMPTS * most * size)
        together[Role.CHECKER] = at_once * size
    return Plan(roles=(*_roles(Stage.SCALE, ranges, together, sizes), *_embeddings(settings, cells, most)))


def _embeddings(settings: Settings, cells: Sequence[CellState], batches: int) -> tuple[RolePlan, ...]:
    """Requests of filter f5: full ones at best, one for each of ``batches`` and the expert seeds at worst."""
    meaning, going = settings.scale.similarity.meaning, [cell for cell in cells if cell.end is None]
    if meaning is None or not going:
        return ()
    fewest = sum(cell.missing for cell in going)
    most = sum(cell.accepted for cell in going) + batches * settings.scale.batch_size
    return (
        RolePlan(
            stage=Stage.SCALE,
            role=Role.CHECKER,
            calls_low=-(-fewest // meaning.batch_size),
            calls_high=-(-most // meaning.batch_size) + batches + 1,
            input_low=round(fewest * PROMPT_TOKENS[0]),
            input_high=round(most * PROMPT_TOKENS[1]),
            output_low=0,
            output_high=0,
            at_once=1,
            embeddings=True,
        ),
    )


def plan_refine(settings: Settings, seeds: int, spent: int = 0, sizes: Sizes | None = None) -> Plan:
    """Calls of the search around ``seeds`` seeds, after ``spent`` expansions of each."""
    refine = settings.refine
    expansions = max(0, refine.max_expansions - spent) if refine.max_candidates > 1 else 0
    explorations = min(refine.generator_rounds, expansions)
    candidates = min(refine.max_candidates, expansions + 1)
    fewest = 1 if settings.validation.order == "cascade" else CHECKS
    ranges = {
        Role.WRITER: (0, expansions),
        Role.GENERATOR: (explorations if not spent and always_explores(settings) else 0, explorations),
        Role.CHECKER: (0 if spent else fewest, CHECKS * candidates + expansions),
        Role.SOLVER: (0, candidates),
        Role.JUDGE: (0, judges_asked(settings) * READINGS * candidates),
    }
    workers = min(seeds, settings.seeds_at_a_time)
    at_once = {role: workers * (CHECKS if role is Role.CHECKER else 1) for role in ranges}
    return Plan(roles=_roles(Stage.REFINE, _times(seeds, ranges), at_once, sizes))


def plan_certify(settings: Settings, seeds: int, pool: int | None = None, sizes: Sizes | None = None) -> Plan:
    """Calls of the repeats; ``pool`` is the number of certified candidates a seed, if known."""
    repeats, top_k, judges = settings.certify.repeats, settings.refine.top_k, judges_asked(settings)
    most = _most_certified(settings) if pool is None else pool
    least = 0 if pool is None else min(pool, top_k)
    ranges = {
        Role.SOLVER: (least * repeats, most * repeats),
        Role.JUDGE: (judges * least * repeats, judges * READINGS * most * repeats),
    }
    workers = min(seeds, settings.seeds_at_a_time)
    at_once = dict.fromkeys(ranges, workers * repeats * min(most, top_k))
    return Plan(roles=_roles(Stage.CERTIFY, _times(seeds, ranges), at_once, sizes))


def role_plan(
    stage: Stage, role: Role, calls: tuple[int, int], size: CallSize, at_once: int | None = None
) -> RolePlan:
    """Calls from few to many, with their tokens."""
    low, high = calls
    return RolePlan(
        stage=stage,
        role=role,
        calls_low=low,
        calls_high=high,
        input_low=round(low * size.input_low),
        input_high=round(high * size.input_high),
        output_low=round(low * size.output_low),
        output_high=round(high * size.output_high),
        at_once=at_once,
    )


def _most_certified(settings: Settings) -> int:
    """Certified candidates a search can find: a branch ends with its first, explorations open branches."""
    return min(settings.refine.max_candidates, 1 + settings.refine.generator_rounds)


def always_explores(settings: Settings) -> bool:
    """True when no search can end before its last exploration.

    Until then at most one branch more is open after each, and each open branch adds a child a round.
    """
    refine = settings.refine
    explorations = refine.generator_rounds
    children = refine.explore_every * explorations * (explorations + 1) // 2 + explorations
    roomy = children < refine.max_candidates and children <= refine.max_expansions
    return roomy and refine.top_k >= _most_certified(settings)


def _times(seeds: int, ranges: dict[Role, tuple[int, int]]) -> dict[Role, tuple[int, int]]:
    return {role: (seeds * low, seeds * high) for role, (low, high) in ranges.items()}


def _roles(
    stage: Stage, ranges: dict[Role, tuple[int, int]], at_once: dict[Role, int], sizes: Sizes | None
) -> tuple[RolePlan, ...]:
    return tuple(
        role_plan(stage, role, calls, (sizes or {}).get((stage, role), TYPICAL[role]), at_once[role])
        for role, calls in ranges.items()
        if calls[1]
    )
