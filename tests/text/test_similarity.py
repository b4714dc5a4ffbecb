"""Features and Jaccard similarity; the rewordings that no single threshold separates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.settings import SimilaritySettings
from salitrap.text import features, jaccard, mask_numerals, phi

SETTINGS = SimilaritySettings()
SETS = st.frozensets(st.sampled_from("abcdefgh"))
REWORDED = (
    "洗车店离我家只有五十米，我想去洗车，你说我该走路去还是开车去？",
    "洗车店离我家只有50米，我准备去洗车。你说我应该走路去还是开车去？",
)
UNIT_CHANGED_ZH = (
    "洗车店离我家只有50米，我想去洗车，该走路还是开车？",
    "洗车店离我家只有50公里，我想去洗车，该走路还是开车？",
)
UNIT_CHANGED_EN = ("The car wash is 50 m away. Walk or drive?", "The car wash is 50 km away. Walk or drive?")


def similarity(a: str, b: str, n: int) -> float:
    return jaccard(features(phi(a), n), features(phi(b), n))


@given(SETS, SETS)
def test_jaccard_is_symmetric_and_bounded(a: frozenset[str], b: frozenset[str]) -> None:
    assert 0.0 <= jaccard(a, b) == jaccard(b, a) <= 1.0


@given(SETS.filter(bool))
def test_jaccard_of_a_set_with_itself_is_one(a: frozenset[str]) -> None:
    assert jaccard(a, a) == 1.0


def test_two_empty_sets_share_nothing() -> None:
    assert jaccard(frozenset(), frozenset()) == 0.0


@given(st.text(max_size=8), st.text(max_size=8))
def test_texts_shorter_than_the_gram_do_not_collapse(a: str, b: str) -> None:
    assert (features(a, 9) == features(b, 9)) == (a == b)


def test_features_of_a_longer_text_are_its_grams() -> None:
    assert features("abcd", 3) == {"abc", "bcd"}
    with pytest.raises(ValueError, match="n >= 1"):
        features("abcd", 0)


def test_a_reworded_chinese_prompt_reaches_review() -> None:
    forward = similarity(*REWORDED, SETTINGS.cjk_ngram)
    assert forward >= SETTINGS.review_from
    assert forward == similarity(*reversed(REWORDED), SETTINGS.cjk_ngram)


@pytest.mark.parametrize(("pair", "n"), [(UNIT_CHANGED_ZH, SETTINGS.cjk_ngram), (UNIT_CHANGED_EN, 3)])
def test_a_changed_unit_is_similar_but_never_equal(pair: tuple[str, str], n: int) -> None:
    assert SETTINGS.review_from <= similarity(*pair, n) < 1.0
    assert phi(pair[0]) != phi(pair[1])


def test_a_changed_number_alone_is_equal_after_phi_and_seen_before_it() -> None:
    a, b = "The car wash is 50 m away.", "The car wash is 5000 m away."
    assert phi(a) == phi(b) and a != b
    assert mask_numerals(a, "#") == mask_numerals(b, "#")


def test_unrelated_english_prompts_are_far_apart() -> None:
    a = "My sister wants to hang 12 lanterns over a 3.5 m terrace before 8:30 tonight; how far apart?"
    b = "The ferry to the island costs 40 per car and I carry 200 kg of tiles, is one trip enough?"
    assert similarity(a, b, SETTINGS.alphabetic_ngram) < 0.2
