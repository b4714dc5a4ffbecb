"""Kaplan and Meier against published tables, scipy and hand counts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from exports.analysis.dialogues.survival import NOT_HALF, Spell, survival_of

MERCAPTOPURINE = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+"
PLACEBO = "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23"
"""Weeks of remission of Freireich's leukaemia trial (1963), + censored."""


def spells(times: str) -> list[Spell]:
    return [
        Spell(f"c{number}", int(time.rstrip("+")), not time.endswith("+"))
        for number, time in enumerate(times.split())
    ]


def test_the_published_curve_of_the_leukaemia_trial() -> None:
    """Survival and Greenwood's standard errors as printed in text books (0 to 35 weeks)."""
    found = survival_of(spells(MERCAPTOPURINE), 0, 0, "")
    steps = {step.after: step for step in found.steps}
    known = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}
    errors = {6: 0.0764, 7: 0.0869, 10: 0.0963, 13: 0.1068, 16: 0.1141, 22: 0.1282, 23: 0.1346}
    assert {after: round(steps[after].survival / 100, 3) for after in known} == known
    for after, error in errors.items():
        low, high = (bound / 100 for bound in steps[after].survival_ci)
        share = known[after]
        log_error = error / (share * abs(math.log(share)))
        assert low == pytest.approx(share ** math.exp(1.96 * log_error), abs=2e-3)
        assert high == pytest.approx(share ** math.exp(-1.96 * log_error), abs=2e-3)
    assert [steps[after].at_risk for after in known] == [21, 17, 15, 12, 11, 7, 6]
    assert (found.plays, found.events, found.censored) == (21, 9, 12)
    assert (found.median, found.median_ci) == (23, (13, None))


def test_without_censoring_it_is_the_share_still_there() -> None:
    found = survival_of(spells(PLACEBO), 0, 0, "")
    times = [int(time) for time in PLACEBO.split()]
    for step in found.steps:
        assert step.survival == pytest.approx(100 * sum(time > step.after for time in times) / 21)
    assert (found.median, found.horizon) == (8, 24)
    assert found.restricted_mean == pytest.approx(sum(times) / 21)
    half = 1.959964 * math.sqrt(np.var(times) / 21)
    assert found.restricted_mean_ci == pytest.approx((sum(times) / 21 - half, sum(times) / 21 + half))


@pytest.mark.filterwarnings("ignore:The confidence interval is undefined")
@pytest.mark.parametrize("times", [MERCAPTOPURINE, PLACEBO, "0 0 1 2+ 2 3+ 5"])
def test_scipy_finds_the_same(times: str) -> None:
    stats = pytest.importorskip("scipy.stats")
    given = spells(times)
    data = stats.CensoredData(
        uncensored=[spell.last for spell in given if spell.event],
        right=[spell.last for spell in given if not spell.event],
    )
    theirs = stats.ecdf(data).sf
    span = theirs.confidence_interval(method="log-log")
    ours = survival_of(given, 0, 0, "").steps
    for step in ours:
        share = float(theirs.evaluate(step.after))
        assert step.survival / 100 == pytest.approx(share)
        if 0 < share < 1:
            expected = (float(span.low.evaluate(step.after)), float(span.high.evaluate(step.after)))
            assert (step.survival_ci[0] / 100, step.survival_ci[1] / 100) == pytest.approx(expected)


def test_clusters_of_one_play_have_greenwoods_variance() -> None:
    """Their interval is wider by the t quantile and the factor for few clusters alone."""
    found = survival_of(spells(" ".join([MERCAPTOPURINE] * 40)), 0, 0, "")
    for step in found.steps:
        if step.survival < 100:
            assert step.survival_cluster_ci == pytest.approx(step.survival_ci, abs=0.05)
    assert found.restricted_mean_cluster_ci == pytest.approx(found.restricted_mean_ci, abs=0.01)


def test_plays_that_repeat_each_other_tell_as_much_as_one() -> None:
    once = spells(MERCAPTOPURINE)
    single, fourfold = survival_of(once, 0, 0, ""), survival_of(once * 4, 0, 0, "")
    assert fourfold.restricted_mean_cluster_ci == pytest.approx(single.restricted_mean_cluster_ci)
    assert fourfold.median_cluster_ci == single.median_cluster_ci
    for one, four in zip(single.steps, fourfold.steps, strict=True):
        assert four.survival_cluster_ci == pytest.approx(one.survival_cluster_ci)


def test_the_mean_from_the_contributions_is_greenwoods() -> None:
    """Both formulas of the variance of the restricted mean, the factor of clusters apart."""
    given = spells(MERCAPTOPURINE)
    found = survival_of(given, 0, 0, "")
    assert found.restricted_mean_ci is not None
    assert found.restricted_mean_cluster_ci is not None
    assert found.restricted_mean is not None
    plain = found.restricted_mean - found.restricted_mean_ci[0]
    robust = found.restricted_mean - found.restricted_mean_cluster_ci[0]
    assert robust / plain == pytest.approx(2.086 / 1.95996 * math.sqrt(21 / 20), rel=1e-3)


def test_few_clusters_widen_the_curve_by_their_factor_and_the_t_quantile() -> None:
    """At 7 weeks: survival .807, Greenwood's standard error .0869; 21 clusters of one play."""
    step = {step.after: step for step in survival_of(spells(MERCAPTOPURINE), 0, 0, "").steps}[7]
    reach = 2.086 * math.sqrt(21 / 20) * 0.0869 / (0.807 * abs(math.log(0.807)))
    expected = (100 * 0.807 ** math.exp(reach), 100 * 0.807 ** math.exp(-reach))
    assert step.survival_cluster_ci == pytest.approx(expected, abs=0.15)


def test_one_half_is_one_half_whatever_the_rounding() -> None:
    """23/24 * 22/23 * .. * 12/13 comes out a little above one half: the median was then a step later."""
    assert survival_of(spells("0 1 2 3+ 3+ 3+"), 0, 0, "").median == 2
    for plays in range(2, 60, 2):
        half = " ".join([*map(str, range(plays // 2)), *[f"{plays}+"] * (plays // 2)])
        assert survival_of(spells(half), 0, 0, "").median == plays // 2 - 1


def test_five_plays_by_hand() -> None:
    """At 0: 1 of 5; at 1: 1 of 4, one left; at 2: 1 of 2."""
    found = survival_of(spells("0 1 1+ 2 2+"), 0, 3, "")
    assert [(step.at_risk, step.events, step.censored) for step in found.steps] == [
        (5, 1, 0),
        (4, 1, 1),
        (2, 1, 1),
    ]
    assert [step.survival for step in found.steps] == pytest.approx([80.0, 60.0, 30.0])
    assert (found.median, found.horizon, found.unscored) == (2, 3, 3)
    assert found.restricted_mean == pytest.approx(0.8 + 0.6 + 0.3)


def test_a_wait_that_begins_at_one_counts_the_first_turn_whole() -> None:
    found = survival_of(spells("1 2 2+ 2+"), 1, 0, "")
    assert [step.after for step in found.steps] == [1, 2]
    assert found.restricted_mean == pytest.approx(1 + 0.75 + 0.5)
    assert found.median == 2


def test_ends_of_the_scale_have_intervals_with_a_width() -> None:
    none, all_of_them = survival_of(spells("0+ 0+ 0+"), 0, 0, ""), survival_of(spells("0 0 0"), 0, 0, "")
    (kept,), (gone,) = none.steps, all_of_them.steps
    assert kept.survival_ci == pytest.approx((43.85, 100.0), abs=0.01)
    assert gone.survival_ci == pytest.approx((0.0, 56.15), abs=0.01)
    assert (none.median, none.why) == (None, NOT_HALF)
    assert (all_of_them.median, all_of_them.median_ci) == (0, (0, None))


def test_nothing_seen_has_a_reason() -> None:
    assert survival_of([], 0, 0, "no trap dialogues").why == "no trap dialogues"
    assert survival_of([], 0, 4, "x").why == "all 4 are unscored"
    assert survival_of([], 0, 4, "x").restricted_mean is None
