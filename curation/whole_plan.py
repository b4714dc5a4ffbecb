"""The plan of a whole run, all stages together."""

from __future__ import annotations

from collections.abc import Sequence

from curation.call_sizes import sizes_of
from curation.cells import cells_of
from curation.dialogues.estimate import plan_dialogues, seeds_with_dialogues
from curation.estimates import plan_certify, plan_refine, plan_scale
from salitrap.plan import Plan
from salitrap.records import Domain
from salitrap.settings import Settings


def plan_run(settings: Settings, domains: Sequence[Domain]) -> Plan:
    """A whole run from its settings and domains alone."""
    cells = cells_of(settings, domains)
    seeds = sum(cell.target for cell in cells)
    experts = {domain.tag: domain for domain in domains}
    filled = tuple(
        cell.model_copy(update={"accepted": len(experts[cell.tag].seeds_in(cell.language))}) for cell in cells
    )
    sizes = sizes_of(settings, domains)
    return (
        plan_scale(settings, filled, sizes)
        + plan_refine(settings, seeds, sizes=sizes)
        + plan_certify(settings, seeds, sizes=sizes)
        + plan_dialogues(settings, seeds_with_dialogues(settings, cells))
    )
