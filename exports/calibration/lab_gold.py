"""The simulated judge is given the shipped gold answers, so that its errors are the planted ones."""

from __future__ import annotations

from checkers.gold import shipped_answers_folder
from curation.fingerprints import uses_lab
from salitrap.records.enums import Role
from salitrap.settings import Settings


def with_lab_gold(settings: Settings) -> Settings:
    """``settings`` with ``lab.gold``: as set, or the shipped answers where a simulated judge is measured."""
    pool = settings.roles.get(Role.JUDGE)
    if settings.lab.gold is not None or pool is None or not uses_lab(pool):
        return settings
    lab = settings.lab.model_copy(update={"gold": str(shipped_answers_folder())})
    return settings.model_copy(update={"lab": lab})
