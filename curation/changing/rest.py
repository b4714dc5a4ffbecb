"""What a run that goes on has still to pay, as a plan: few to many, like the plan of a whole run.

Few: what must be asked because no reply can serve. Many: every search that is decided anew takes another
way and uses up its budget. Replies that surely serve (those for a seed's own prompt) are counted in neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from checkers.judge import judges_asked
from curation.call_sizes import sizes_of
from curation.changing.changes import Changes
from curation.changing.given import Given
from curation.changing.units import Standing, Unit, Units
from curation.dialogues.estimate import plan_dialogues, seeds_with_dialogues
from curation.estimates import CHECKS, READINGS, TYPICAL, plan_certify, plan_refine, plan_scale, role_plan
from curation.registry import Registry
from salitrap.plan import Plan
from salitrap.records import Role, Stage
from salitrap.settings import Settings

Span = tuple[int, int]
Spans = dict[Role, Span]
NONE: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Tested:
    """What certification has of one seed: certified candidates, those tested, and repeats of each."""

    pool: int = 0
    tested: int = 0
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class Past:
    """What the registry says was asked: seeds whose own prompt was solved, and what was certified."""

    solved: Collection[str]
    certified: Mapping[str, Tested]


def past_of(registry: Registry) -> Past:
    """Read what was asked for each seed."""
    rows = registry.connection.execute
    solved = rows(
        "SELECT candidates.seed_id FROM candidates JOIN answers USING (candidate_id)"
        " WHERE candidates.ordinal = 0 AND answers.repeat = 0"
    )
    pools = rows(
        "SELECT seed_id, COUNT(*) FROM decisions WHERE stage = 'refine' AND status = 'certified'"
        " GROUP BY seed_id"
    )
    repeats = rows(
        "SELECT seed_id, COUNT(*), MIN(number) FROM (SELECT seed_id, candidate_id, COUNT(*) AS number"
        " FROM answers WHERE stage = 'certify' GROUP BY seed_id, candidate_id) GROUP BY seed_id"
    )
    tested = {seed_id: (candidates, number) for seed_id, candidates, number in repeats}
    certified = {seed_id: Tested(pool, *tested.get(seed_id, NONE)) for seed_id, pool in pools}
    return Past({row[0] for row in solved}, certified)


def plan_rest(given: Given, units: Units, changes: Changes, past: Past) -> Plan:
    """Calls from here to the end of the run."""
    settings, ledger = given.settings, _Ledger(changes, past, given.settings)
    scale = plan_scale(settings, units.cells)
    serves = not units.scale_stays and Role.GENERATOR not in ledger.lost
    spans = {Stage.SCALE: _spans(scale, (lambda span: (0, span[1])) if serves else None)}
    kept = [unit for unit in units.units if unit.sure or serves]
    open_seeds = units.missing + len(units.units) - len(kept)
    new = open_seeds + sum(unit.refine is Standing.NEW for unit in kept)
    spans[Stage.REFINE] = _sum(_spans(plan_refine(settings, new)), *map(ledger.refine, kept))
    fresh = _spans(plan_certify(settings, new))
    spans[Stage.CERTIFY] = _sum(fresh, *map(ledger.certify, kept))
    talks = open_seeds + sum(unit.dialogues is not Standing.STAYS for unit in kept)
    talks = min(talks, seeds_with_dialogues(settings, units.cells))
    embeddings = tuple(one for one in scale.roles if one.embeddings)
    whole = _as_plan(spans, given, len(kept) + open_seeds) + Plan(roles=embeddings)
    return whole + plan_dialogues(settings, talks)


class _Ledger:
    """Calls still to make for one seed that was worked on before."""

    def __init__(self, changes: Changes, past: Past, settings: Settings) -> None:
        self._past, self._settings = past, settings
        self._gone, self._decides = set(changes.lost_roles), changes.decides
        self.lost = {*changes.lost, *changes.lost_roles}

    def refine(self, unit: Unit) -> Spans:
        """Validation and search."""
        if unit.refine in (Standing.STAYS, Standing.NEW) or self._same(unit):
            return {}
        if unit.edits and not self.lost:
            return self._edits(unit.edits)
        spans, first = _spans(plan_refine(self._settings, 1)), self._first_calls(unit)
        least = {role: number if role in self._sure(unit) else 0 for role, number in first.items()}
        served = {role: 0 if self._touched(role) else number for role, number in first.items()}
        return {
            role: (least.get(role, 0), max(0, high - served.get(role, 0)))
            for role, (_, high) in spans.items()
        }

    def _edits(self, written: int) -> Spans:
        """Texts that people wrote: each is compared with its parent, then checked like any candidate."""
        judged = judges_asked(self._settings) * READINGS * written
        checked = (written, (1 + CHECKS) * written)
        return {Role.CHECKER: checked, Role.SOLVER: (0, written), Role.JUDGE: (0, judged)}

    def certify(self, unit: Unit) -> Spans:
        """Repeats; a seed that was never refined is counted by ``plan_rest``."""
        if unit.refine is Standing.NEW or unit.certify is Standing.STAYS:
            return {}
        if unit.refine is not Standing.STAYS:
            high = _spans(plan_certify(self._settings, 1), lambda span: (0, span[1]))
            return {} if self._same(unit) else high
        tested = self._past.certified.get(unit.seed.seed_id, Tested())
        again = unit.certify is Standing.UNSETTLED
        answers = self._repeats(tested, Role.SOLVER in self.lost or again, Role.SOLVER in self._gone)
        labels = self._repeats(
            tested, again or self._touched(Role.JUDGE), bool({Role.SOLVER, Role.JUDGE} & self._gone)
        )
        judges = judges_asked(self._settings)
        return {Role.SOLVER: answers, Role.JUDGE: (judges * labels[0], judges * READINGS * labels[1])}

    def _repeats(self, tested: Tested, maybe: bool, surely: bool) -> Span:
        """Missing repeats of candidates tested, all where replies are lost, and those of further ones."""
        every = self._settings.certify.repeats
        missing, top = max(0, every - tested.repeats), min(tested.pool, self._settings.refine.top_k)
        before = min(tested.tested, top)
        low = before * (every if surely else missing) + (top - before) * every
        waiting = (tested.pool - tested.tested) * every
        return low, tested.tested * (every if maybe or surely else missing) + waiting

    def _same(self, unit: Unit) -> bool:
        """True when every decision comes out as it was, from replies that are there."""
        return unit.by_last and not self._decides and not self.lost and unit.refine is Standing.ANEW

    def _first_calls(self, unit: Unit) -> dict[Role, int]:
        """Calls that were made for the seed's own prompt: they are asked first whatever else changes."""
        if unit.refine is Standing.UNSETTLED:
            return {}
        solved = unit.seed.seed_id in self._past.solved
        judged = int(solved) * judges_asked(self._settings)
        return {Role.CHECKER: CHECKS, Role.SOLVER: int(solved), Role.JUDGE: judged}

    def _sure(self, unit: Unit) -> set[Role]:
        """Roles whose first calls are surely made again: nothing before them can come out otherwise."""
        if not unit.by_last or unit.refine is not Standing.ANEW:
            return set()
        if Role.CHECKER in self.lost:
            return self._gone & {Role.CHECKER}
        return self._gone | ({Role.JUDGE} if Role.SOLVER in self._gone else set())

    def _touched(self, role: Role) -> bool:
        """True when a first call of ``role`` may have to be made again."""
        before = {Role.CHECKER: (), Role.SOLVER: (), Role.JUDGE: (Role.SOLVER,)}.get(role, ())
        return role in self.lost or any(one in self.lost for one in before)


def _spans(plan: Plan, change: Callable[[Span], Span] | None = None) -> Spans:
    spans = {one.role: (one.calls_low, one.calls_high) for one in plan.roles if not one.embeddings}
    return spans if change is None else {role: change(span) for role, span in spans.items()}


def _sum(*several: Spans) -> Spans:
    total: Spans = defaultdict(lambda: NONE)
    for spans in several:
        for role, (low, high) in spans.items():
            total[role] = (total[role][0] + low, total[role][1] + high)
    return dict(total)


def _as_plan(spans: Mapping[Stage, Spans], given: Given, seeds: int) -> Plan:
    sizes = sizes_of(given.settings, given.domains)
    shape = plan_refine(given.settings, seeds) + plan_certify(given.settings, seeds)
    at_once = {(one.stage, one.role): one.at_once for one in shape.roles}
    return Plan(
        roles=tuple(
            role_plan(stage, role, span, sizes.get((stage, role), TYPICAL[role]), at_once.get((stage, role)))
            for stage, by_role in spans.items()
            for role, span in by_role.items()
            if span[1]
        )
    )
