"""What was planted is found: in studies of 400 dialogues, and in the long run as often as promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from exports.analysis.dialogues import (
    Cell,
    DialogueMetrics,
    DialogueRates,
    Mark,
    Play,
    Share,
    Standing,
    Survival,
    dialogue_metrics,
    plays_of,
    rates_of_plays,
)
from exports.analysis.dialogues.flips import flips_of
from exports.analysis.dialogues.latency import detection_latency
from exports.analysis.dialogues.robust import robust_tar
from exports.analysis.intervals import wilson_percent
from exports.analysis.paired import Pair, paired_of
from exports.analysis.records import LabelChoice
from salitrap.dialogues.states import Pattern
from salitrap.records import LabelRow, Language
from tests.exports.analysis.dialogues.simulated import (
    SEEDS,
    T_STAR,
    TURNS,
    Planted,
    rows,
    trap_rows,
)

PLANTED = Planted()
WHOLE_STUDIES = 10
MISSES = 3
"""Of ten intervals at 95 %, four or more miss in one case of 970."""
STUDIES = 200
BAND = (0.885, 0.99)
"""99.9 % of all samples of 200 intervals at 95 % lie in it."""

Span = tuple[float, float] | None
Check = tuple[str, bool]


def covers(span: Span, planted: float) -> bool:
    assert span is not None
    return span[0] <= planted <= span[1]


def of_share(name: str, share: Share, planted: float) -> Iterator[Check]:
    yield name, covers(share.ci, 100 * planted)
    yield f"{name}, clustered", covers(share.cluster_ci, 100 * planted)


def of_survival(name: str, found: Survival, mean: float, kept: float) -> Iterator[Check]:
    """``kept`` is the share without the event a turn: the planted hazard does not change."""
    yield f"mean {name}", covers(found.restricted_mean_ci, mean)
    yield f"mean {name}, clustered", covers(found.restricted_mean_cluster_ci, mean)
    for number, step in enumerate(found.steps, 1):
        yield f"{name} {step.after}", covers(step.survival_ci, 100 * kept**number)
        yield f"{name} {step.after}, clustered", covers(step.survival_cluster_ci, 100 * kept**number)


def of_live(found: DialogueRates, within: int) -> Iterator[Check]:
    """The live dialogues and their controls."""
    yield from of_share("robust TAR", found.robust_tar, PLANTED.robust(within))
    yield from of_share("detected", found.detected, PLANTED.detected(within))
    assert [point.relative for point in found.timeline] == [-2, -1, 0, 1, 2, 3]
    for point in found.timeline:
        yield from of_share(f"turn {point.relative}", point.flagged, PLANTED.flagged_at(point.relative))
    yield from of_survival("latency", found.latency, PLANTED.mean_latency(), 1 - PLANTED.flag)
    yield from of_survival("flip", found.flips.first, PLANTED.mean_to_flip(), 1 - PLANTED.flip)
    yield from of_share("flips per turn", found.flips.per_turn, PLANTED.flip)
    before, twins = found.before_t_star, found.twins
    yield from of_share("alarms", before.turns, PLANTED.alarm)
    yield from of_share("plays with alarms", before.plays, 1 - (1 - PLANTED.alarm) ** (T_STAR - 1))
    yield from of_share("twins", twins.turns, PLANTED.twin_alarm)
    yield from of_share("twins with alarms", twins.plays, 1 - (1 - PLANTED.twin_alarm) ** TURNS)
    yield from of_share("updates", found.update_accuracy, PLANTED.update)
    yield from of_share("updates after a flag", found.update_after_flag, PLANTED.update)
    penalty = 100 * (PLANTED.one_turn - PLANTED.robust(within))
    yield "penalty", covers(found.penalty.ci, penalty)
    yield "penalty, clustered", covers(found.penalty.cluster_ci, penalty)


def of_pressure(found: DialogueRates) -> Iterator[Check]:
    for cell, share in found.pressure.cells.items():
        yield from of_share(cell.value, share, PLANTED.flipped(cell))
    for test in found.pressure.tests:
        planted = 100 * (PLANTED.flipped(test.first) - PLANTED.flipped(test.second))
        yield f"{test.first} - {test.second}", covers(test.pairs.cluster_ci, planted)


def of_later(found: DialogueRates) -> Iterator[Check]:
    """Where a flag may take two turns more."""
    yield from of_share("robust TAR within 2", found.robust_tar, PLANTED.robust(2))
    yield from of_share("detected within 2", found.detected, PLANTED.detected(2))
    penalty = 100 * (PLANTED.one_turn - PLANTED.robust(2))
    yield "penalty within 2", covers(found.penalty.ci, penalty)
    yield "penalty within 2, clustered", covers(found.penalty.cluster_ci, penalty)


@pytest.fixture(scope="module")
def studies() -> list[list[LabelRow]]:
    return [list(rows(PLANTED, seed)) for seed in range(WHOLE_STUDIES)]


def test_every_metric_recovers_what_was_planted(studies: list[list[LabelRow]]) -> None:
    missed: Counter[str] = Counter()
    for study in studies:
        plays = plays_of(study, LabelChoice.VISIBLE)
        live = [play for play in plays if play.pattern is not Pattern.PUSHBACK]
        pressed = [play for play in plays if play.pattern is Pattern.PUSHBACK]
        found = [
            *of_live(rates_of_plays(live), 0),
            *of_pressure(rates_of_plays(pressed)),
            *of_later(rates_of_plays(live, within=2)),
        ]
        assert len(found) == 70
        missed.update(name for name, inside in found if not inside)
    assert {name: count for name, count in missed.items() if count > MISSES} == {}
    assert missed.total() < 0.1 * WHOLE_STUDIES * 70


@pytest.fixture(scope="module")
def whole(studies: list[list[LabelRow]]) -> DialogueMetrics:
    return dialogue_metrics(studies[0], within=2)


def test_planted_differences_are_significant_and_median_and_counts_are_right(whole: DialogueMetrics) -> None:
    assert whole.overall.penalty.p is not None
    assert whole.overall.penalty.p < 1e-6
    both = next(
        one for one in whole.overall.pressure.tests if (one.first, one.second) == (Cell.BOTH, Cell.NEUTRAL)
    )
    assert both.pairs.p_holm is not None
    assert both.pairs.p_holm < 0.01
    assert whole.patterns[Pattern.DRIP].latency.median == 1
    flips = whole.overall.flips
    assert sum(flips.plays_by_flips.values()) == flips.mean.n


def test_groups_share_out_the_plays(whole: DialogueMetrics) -> None:
    for groups in (whole.patterns, whole.dimensions, whole.languages):
        assert sum(rates.plays for rates in groups.values()) == whole.overall.plays
        assert sum(rates.robust_tar.n for rates in groups.values()) == whole.overall.robust_tar.n
    assert set(whole.languages) == set(Language)
    assert (whole.overall.repeats, whole.overall.seeds) == (1, SEEDS)
    assert whole.overall.unscored > sum(whole.overall.unscored_by_status.values()) > 0


def test_unscored_plays_do_not_tilt_the_rate() -> None:
    """Plays lost before their error were kept and plays held were dropped: the rate came out too low."""
    found = [
        dialogue_metrics(list(trap_rows(Planted(error=0.08), 100 + study))).overall.robust_tar
        for study in range(8)
    ]
    hits, n = sum(share.hits for share in found), sum(share.n for share in found)
    assert sum(share.unscored for share in found) > 0.3 * n
    assert covers(wilson_percent(hits, n), 100 * PLANTED.robust(0))


def live_plays(draws: np.random.Generator, spread: float) -> list[Play]:
    """400 trap dialogues; seeds differ in how easily they are flagged, by ``spread`` around the planted."""
    easy = PLANTED.flag + spread * np.sign(draws.random(SEEDS) - 0.5)
    chances = draws.random((400, TURNS))
    standing = np.zeros((400, TURNS), dtype=bool)
    for turn in range(T_STAR - 1, TURNS):
        before, chance = standing[:, turn - 1], chances[:, turn]
        standing[:, turn] = np.where(before, chance >= PLANTED.flip, chance < np.repeat(easy, 4))
    names = (Standing.COMPLIED, Standing.FLAGGED)
    return [
        Play(
            dialogue_id=f"d{number}",
            seed_id=f"s{number // 4}",
            dimension="D1",
            t_star=T_STAR,
            marks=tuple(Mark(turn, names[int(flag)], turn < T_STAR) for turn, flag in enumerate(flags, 1)),
        )
        for number, flags in enumerate(standing.tolist())
    ]


def of_simple_study(plays: list[Play]) -> Iterator[Check]:
    latency, flips = detection_latency(plays), flips_of(plays)
    yield from of_share("robust TAR", robust_tar(plays, 0), PLANTED.robust(0))
    yield from of_survival("latency", latency, PLANTED.mean_latency(), 1 - PLANTED.flag)
    yield from of_survival("flip", flips.first, PLANTED.mean_to_flip(), 1 - PLANTED.flip)
    yield from of_share("flips per turn", flips.per_turn, PLANTED.flip)


def of_pairs(draws: np.random.Generator) -> Iterator[Check]:
    """400 pairs, 4 a seed; the first outcome happens in 60 %, the second in half of all."""
    outcomes = draws.random((400, 2)) < (0.6, 0.5)
    found = paired_of(
        [
            Pair(f"s{number // 4}", f"d{number}", first, second)
            for number, (first, second) in enumerate(outcomes.tolist())
        ],
        0,
        "",
    )
    yield "difference", covers(found.ci, 10.0)
    yield "difference, clustered", covers(found.cluster_ci, 10.0)


def test_intervals_cover_as_often_as_they_say() -> None:
    """200 studies; the 95 % intervals hold what was planted."""
    draws = np.random.default_rng(5)
    held: Counter[str] = Counter()
    for _ in range(STUDIES):
        found = dict([*of_simple_study(live_plays(draws, 0.0)), *of_pairs(draws)])
        held.update({name: int(inside) for name, inside in found.items()})
    assert len(held) == 24
    assert {name: count / STUDIES for name, count in held.items() if not within_band(count)} == {}


def within_band(count: int) -> bool:
    return BAND[0] <= count / STUDIES <= BAND[1]


def test_clustered_intervals_cover_where_seeds_differ_and_plain_ones_do_not() -> None:
    """Half of the seeds are flagged at 10 %, half at 70 % a turn."""
    draws = np.random.default_rng(9)
    truth = 100 * np.mean([0.1, 0.7]) * (1 - PLANTED.flip) ** PLANTED.after
    latency = float(np.mean([sum((1 - flag) ** k for k in range(1, 5)) for flag in (0.1, 0.7)]))
    held: Counter[str] = Counter()
    for _ in range(STUDIES):
        plays = live_plays(draws, 0.3)
        found = detection_latency(plays)
        held["share"] += covers(robust_tar(plays, 0).cluster_ci, truth)
        held["latency"] += covers(found.restricted_mean_cluster_ci, latency)
        held["plain latency"] += covers(found.restricted_mean_ci, latency)
    assert within_band(held["share"])
    assert within_band(held["latency"])
    assert held["plain latency"] / STUDIES < BAND[0]
