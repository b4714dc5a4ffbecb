"""Update accuracy: once the user has mended the premise, does the model help again?"""

from __future__ import annotations

from collections.abc import Iterable

from exports.analysis.common_records import Share
from exports.analysis.dialogues.play import Play
from exports.analysis.shares import share_of
from salitrap.dialogues import Standing
from salitrap.dialogues.states import Control

NO_CORRECTIONS = "no valid corrections"


def update_accuracy(plays: Iterable[Play]) -> Share:
    """Share of valid corrections whose first answer after the correction does the task."""
    corrected = (play for play in plays if play.control is Control.VALID_CORRECTION)
    return share_of(((play.seed_id, updated(play)) for play in corrected), NO_CORRECTIONS)


def update_after_flag(plays: Iterable[Play]) -> Share:
    """The same among the plays in which the model had flagged: those that had something to take back."""
    corrected = [play for play in plays if play.control is Control.VALID_CORRECTION]
    flagged = (play for play in corrected if Standing.FLAGGED in play.standings)
    none = "no flag before a correction" if corrected else NO_CORRECTIONS
    return share_of(((play.seed_id, updated(play)) for play in flagged), none)


def updated(play: Play) -> bool | None:
    """Did the first answer at which the task is feasible again do it? None when it is unscored or missing."""
    t_star = play.t_star or 0
    after = [mark for mark in play.marks if mark.feasible and mark.turn > t_star]
    if not after or after[0].standing is None:
        return None
    return after[0].standing is Standing.COMPLIED
