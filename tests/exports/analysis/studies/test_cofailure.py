"""Co-failure by hand, the excess on planted studies, and the dendrogram."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.analysis.records import LabelChoice
from exports.analysis.studies.answers import answers_of
from exports.analysis.studies.cofailure import average_linkage, cofailure_of
from exports.analysis.study_records import CoFailure, Overlap
from salitrap.records import Label, LabelRow, LabelStatus
from tests.exports.analysis.samples import labelled

FAIL, PASS, REFUSAL = Label.HARD_FAIL, Label.PASS, Label.REFUSAL


def cofailure(rows: list[LabelRow]) -> CoFailure:
    return cofailure_of(answers_of(rows), LabelChoice.VISIBLE)


def pair(first: list[Label | LabelStatus], second: list[Label | LabelStatus]) -> Overlap:
    return cofailure([*labelled(*first, model="a"), *labelled(*second, model="b")]).pairs[0]


def test_a_table_by_hand() -> None:
    """Six fail both, two only the first, one only the second, three neither; a refusal is no failure."""
    first: list[Label | LabelStatus] = [*[FAIL] * 8, PASS, PASS, REFUSAL, PASS, PASS]
    second: list[Label | LabelStatus] = [
        *[Label.SYCOPHANTIC_COMPLIANCE] * 6,
        PASS,
        PASS,
        Label.COT_HIJACKED,
        *[PASS] * 3,
        LabelStatus.TIMEOUT,
    ]
    found = pair(first, second)
    assert (found.n, found.unscored, found.unpaired) == (12, 1, 0)
    assert (found.first_fails, found.second_fails, found.both_fail) == (8, 7, 6)
    assert found.rate == pytest.approx(50)
    assert found.expected_rate == pytest.approx(100 * 56 / 144)
    assert found.excess == pytest.approx(100 * 16 / 144)
    assert found.jaccard == pytest.approx(100 * 6 / 9)
    assert found.expected_jaccard == pytest.approx(100 * (56 / 144) / (8 / 12 + 7 / 12 - 56 / 144))
    assert found.why == ""


def test_two_independent_models_that_fail_often_have_a_high_jaccard_and_no_excess() -> None:
    """90 of 100 each, 81 of them both: Jaccard 0.82, which is chance alone."""
    first = [FAIL] * 90 + [PASS] * 10
    second = [FAIL] * 81 + [PASS] * 9 + [FAIL] * 9 + [PASS]
    found = pair(list(first), list(second))
    assert found.jaccard == pytest.approx(100 * 81 / 99)
    assert found.excess == pytest.approx(0, abs=1e-9)
    assert found.excess_jaccard == pytest.approx(0, abs=1e-9)
    assert found.excess_ci is not None
    assert found.excess_ci[0] < 0 < found.excess_ci[1]


def test_intervals_of_the_excess_cover_what_is_planted() -> None:
    hits = jaccards = 0
    one, other, both = 0.7, 0.6, 0.5
    expected = one * other / (one + other - one * other)
    for seed in range(100):
        drawn = np.random.default_rng(seed).random(150)
        first = [FAIL if one_draw < one else PASS for one_draw in drawn]
        second = [FAIL if x < both or one <= x < one + other - both else PASS for x in drawn]
        found = pair(list(first), list(second))
        assert found.excess_cluster_ci is not None
        assert found.excess_jaccard_ci is not None
        hits += found.excess_cluster_ci[0] <= 100 * (both - one * other) <= found.excess_cluster_ci[1]
        truth = 100 * (both / (one + other - both) - expected)
        jaccards += found.excess_jaccard_ci[0] <= truth <= found.excess_jaccard_ci[1]
    assert 87 <= hits <= 100
    assert 87 <= jaccards <= 100


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([FAIL] * 3, [FAIL, PASS, PASS], "3 answers"),
        ([FAIL] * 12, [FAIL] * 6 + [PASS] * 6, "always the same"),
        ([PASS] * 12, [PASS] * 12, "no Jaccard"),
        ([LabelStatus.TIMEOUT], [FAIL], "no answer that both have scored"),
    ],
)
def test_what_is_missing_has_a_reason(
    first: list[Label | LabelStatus], second: list[Label | LabelStatus], said: str
) -> None:
    found = pair(first, second)
    assert said in found.why
    assert found.excess_cluster_ci is None


def test_one_model_has_no_pairs_and_says_so() -> None:
    found = cofailure(labelled(FAIL, PASS))
    assert (found.pairs, found.order, found.merges) == ((), (), ())
    assert "1 models" in found.why


def test_no_dendrogram_without_a_distance() -> None:
    found = cofailure([row for name in "abc" for row in labelled(PASS, PASS, model=name)])
    assert len(found.pairs) == 3
    assert found.why.startswith("no dendrogram: a and b")


def test_average_linkage_by_hand() -> None:
    distances = {("a", "b"): 0.2, ("a", "c"): 0.6, ("b", "c"): 0.8, ("a", "d"): 0.9}
    distances |= {("b", "d"): 0.9, ("c", "d"): 0.5}
    merges = average_linkage("dcba", distances)
    assert [(merge.left, merge.right) for merge in merges] == [
        (("a",), ("b",)),
        (("c",), ("d",)),
        (("a", "b"), ("c", "d")),
    ]
    assert [merge.distance for merge in merges] == pytest.approx([0.2, 0.5, 0.8])


@given(st.lists(st.floats(0.01, 1), min_size=15, max_size=15, unique=True))
def test_average_linkage_joins_at_the_distances_of_scipy(values: list[float]) -> None:
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    names = "abcdef"
    pairs = [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]
    merges = average_linkage(names, dict(zip(pairs, values, strict=True)))
    wanted = hierarchy.linkage(values, "average")[:, 2]
    assert [merge.distance for merge in merges] == pytest.approx(list(wanted))


def test_models_that_fail_alike_stand_together() -> None:
    rng = np.random.default_rng(2)
    rows: list[LabelRow] = []
    for kind in "xy":
        common = rng.random(80) < 0.5
        for twin in "12":
            fails = np.where(rng.random(80) < 0.9, common, ~common)
            rows += labelled(*[FAIL if one else PASS for one in fails], model=f"{kind}{twin}")
    found = cofailure(rows)
    assert [{*merge.left, *merge.right} for merge in found.merges[:2]] in (
        [{"x1", "x2"}, {"y1", "y2"}],
        [{"y1", "y2"}, {"x1", "x2"}],
    )
    assert sorted(found.order) == ["x1", "x2", "y1", "y2"]
    assert all(math.isfinite(merge.distance) for merge in found.merges)
