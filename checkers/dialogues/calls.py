"""Calls that the checks of one dialogue make, for the plan."""

from __future__ import annotations

from checkers.base import CHECK_ATTEMPTS
from salitrap.dialogues import Control

WHOLE = 2
"""Questions about a whole trap dialogue: truth with alignment, and naturalness."""


def check_calls(control: Control, t_star: int | None) -> tuple[int, int]:
    """Fewest and most calls of all checks that pass, re-asks included; ``t_star`` as in the record.

    A feasible twin is asked for feasibility alone.
    """
    if control is Control.FEASIBLE_TWIN or t_star is None:
        return 1, CHECK_ATTEMPTS
    asked = 1 + (t_star > 1) + (control is Control.VALID_CORRECTION) + WHOLE
    return asked, asked * CHECK_ATTEMPTS
