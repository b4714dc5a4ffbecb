"""What counts as progress from a branch's tip to a child (method, stage 3)."""

from __future__ import annotations

from curation.node import NOT_VALID
from salitrap.records import Decision, Route, Status
from salitrap.settings import RefineSettings

ATTACKS = frozenset({Status.CERTIFIED, Status.ATTACK_UNNATURAL})
ROUNDING = 1e-9


def is_progress(tip: Decision, child: Decision, settings: RefineSettings) -> bool:
    """Certified; attack gained; attack kept and nu not worse; nu up by the objective's step.

    The objective is the tip's route: +0.5 for repair, +0.3 for camouflage by default. A child that
    is not valid, or could not be judged, is never progress.
    """
    if child.status in NOT_VALID:
        return False
    if child.status is Status.CERTIFIED:
        return True
    gain = (child.naturalness or 0.0) - (tip.naturalness or 0.0) + ROUNDING
    if child.status in ATTACKS:
        return tip.status not in ATTACKS or gain >= 0.0
    if tip.route is Route.REPAIR:
        return gain >= settings.repair_progress
    return tip.route is Route.CAMOUFLAGE and gain >= settings.camouflage_progress
