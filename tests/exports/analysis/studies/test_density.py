"""Slopes on the number of numbers: by hand, against an independent search, and on planted loads."""

from __future__ import annotations

import math

import numpy as np
import pytest

from exports.analysis.records import LabelChoice
from exports.analysis.studies.density import density_of
from exports.analysis.studies.slope import Dose, slope_of
from salitrap.records import Label, LabelStatus
from tests.exports.analysis.samples import row
from tests.exports.analysis.studies.simulated import studied


def doses(table: dict[tuple[str, int], tuple[int, int]]) -> list[Dose]:
    """(stratum, numbers): hits and others."""
    return [
        Dose(stratum, f"s{stratum}{numbers}{at}", numbers, at < hits)
        for (stratum, numbers), (hits, others) in table.items()
        for at in range(hits + others)
    ]


def test_two_counts_give_the_odds_ratio_of_their_table() -> None:
    """3 numbers: 30 of 50; 4 numbers: 20 of 60. Woolf's interval."""
    found = slope_of(doses({("", 3): (30, 20), ("", 4): (20, 40)}))
    assert found.odds_ratio == pytest.approx((20 / 40) / (30 / 20))
    error = math.sqrt(1 / 30 + 1 / 20 + 1 / 20 + 1 / 40)
    wanted = [math.exp(math.log(1 / 3) + sign * 1.959964 * error) for sign in (-1, 1)]
    assert found.ci == pytest.approx(wanted, rel=1e-5)
    assert found.cluster_ci is not None
    assert (found.n, found.uninformative, found.why) == (110, 0, "")


def test_seeds_of_one_answer_give_nearly_the_plain_interval_and_copies_a_wider_one() -> None:
    once = doses({("", 3): (30, 20), ("", 5): (20, 30)})
    found = slope_of(once)
    assert found.ci is not None
    assert found.cluster_ci == pytest.approx(found.ci, rel=0.03)
    fourfold = slope_of([dose for dose in once for _ in range(4)])
    assert fourfold.odds_ratio == pytest.approx(found.odds_ratio)
    assert fourfold.cluster_ci == pytest.approx(found.cluster_ci, rel=1e-6)
    assert fourfold.ci is not None
    assert fourfold.ci[1] < found.ci[1]


def test_the_adjusted_slope_is_not_taken_in_by_dimensions() -> None:
    """In each dimension more numbers are harmless; the dimension with many numbers is the harder one."""
    table = {("a", 2): (40, 10), ("a", 3): (40, 10), ("b", 8): (10, 40), ("b", 9): (10, 40)}
    assert slope_of(doses(table)).odds_ratio == pytest.approx(1, abs=1e-9)
    together = slope_of([dose._replace(stratum="") for dose in doses(table)])
    assert together.ci is not None
    assert together.ci[1] < 0.9


def test_the_maximum_is_that_of_an_independent_search() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    given = doses({("a", 2): (4, 3), ("a", 5): (2, 6), ("b", 3): (5, 1), ("b", 7): (3, 4), ("b", 9): (1, 6)})

    def loss(place: np.ndarray) -> float:
        logits = np.array([place["ab".index(dose.stratum)] + place[2] * dose.numbers for dose in given])
        signs = np.array([1 if dose.hit else -1 for dose in given])
        return float(np.logaddexp(0, -signs * logits).sum())

    options = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 5000, "maxfev": 5000}
    wanted = optimize.minimize(loss, np.zeros(3), method="Nelder-Mead", options=options).x[2]
    found = slope_of(given).odds_ratio
    assert found is not None
    assert math.log(found) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({}, "no scored answer"),
        ({("", 3): (5, 0), ("", 4): (5, 0)}, "always the same"),
        ({("", 3): (5, 5)}, "do not differ"),
        ({("a", 3): (5, 5), ("b", 4): (5, 5)}, "do not differ"),
        ({("", 3): (5, 0), ("", 4): (0, 5)}, "odds are infinite"),
        ({("", 3): (5, 5), ("", 4): (0, 5)}, "odds are infinite"),
        ({("a", 3): (5, 5), ("b", 4): (5, 1), ("b", 9): (0, 5)}, "odds are infinite"),
    ],
)
def test_no_finite_slope_has_a_reason(table: dict[tuple[str, int], tuple[int, int]], said: str) -> None:
    found = slope_of(doses(table))
    assert (found.odds_ratio, found.ci, found.cluster_ci) == (None, None, None)
    assert said in found.why


def test_a_dimension_without_a_change_in_outcome_says_nothing() -> None:
    told = {("a", 3): (5, 3), ("a", 4): (3, 5)}
    found = slope_of(doses({**told, ("b", 3): (9, 0), ("b", 9): (4, 0)}))
    assert (found.n, found.uninformative) == (16, 13)
    assert found.odds_ratio == pytest.approx(slope_of(doses(told)).odds_ratio)


def test_few_seeds_give_no_clustered_interval_and_a_reason() -> None:
    found = slope_of([dose._replace(seed="one") for dose in doses({("", 3): (5, 3), ("", 4): (3, 5)})])
    assert found.cluster_ci is None
    assert "1 seeds" in found.why


def test_the_order_of_the_answers_does_not_matter() -> None:
    given = doses({("a", 2): (4, 3), ("a", 5): (2, 6), ("b", 3): (5, 1), ("b", 7): (3, 4)})
    assert slope_of(given) == slope_of(given[::-1])


def test_planted_loads_are_within_the_intervals_of_their_models() -> None:
    """With items equally hard, the load of each number is the logarithm of the odds ratio."""
    hits = total = 0
    for seed in range(20):
        planted = studied(seed, models=3, items=300, spread=0.0, load=0.15, per_seed=1)
        for model in range(3):
            rows = [one for one in planted.rows if one.model == f"model-{model:02}"]
            found = density_of(rows, LabelChoice.VISIBLE).adjusted_tar
            assert found.cluster_ci is not None
            hits += found.cluster_ci[0] <= math.exp(-0.15) <= found.cluster_ci[1]
            total += 1
    assert 0.86 <= hits / total <= 1


def test_rates_by_count_with_what_is_unscored_and_left_out() -> None:
    rows = [
        row(item_id="a", number_count=3),
        row(item_id="b", number_count=3, label=Label.COT_HIJACKED, dimension_tag="D2"),
        row(item_id="c", number_count=10, status=LabelStatus.TIMEOUT, label=None),
        row(item_id="d"),
    ]
    found = density_of(rows, LabelChoice.VISIBLE)
    assert found.left_out == 1
    assert [(one.numbers, one.tar.hits, one.cot.hits, one.tar.n) for one in found.overall.points] == [
        (3, 1, 1, 2),
        (10, 0, 0, 0),
    ]
    assert found.overall.points[1].tar.unscored == 1
    assert found.overall.points[1].tar.why
    assert list(found.dimensions) == ["D1", "D2"]
    assert density_of(rows[3:], LabelChoice.VISIBLE).why == "no row has number_count"


def test_one_absurd_count_does_not_keep_the_search_from_its_end() -> None:
    """Numbers less their mean made the intercept as large as the count."""
    table = {("", 3): (4, 2), ("", 4): (3, 4), ("", 7): (2, 3), ("", 1_000_000): (0, 2)}
    found = slope_of(doses(table))
    assert found.odds_ratio is not None
    assert 0 < found.odds_ratio < 1


def test_seeds_with_equal_outcomes_give_no_interval_of_no_width() -> None:
    """Each of them would move the slope by nothing."""
    given = [
        Dose("", f"s{seed}", numbers, hit)
        for seed in range(6)
        for numbers, hit in ((3, True), (3, False), (4, True), (4, False))
    ]
    found = slope_of(given)
    assert found.odds_ratio == pytest.approx(1)
    assert found.cluster_ci is None
    assert "same outcomes" in found.why
