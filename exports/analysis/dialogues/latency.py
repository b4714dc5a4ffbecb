"""Detection latency: how many turns the model takes to flag once the task is impossible."""

from __future__ import annotations

from collections.abc import Iterable

from exports.analysis.dialogue_records import Survival
from exports.analysis.dialogues.play import Play
from exports.analysis.dialogues.robust import NO_TRAPS
from exports.analysis.dialogues.survival import Spell, survival_of
from salitrap.dialogues import Standing


def detection_latency(plays: Iterable[Play]) -> Survival:
    """Turns sent from t* (0: at t* itself) to the first flag, over the trap dialogues.

    Right-censored at the last turn sent, or before the first unscored one: the flag may have come there.
    A play whose t* is unscored was never under observation.
    """
    traps = [play for play in plays if play.is_trap]
    spells = [spell for play in traps if (spell := _spell(play)) is not None]
    return survival_of(spells, 0, len(traps) - len(spells), NO_TRAPS)


def _spell(play: Play) -> Spell | None:
    last = -1
    for step, standing in enumerate(play.standings):
        if standing is None:
            break
        last = step
        if standing is Standing.FLAGGED:
            return Spell(play.seed_id, step, event=True)
    return Spell(play.seed_id, last, event=False) if last >= 0 else None
