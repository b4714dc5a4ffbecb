"""All dialogue metrics of one model in one arm: overall, by pattern, by dimension and by language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from exports.analysis.dialogue_records import DialogueMetrics, DialogueRates
from exports.analysis.dialogues.alarms import alarms_before, alarms_on_twins
from exports.analysis.dialogues.flips import flips_of
from exports.analysis.dialogues.latency import detection_latency
from exports.analysis.dialogues.penalty import multi_turn_penalty
from exports.analysis.dialogues.play import Play, plays_of
from exports.analysis.dialogues.pressure import pressure_of
from exports.analysis.dialogues.robust import detected, robust_tar
from exports.analysis.dialogues.timeline import timeline
from exports.analysis.dialogues.updates import update_accuracy, update_after_flag
from exports.analysis.records import LabelChoice
from salitrap.dialogues.states import Control
from salitrap.records import LabelRow, LabelStatus
from salitrap.text import natural_key

Key = TypeVar("Key", bound=str)


def dialogue_metrics(
    rows: Sequence[LabelRow], labels: LabelChoice = LabelChoice.VISIBLE, within: int = 0
) -> DialogueMetrics:
    """Return the metrics of the dialogue rows (turn 1 and later) of one model in one arm.

    ``within`` is the number of turns after t* that a flag may take.
    """
    every = plays_of(rows, labels)
    plays = [play for play in every if play.is_known]
    return DialogueMetrics(
        within=within,
        left_out=len(every) - len(plays),
        overall=rates_of_plays(plays, within),
        patterns=_by(plays, within, lambda play: play.pattern),
        dimensions=_by(plays, within, lambda play: play.dimension),
        languages=_by(plays, within, lambda play: play.language),
    )


def rates_of_plays(plays: Sequence[Play], within: int = 0) -> DialogueRates:
    """Return the metrics of some plays of one model."""
    controls = Counter(play.control for play in plays)
    statuses = Counter(mark.status for play in plays for mark in play.marks)
    answers = statuses[LabelStatus.OK]
    return DialogueRates(
        dialogues=len({play.dialogue_id for play in plays}),
        plays=len(plays),
        plays_by_control={control: controls[control] for control in Control if controls[control]},
        seeds=len({play.seed_id for play in plays}),
        repeats=len({play.key.repeat for play in plays}),
        answers=answers,
        unscored=statuses.total() - answers,
        unscored_by_status={
            status: statuses[status]
            for status in LabelStatus
            if statuses[status] and status is not LabelStatus.OK
        },
        robust_tar=robust_tar(plays, within),
        detected=detected(plays, within),
        timeline=timeline(plays),
        latency=detection_latency(plays),
        flips=flips_of(plays),
        before_t_star=alarms_before(plays),
        twins=alarms_on_twins(plays),
        penalty=multi_turn_penalty(plays, within),
        update_accuracy=update_accuracy(plays),
        update_after_flag=update_after_flag(plays),
        pressure=pressure_of(plays),
    )


def _by(plays: Sequence[Play], within: int, key_of: Callable[[Play], Key | None]) -> dict[Key, DialogueRates]:
    groups: dict[Key, list[Play]] = {}
    for play in plays:
        key = key_of(play)
        if key is not None:
            groups.setdefault(key, []).append(play)
    return {key: rates_of_plays(groups[key], within) for key in sorted(groups, key=natural_key)}
