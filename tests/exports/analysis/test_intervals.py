"""The interval for answers that come in clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.analysis.intervals import cluster_percent, t_quantile, wilson_percent

CLUSTERS = st.lists(
    st.integers(1, 8).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size))), max_size=30
)


@pytest.mark.parametrize(("freedom", "known"), [(4, 2.776), (9, 2.262), (29, 2.045), (199, 1.972)])
def test_t_quantiles_of_the_tables(freedom: int, known: float) -> None:
    assert t_quantile(freedom) == pytest.approx(known, rel=2e-3)


def test_less_than_two_clusters_say_nothing() -> None:
    assert cluster_percent([]) is None
    assert cluster_percent([(3, 5)]) is None


def test_answers_of_a_seed_that_all_agree_weigh_as_one() -> None:
    agreeing = cluster_percent([(5, 5)] * 10 + [(0, 5)] * 10)
    single = cluster_percent([(1, 1)] * 10 + [(0, 1)] * 10)
    assert agreeing == pytest.approx(single)


def test_answers_that_do_not_hang_together_weigh_fully() -> None:
    spread = cluster_percent([(5, 10)] * 100)
    plain = wilson_percent(500, 1000)
    assert spread is not None
    assert plain is not None
    assert spread[1] - spread[0] == pytest.approx(plain[1] - plain[0], rel=0.02)


@pytest.mark.parametrize("hits", [0, 4])
def test_unanimous_answers_do_not_give_an_interval_without_width(hits: int) -> None:
    found = cluster_percent([(hits, 4)] * 6)
    assert found is not None
    assert found[1] - found[0] > 30


@given(CLUSTERS)
def test_it_contains_the_rate_and_stays_in_range(clusters: list[tuple[int, int]]) -> None:
    found = cluster_percent(clusters)
    if found is not None:
        share = 100 * sum(hits for hits, _ in clusters) / sum(size for _, size in clusters)
        assert 0 <= found[0] <= share + 1e-9
        assert share - 1e-9 <= found[1] <= 100


@given(CLUSTERS, st.randoms())
def test_the_order_of_the_clusters_does_not_matter(clusters: list[tuple[int, int]], random: object) -> None:
    shuffled = list(clusters)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert cluster_percent(shuffled) == cluster_percent(clusters)


def test_it_covers_where_the_plain_interval_does_not() -> None:
    """60 seeds, 10 answers each, seeds of very different difficulty around a true rate of 50 %."""
    draws, clustered, plain = np.random.default_rng(7), 0, 0
    for _ in range(400):
        hits = draws.binomial(10, draws.beta(0.5, 0.5, size=60))
        inner = cluster_percent((int(hit), 10) for hit in hits)
        outer = wilson_percent(int(hits.sum()), 600)
        assert inner is not None
        assert outer is not None
        clustered += inner[0] <= 50 <= inner[1]
        plain += outer[0] <= 50 <= outer[1]
    assert 0.92 <= clustered / 400 <= 0.98
    assert plain / 400 < 0.75
