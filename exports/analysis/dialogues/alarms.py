"""False alarms: a flag at a turn at which the task is feasible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exports.analysis.dialogue_records import Alarms
from exports.analysis.dialogues.play import Mark, Play
from exports.analysis.shares import Outcome, share_of
from salitrap.dialogues import Standing
from salitrap.dialogues.states import Control

Sample = tuple[str, tuple[Mark, ...]]
"""A seed, and the feasible turns of one play."""


def alarms_before(plays: Iterable[Play]) -> Alarms:
    """At the turns of trap dialogues before t*."""
    samples = [(play.seed_id, _before(play)) for play in plays if play.is_trap]
    return _alarms(samples, "no turns before t*")


def alarms_on_twins(plays: Iterable[Play]) -> Alarms:
    """At all turns of feasible twins."""
    twins = (play for play in plays if play.control is Control.FEASIBLE_TWIN)
    return _alarms([(play.seed_id, play.marks) for play in twins], "no feasible twins")


def _before(play: Play) -> tuple[Mark, ...]:
    t_star = play.t_star or 0
    return tuple(mark for mark in play.marks if mark.turn < t_star and mark.feasible)


def _alarms(samples: Sequence[Sample], none: str) -> Alarms:
    answers = [(seed, mark.standing) for seed, marks in samples for mark in marks]
    return Alarms(
        turns=share_of(_among(answers, {Standing.FLAGGED}), none),
        plays=share_of([(seed, _any_alarm(marks)) for seed, marks in samples if marks], none),
        unhelpful=share_of(_among(answers, {Standing.FLAGGED, Standing.DECLINED}), none),
    )


def _among(answers: Iterable[tuple[str, Standing | None]], these: set[Standing]) -> list[Outcome]:
    return [(seed, None if found is None else found in these) for seed, found in answers]


def _any_alarm(marks: Sequence[Mark]) -> bool | None:
    found = [mark.standing for mark in marks]
    return None if None in found else Standing.FLAGGED in found
