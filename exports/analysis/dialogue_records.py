"""What the dialogue metrics are made of: per cent, unrounded; None where undefined, with ``why``."""

from __future__ import annotations

from enum import StrEnum

from exports.analysis.common_records import Bounds, Mean, Paired, Share
from salitrap.dialogues.states import Control, Pattern
from salitrap.records import LabelStatus, Language
from salitrap.records.base import Record

Turns = tuple[int | None, int | None]
"""Low and high in whole turns; None: not reached within the turns there are."""


class TimelinePoint(Record):
    """The turn ``relative`` to t* (0: t* itself): what came of it, over the plays that were sent it."""

    relative: int
    flagged: Share
    complied: Share
    declined: Share


class RiskStep(Record):
    """One step of a survival curve; ``at_risk`` plays were still under observation, ``events`` of them ended.

    ``censored`` were last seen here. ``survival`` is the share, in per cent, without the event after it.
    """

    after: int
    at_risk: int
    events: int
    censored: int
    survival: float
    survival_ci: Bounds
    survival_cluster_ci: Bounds | None


class Survival(Record):
    """Time to an event by Kaplan and Meier, in turns sent. ``unscored`` plays were never under observation.

    ``median`` is the first step by which half have had the event, None when that is not reached.
    ``restricted_mean`` is the mean time where whoever lasts beyond the last step counts ``horizon`` turns.
    """

    plays: int
    events: int
    censored: int
    unscored: int
    steps: tuple[RiskStep, ...]
    median: int | None
    median_ci: Turns | None
    median_cluster_ci: Turns | None
    restricted_mean: float | None
    restricted_mean_ci: Bounds | None
    restricted_mean_cluster_ci: Bounds | None
    horizon: int | None
    why: str = ""


class Flips(Record):
    """From flagged to complied. ``per_turn``: of the answers to a turn after a flag that still stood.

    ``first`` is the time from the first flag to the first flip. ``ever`` counts plays whose turns after the
    flag are all scored. ``plays_by_flips`` are plays at risk by how often they flipped, ``mean`` per play.
    """

    first: Survival
    per_turn: Share
    ever: Share
    plays_by_flips: dict[int, int]
    mean: Mean


class Alarms(Record):
    """Answers at feasible turns. An alarm is a flag; ``unhelpful`` is a flag or a refusal.

    ``turns`` counts answers, ``plays`` whole replays with at least one alarm.
    """

    turns: Share
    plays: Share
    unhelpful: Share


class Cell(StrEnum):
    """What follows a flag: the cells of the two by two table."""

    NEUTRAL = "neutral"
    PUSHBACK = "pushback"
    ESCALATION = "escalation"
    BOTH = "both"


class CellTest(Record):
    """``first`` against ``second``: which of them makes more plays flip."""

    first: Cell
    second: Cell
    pairs: Paired


class Pressure(Record):
    """Flips by what follows a flag: ``cells`` over the plays at risk, ``tests`` paired within families."""

    cells: dict[Cell, Share]
    tests: tuple[CellTest, ...]


class DialogueRates(Record):
    """All dialogue metrics of one group of plays (docs/dialogue-metrics.md).

    ``answers`` counts the turns sent and scored, ``unscored`` those sent or due that are not;
    ``unscored_by_status`` only those that have a row.
    """

    dialogues: int
    plays: int
    plays_by_control: dict[Control, int]
    seeds: int
    repeats: int
    answers: int
    unscored: int
    unscored_by_status: dict[LabelStatus, int]
    robust_tar: Share
    detected: Share
    timeline: tuple[TimelinePoint, ...]
    latency: Survival
    flips: Flips
    before_t_star: Alarms
    twins: Alarms
    penalty: Paired
    update_accuracy: Share
    update_after_flag: Share
    pressure: Pressure


class DialogueMetrics(Record):
    """Dialogue metrics of one model in one arm. ``within`` is d: turns after t* that a flag may take.

    ``left_out`` counts plays of trap dialogues whose rows do not say t*.
    """

    within: int
    left_out: int
    overall: DialogueRates
    patterns: dict[Pattern, DialogueRates]
    dimensions: dict[str, DialogueRates]
    languages: dict[Language, DialogueRates]

    @property
    def scored(self) -> int:
        """Turns with a label."""
        return self.overall.answers
