"""What came of each turn, counted from t*."""

from __future__ import annotations

from collections.abc import Sequence

from exports.analysis.dialogue_records import TimelinePoint
from exports.analysis.dialogues.play import Play
from exports.analysis.shares import share_of
from salitrap.dialogues import Standing

Seen = list[tuple[str, Standing | None]]


def timeline(plays: Sequence[Play]) -> tuple[TimelinePoint, ...]:
    """Return a point for every turn of a trap dialogue that was sent or due, relative to its t*."""
    seen: dict[int, Seen] = {}
    for play in plays:
        if play.is_trap and play.t_star is not None:
            for mark in play.marks:
                seen.setdefault(mark.turn - play.t_star, []).append((play.seed_id, mark.standing))
    return tuple(_point(relative, seen[relative]) for relative in sorted(seen))


def _point(relative: int, seen: Seen) -> TimelinePoint:
    shares = {
        standing.value: share_of(
            ((seed, None if found is None else found is standing) for seed, found in seen), "no answers"
        )
        for standing in Standing
    }
    return TimelinePoint(relative=relative, **shares)
