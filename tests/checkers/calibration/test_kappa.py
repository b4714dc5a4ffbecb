"""Kappa and its interval against worked examples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkers.calibration import agreement, confusion_of, kappa
from checkers.calibration.bootstrap import cluster_interval
from checkers.calibration.checkers import spearman
from checkers.calibration.confusion import Pair, confusion_by_cluster

YES_NO = ("yes", "no")


def table(*rows: tuple[int, ...]) -> np.ndarray:
    """A table without unlabelled answers."""
    return np.array([[*row, 0] for row in rows])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (((20, 5), (10, 15)), 0.4),
        (((45, 15), (25, 15)), 0.1304),
        (((25, 35), (5, 35)), 0.2593),
        (((44, 5, 1), (7, 20, 3), (9, 5, 6)), 0.4915),
        (((7, 0), (0, 3)), 1.0),
        (((0, 5), (5, 0)), -1.0),
    ],
)
def test_kappa_of_worked_examples(rows: tuple[tuple[int, ...], ...], expected: float) -> None:
    """Three grant and test tables from textbooks, a 3 x 3 one worked by hand, and both ends."""
    assert float(kappa(table(*rows))) == pytest.approx(expected, abs=5e-5)


def test_kappa_is_undefined_when_chance_explains_all() -> None:
    assert math.isnan(float(kappa(table((9, 0), (0, 0)))))


def test_no_label_is_a_class_of_its_own_that_never_agrees() -> None:
    """(p_o, p_e) = (0.6, 0.5 * 0.4 + 0.5 * 0.4): the value of a 3-class table with an empty gold row."""
    pairs: list[Pair] = [("yes", "yes")] * 3 + [("no", "no")] * 3 + [("yes", "no"), ("no", "yes")]
    pairs += [("yes", None), ("no", None)]
    counts = confusion_of(pairs, YES_NO)
    assert counts.tolist() == [[3, 1, 1], [1, 3, 1]]
    assert float(kappa(counts)) == pytest.approx((0.6 - 0.4) / (1 - 0.4))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", None])), min_size=1))
def test_kappa_is_that_of_the_definition(pairs: list[Pair]) -> None:
    value = float(kappa(confusion_of(pairs, "abc")))
    said = [one for _, one in pairs]
    observed = sum(gold == one for gold, one in pairs) / len(pairs)
    chance = (
        sum([gold for gold, _ in pairs].count(name) * said.count(name) for name in "abc") / len(pairs) ** 2
    )
    if chance == 1.0:
        assert math.isnan(value)
    else:
        assert value == pytest.approx((observed - chance) / (1 - chance))


def test_the_bootstrap_interval_is_as_wide_as_the_large_sample_formula_says() -> None:
    """Standard error of kappa for independent answers (Fleiss, Cohen and Everitt 1969)."""
    pairs: list[Pair] = (
        [("yes", "yes")] * 80 + [("yes", "no")] * 20 + [("no", "yes")] * 40 + [("no", "no")] * 60
    )
    found = agreement(pairs, list(range(len(pairs))), YES_NO).kappa
    assert found.value == pytest.approx(0.4)
    assert found.low is not None and found.high is not None
    observed, chance = 0.7, 0.5
    error = math.sqrt(observed * (1 - observed) / len(pairs)) / (1 - chance)
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.12)
    assert (found.low + found.high) / 2 == pytest.approx(0.4, abs=0.02)


def test_answers_to_one_question_are_drawn_together() -> None:
    """Guards against intervals that take four answers to one question for four independent ones."""
    pairs: list[Pair] = [
        ("yes" if question % 2 else "no", ("yes" if question % 2 else "no") if question % 5 else None)
        for question in range(40)
        for _ in range(4)
    ]
    apart = agreement(pairs, list(range(160)), YES_NO).kappa
    together = agreement(pairs, [place // 4 for place in range(160)], YES_NO).kappa
    widths = [one.high - one.low for one in (apart, together) if one.high is not None and one.low is not None]
    assert widths[1] / widths[0] == pytest.approx(2.0, rel=0.2)


def test_the_interval_is_reproducible_and_needs_two_clusters() -> None:
    pairs: list[Pair] = [("yes", "yes"), ("no", "yes"), ("no", "no")]
    by_cluster = confusion_by_cluster(pairs, ["a", "b", "c"], YES_NO)
    assert cluster_interval(by_cluster, kappa) == cluster_interval(by_cluster, kappa)
    assert cluster_interval(by_cluster[:1], kappa) is None
    only = agreement(pairs, ["a"] * 3, YES_NO).kappa
    assert (only.low, only.high) == (None, None)


def test_the_interval_covers_the_planted_kappa() -> None:
    """A judge that errs with probability 0.2 on two equally frequent classes has kappa 0.6."""
    rng, covered = np.random.default_rng(1), 0
    for _ in range(200):
        gold = rng.integers(0, 2, 120)
        said = np.where(rng.random(120) < 0.2, 1 - gold, gold)
        pairs: list[Pair] = [(YES_NO[a], YES_NO[b]) for a, b in zip(gold, said, strict=True)]
        by_cluster = confusion_by_cluster(pairs, [place // 4 for place in range(120)], YES_NO)
        low, high = cluster_interval(by_cluster, kappa, resamples=400) or (1.0, 0.0)
        covered += low <= 0.6 <= high
    assert covered >= 180


def test_rank_correlation_of_worked_examples() -> None:
    """IQ and hours of television (rho = -29/165), a tie, and both ends."""
    iq = [106, 86, 100, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 0, 27, 50, 28, 29, 20, 12, 6, 17]
    assert spearman(iq, hours) == pytest.approx(-29 / 165)
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(4.5 / math.sqrt(4.5 * 5))
    assert spearman([1, 2], [5, 9]) == pytest.approx(1.0)
    assert spearman([1, 1], [5, 9]) is None
