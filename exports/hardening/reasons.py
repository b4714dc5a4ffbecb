"""Why a released item stays or goes, in one sentence."""

from __future__ import annotations

from curation.hardening import Fate, HardenedItem, Standing
from curation.hardening.records import Counts, counts_of
from salitrap.settings import Settings


def reason_of(one: HardenedItem, settings: Settings) -> str:
    """The sentence that the report, the changelog and the column ``retired_reason`` have."""
    total = sum((counts_of(solver, settings) for solver in one.found.solvers), Counts())
    told = f"{total.failed} of {total.scored} answers failed"
    instead = f"; revised as {one.revision.item.item_id}" if one.revision is not None else ""
    if one.standing is Standing.SOLVED:
        return f"solved by {_whom(settings)}: {told}{instead}"
    if one.fate is Fate.REVISED and one.revision is not None:
        return f"its revision {one.revision.item.item_id} fails more often ({one.revision.rate:.2f}): {told}"
    return f"could not be judged: {told}" if one.standing is Standing.UNJUDGED else f"still fails: {told}"


def _whom(settings: Settings) -> str:
    return {"all": "all solvers", "most": "most solvers", "any": "a solver"}[settings.hardening.solved_by]
