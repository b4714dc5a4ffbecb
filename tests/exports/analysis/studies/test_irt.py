"""The scale of abilities and difficulties: by hand, against independent sums, and on planted studies."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from exports.analysis.scale_records import Scale
from exports.analysis.studies.irt import Responses, scale_of
from exports.analysis.studies.irt.marginal import posterior_of
from exports.analysis.studies.newton import climb
from salitrap.records import LabelStatus
from tests.exports.analysis.samples import labelled
from tests.exports.analysis.studies.simulated import counted, studied

STUDIES = 40


def table(passes: list[list[float]], answers: list[list[float]] | None = None) -> Responses:
    given = np.array(passes, dtype=float)
    items, models = given.shape
    return Responses(
        models=tuple(f"m{at}" for at in range(models)),
        items=tuple(f"i{at:03}" for at in range(items)),
        seeds=tuple(f"s{at:03}" for at in range(items)),
        passes=given,
        answers=np.ones_like(given) if answers is None else np.array(answers, dtype=float),
        unscored=(0,) * models,
    )


def small(seed: int = 5, models: int = 3, items: int = 25, repeats: int = 1) -> Responses:
    return counted(studied(seed, models, items, repeats=repeats).rows)


def log_posterior(place: np.ndarray, responses: Responses) -> float:
    """Written anew, by Gauss and Hermite on 201 nodes, one item after the other."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(201)
    total = -sum(ability**2 for ability in place[:-1]) / 18 - place[-1] ** 2 / 2
    for passes, answers in zip(responses.passes, responses.answers, strict=True):
        given = np.ones_like(nodes)
        for ability, hits, count in zip(place[:-1], passes, answers, strict=True):
            chance = 1 / (1 + np.exp(math.exp(place[-1]) * nodes - ability))
            given *= chance**hits * (1 - chance) ** (count - hits)
        total += math.log((weights * given).sum() / weights.sum())
    return float(total)


@pytest.mark.parametrize("repeats", [1, 3])
def test_gradient_and_information_are_the_derivatives_of_the_posterior(repeats: int) -> None:
    """Central differences of a sum of its own, away from the maximum."""
    responses = small(repeats=repeats)
    place = np.array([-1.1, 0.3, 0.4, -0.2])
    height = posterior_of(responses).height_at(place)
    constant = height.value - log_posterior(place, responses)
    other = np.array([0.2, 0.1, -0.5, 0.3])
    there = posterior_of(responses).height_at(other)
    assert there.value - log_posterior(other, responses) == pytest.approx(constant, abs=1e-6)
    step = 1e-4
    for at in range(4):
        moved = step * np.eye(4)[at]
        up, down = log_posterior(place + moved, responses), log_posterior(place - moved, responses)
        assert height.gradient[at] == pytest.approx((up - down) / (2 * step), abs=1e-5)
        gradients = [posterior_of(responses).height_at(place + sign * moved).gradient for sign in (1, -1)]
        numeric = -(gradients[0] - gradients[1]) / (2 * step)
        assert height.information[at] == pytest.approx(numeric, abs=1e-5)


@pytest.mark.long
def test_the_maximum_is_that_of_an_independent_search() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    responses = small()
    found = optimize.minimize(
        lambda place: -log_posterior(place, responses),
        np.zeros(4),
        method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-11, "maxiter": 4000, "maxfev": 4000},
    )
    scale = scale_of(responses)
    assert [one.ability for one in scale.abilities] == pytest.approx(list(found.x[:3]), abs=1e-4)
    assert scale.spread == pytest.approx(math.exp(found.x[3]), abs=1e-4)


def test_difficulties_solve_their_equation_and_have_the_error_of_its_slope() -> None:
    responses = small()
    scale = scale_of(responses)
    assert scale.spread is not None
    for at, item in enumerate(scale.difficulties):
        chances = [1 / (1 + math.exp(item.difficulty - one.ability)) for one in scale.abilities]
        surplus = sum(chances) - responses.passes[at].sum()
        assert surplus == pytest.approx(item.difficulty / scale.spread**2, abs=1e-8)
        precision = sum(chance * (1 - chance) for chance in chances) + scale.spread**-2
        assert item.se == pytest.approx(precision**-0.5)


def test_models_with_equal_answers_are_equally_able_and_a_mirrored_table_turns_the_sign() -> None:
    passes = [[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]] * 4
    scale = scale_of(table(passes))
    first, second, third = (one.ability for one in scale.abilities)
    assert first == pytest.approx(second, abs=1e-7)
    turned = scale_of(table([[1 - one for one in line] for line in passes]))
    assert [one.ability for one in turned.abilities] == pytest.approx([-first, -second, -third], abs=1e-6)
    assert turned.spread == pytest.approx(scale.spread)


def test_equal_answers_to_an_item_say_more_when_there_are_more_of_them() -> None:
    once, often = scale_of(small()), scale_of(small(repeats=8))
    assert max(one.se for one in often.difficulties) < min(one.se for one in once.difficulties)


def in_band(hits: int, total: int) -> bool:
    """The binomial 99.9 % band around 95 %."""
    return abs(hits - 0.95 * total) <= 3.29 * math.sqrt(total * 0.95 * 0.05) + 1


def test_planted_abilities_and_difficulties_are_within_their_intervals() -> None:
    """Abilities of one study share the error of the origin, hence one model a study."""
    plain = clustered = items = spreads = count = 0
    for seed in range(STUDIES):
        planted = studied(seed, items=200)
        scale = scale_of(counted(planted.rows))
        one, truth = scale.abilities[seed % 12], planted.abilities[seed % 12]
        assert one.cluster_ci is not None
        plain += one.ci[0] <= truth <= one.ci[1]
        clustered += one.cluster_ci[0] <= truth <= one.cluster_ci[1]
        assert scale.spread_ci is not None
        spreads += scale.spread_ci[0] <= 1.1 <= scale.spread_ci[1]
        pairs = zip(scale.difficulties, planted.difficulties, strict=True)
        items += sum(item.ci[0] <= true <= item.ci[1] for item, true in pairs)
        count += 200
    assert in_band(plain, STUDIES)
    assert in_band(clustered, STUDIES)
    assert in_band(spreads, STUDIES)
    assert 0.93 <= items / count <= 0.965


@pytest.mark.long
def test_coverage_over_two_thousand_studies_is_as_promised() -> None:
    hits = 0
    for seed in range(2000):
        planted = studied(1000 + seed, models=8, items=150)
        one = scale_of(counted(planted.rows)).abilities[seed % 8]
        hits += one.ci[0] <= planted.abilities[seed % 8] <= one.ci[1]
    assert 0.932 <= hits / 2000 <= 0.966


@pytest.fixture(scope="module")
def fitting() -> Scale:
    return scale_of(counted(studied(3).rows))


def test_answers_of_the_model_fit_it(fitting: Scale) -> None:
    """Mean squares with the fitted difficulties in them came out near 0.8."""
    assert fitting.infit == pytest.approx(1, abs=0.03)
    assert fitting.outfit == pytest.approx(1, abs=0.06)
    assert all(0.8 < one.infit < 1.2 for one in fitting.abilities)
    assert all(pair.p_holm is not None and pair.p_holm > 0.01 for pair in fitting.residuals)


def test_a_guessing_model_and_a_twin_are_found_out() -> None:
    planted = counted(studied(4).rows)
    passes = planted.passes.copy()
    passes[:, 11] = np.random.default_rng(9).random(300) < 0.5
    passes[:, 3] = passes[:, 2]
    scale = scale_of(replace(planted, passes=passes))
    assert max(scale.abilities, key=lambda one: one.infit).model == "model-11"
    assert scale.abilities[11].infit > 1.2
    worst = max(scale.residuals, key=lambda pair: abs(pair.z or 0))
    assert (worst.first, worst.second) == ("model-02", "model-03")
    assert worst.p_holm is not None
    assert worst.p_holm < 0.001


@pytest.mark.parametrize(
    ("responses", "said"),
    [
        (table([[1], [0]] * 10), "1 models"),
        (table([[1, 0], [0, 1]]), "2 items"),
        (table([[0, 0]] * 10), "no answer is a Pass"),
        (table([[1, 1]] * 10), "every answer is a Pass"),
    ],
)
def test_too_little_gives_no_scale_and_says_why(responses: Responses, said: str) -> None:
    scale = scale_of(responses)
    assert said in scale.why
    assert (scale.abilities, scale.difficulties, scale.spread, scale.residuals) == ((), (), None, ())


def test_a_model_that_fails_everything_has_a_finite_ability() -> None:
    """The most likely one without a prior is minus infinity."""
    scale = scale_of(table([[0, 1], [0, 0]] * 10))
    assert -9 < scale.abilities[0].ability < -2
    assert scale.abilities[0].se > 1


def test_unscored_rows_are_counted_and_in_no_table() -> None:
    rows = labelled(*[LabelStatus.TIMEOUT] * 3)
    responses = counted([*rows, *studied(1, 2, 12).rows])
    assert len(responses.items) == 12
    assert responses.models == ("model-00", "model-01")


def test_few_seeds_give_no_clustered_interval_and_a_reason() -> None:
    scale = scale_of(replace(small(), seeds=("s1", "s2", "s3", "s4", "s5") * 5))
    assert all(one.cluster_ci is None and "too few seeds" in one.why for one in scale.abilities)


def test_the_search_ends_where_it_starts_when_that_is_the_top() -> None:
    posterior = posterior_of(small())
    summit = climb(posterior.height_at, posterior.start)
    assert summit is not None
    again = climb(posterior.height_at, summit.place)
    assert again is not None
    assert again.place == pytest.approx(summit.place, abs=1e-8)


def test_items_that_all_pass_or_all_fail_give_finite_figures() -> None:
    """With a spread this large a chance of a pass was rounded to 1, and its variance to 0."""
    answers = [[30.0, 30.0, 30.0]] * 24
    scale = scale_of(table([[30.0, 29.0, 30.0], [0.0, 0.0, 1.0]] * 12, answers))
    assert scale.spread is not None
    assert scale.spread > 2
    figures = [value for one in scale.difficulties for value in (one.difficulty, one.infit, one.outfit)]
    assert all(math.isfinite(value) for value in figures)
