"""Paired comparisons of models and arms, and the solver families."""

from __future__ import annotations

import pytest

from exports.analysis.records import LabelChoice
from exports.analysis.studies import ItemFacts, studies_of
from exports.analysis.studies.families import is_own, sensitivity_of
from exports.analysis.study_records import Comparisons
from salitrap.records import Label, LabelRow, LabelStatus
from tests.exports.analysis.samples import labelled

PASS, FAIL, LOST = Label.PASS, Label.HARD_FAIL, LabelStatus.TIMEOUT
CONTROL = [PASS] * 5 + [FAIL] * 14 + [LOST]
PRIMED = [PASS] * 4 + [FAIL] + [PASS] * 8 + [FAIL] * 6 + [PASS]


def rows_of(**arms: list[Label | LabelStatus]) -> list[LabelRow]:
    return [one for arm, found in arms.items() for one in labelled(*found, arm=arm)]


def arms(rows: list[LabelRow]) -> Comparisons:
    return studies_of(rows).arms


def test_an_arm_against_control_by_hand() -> None:
    """4 pass both, 1 regressed, 8 rescued, 6 fail both, 1 pair unscored."""
    (found,) = arms(rows_of(control=list(CONTROL), p1=list(PRIMED))).rows
    assert (found.model, found.first, found.second) == ("model-a", "control", "p1")
    assert (found.pairs.n, found.pairs.unscored, found.pairs.unpaired) == (19, 1, 0)
    shares = (found.p11, found.p10, found.p01, found.p00)
    assert shares == pytest.approx((400 / 19, 100 / 19, 800 / 19, 600 / 19))
    assert (found.rescued, found.regressed) == (found.p01, found.p10)
    assert found.gain == pytest.approx(700 / 19)
    assert found.pairs.p == pytest.approx(2 * (1 + 9) / 2**9)
    assert found.gain_ci is not None
    assert found.gain_ci[0] < 700 / 19 < found.gain_ci[1]
    assert found.pairs.bounds == pytest.approx((-40, -30))


def test_holm_counts_all_arms_of_all_models() -> None:
    rows = rows_of(control=list(CONTROL), p1=list(PRIMED), p2=list(CONTROL))
    found = {row.second: row.pairs for row in arms(rows).rows}
    assert found["p1"].p is not None
    assert found["p1"].p_holm == pytest.approx(2 * found["p1"].p)
    assert found["p2"].p_holm == 1


def test_models_are_compared_within_an_arm() -> None:
    rows = [*labelled(PASS, FAIL, FAIL, model="a"), *labelled(PASS, PASS, model="b")]
    (found,) = studies_of(rows).by_arm["control"].comparisons.rows
    assert (found.first, found.second, found.gain) == ("a", "b", 50)
    assert (found.pairs.n, found.pairs.unpaired) == (2, 1)


def test_a_repeat_is_paired_with_the_same_repeat_only() -> None:
    first = [*labelled(PASS, model="a"), *labelled(FAIL, model="a", repeat=1)]
    second = [*labelled(FAIL, model="b", repeat=1), *labelled(PASS, model="b")]
    (found,) = studies_of([*first, *second]).by_arm["control"].comparisons.rows
    assert (found.p11, found.p00) == (50, 50)


def test_nothing_to_compare_has_a_reason() -> None:
    alone = studies_of(labelled(PASS, FAIL))
    assert (alone.arms.rows, alone.arms.why) == ((), "there is no arm but control")
    assert "1 models" in alone.by_arm["control"].comparisons.why
    other = studies_of([*labelled(PASS, model="a"), *labelled(PASS, model="b", arm="p1")])
    assert "no model has answers in the control arm and in another" in other.arms.why


def test_pairs_of_one_seed_have_no_clustered_interval_and_a_reason() -> None:
    rows = [one.model_copy(update={"seed_id": "s"}) for one in rows_of(control=[PASS], p1=[FAIL])]
    (found,) = arms(rows).rows
    assert found.gain_cluster_ci is None
    assert found.why


@pytest.mark.parametrize(
    ("model", "family", "own"),
    [
        ("openai/gpt-4o-mini", "gpt-4o", True),
        ("openai/GPT-4o@https://proxy.example/v1", "openai/gpt-4o", True),
        ("openai/gpt-4.1", "gpt-4", True),
        ("openai/gpt-4o", "gpt-4", False),
        ("anthropic/claude", "gpt-4o", False),
        ("gpt", "gpt-4o", False),
        ("gpt", "", False),
    ],
)
def test_whose_family_it_is(model: str, family: str, own: bool) -> None:
    assert is_own(model, family) is own


def test_trap_avoidance_with_and_without_the_own_family() -> None:
    rows = labelled(FAIL, FAIL, PASS, PASS, LOST, PASS)
    facts = {
        "i0": ItemFacts(4.0, "model"),
        "i1": ItemFacts(4.0, "model"),
        "i2": ItemFacts(4.0, "other"),
        "i3": ItemFacts(4.0, "model"),
        "i4": ItemFacts(4.0, "other"),
    }
    found = sensitivity_of("model-a", rows, LabelChoice.VISIBLE, facts)
    assert found.missing == 1
    assert (found.everything.hits, found.everything.n, found.everything.unscored) == (2, 4, 1)
    assert (found.without_own.rate, found.without_own.n) == (100, 1)
    assert [(one.family, one.own, one.inside.hits, one.outside.hits) for one in found.families] == [
        ("model", True, 1, 1),
        ("other", False, 1, 1),
    ]
    assert found.why == ""
    stranger = sensitivity_of("another", rows, LabelChoice.VISIBLE, facts)
    assert stranger.without_own == stranger.everything
    assert "none of the families is the model's own" in stranger.why
    assert "of none of these items" in sensitivity_of("model-a", rows, LabelChoice.VISIBLE, {}).why
