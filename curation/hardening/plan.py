"""What hardening expects to spend, from few to many."""

from __future__ import annotations

from collections.abc import Sequence

from checkers.judge import judges_asked
from curation.call_sizes import CallSize, Sizes, sizes_of
from curation.cells import cells_of
from curation.estimates import READINGS, TYPICAL, plan_certify, plan_refine, plan_scale, role_plan
from curation.hardening.entry import settings_for
from curation.hardening.recertify import answers_each, pool_size
from curation.hardening.released import Release
from salitrap.plan import Plan
from salitrap.records import Domain, Role, Stage
from salitrap.settings import Settings


def plan_hardening(settings: Settings, release: Release, domains: Sequence[Domain]) -> Plan:
    """Few: nothing is solved. Many: everything is, every search uses all of its budget, and in vain.

    Raises:
        ConfigError: the release has a dimension or language that the settings lack.
    """
    used, items = settings_for(settings, release, domains), len(release.items)
    sizes = sizes_of(used, domains)
    searched = plan_refine(used, items, sizes=sizes) + plan_certify(used, items, sizes=sizes)
    plan = _recertify(used, items, items, sizes) + _at_most(searched) + _recertify(used, 0, items, sizes)
    if not used.hardening.generate:
        return plan
    cells = tuple(
        cell.model_copy(update={"target": release.cells.get(cell.key, 0)}) for cell in cells_of(used, domains)
    )
    written = plan_scale(used, cells, sizes) + searched
    return plan + _at_most(written) + _recertify(used, 0, items, sizes)


def _recertify(settings: Settings, low: int, high: int, sizes: Sizes) -> Plan:
    """Every solver answers every item: as often as certification repeats, and with fresh answers."""
    each = pool_size(settings) * answers_each(settings)
    judged = each * judges_asked(settings)
    at_once = min(max(low, high), settings.seeds_at_a_time) * each
    ranges = {
        Role.SOLVER: (low * each, high * each),
        Role.JUDGE: (low * judged, high * judged * READINGS),
    }
    return Plan(
        roles=tuple(
            role_plan(Stage.RECERTIFY, role, calls, _size(sizes, role), at_once)
            for role, calls in ranges.items()
        )
    )


def _size(sizes: Sizes, role: Role) -> CallSize:
    return sizes.get((Stage.CERTIFY, role), TYPICAL[role])


def _at_most(plan: Plan) -> Plan:
    """The same, though it may be that nothing of it is needed."""
    nothing = {"calls_low": 0, "input_low": 0, "output_low": 0}
    return Plan(roles=tuple(role.model_copy(update=nothing) for role in plan.roles))
