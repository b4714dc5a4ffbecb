"""phi and the normal form of names."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from salitrap.text import find_numerals, normalise_name, phi, strip_invisible

TRICKY = st.text(
    alphabet="0159,.:½٣０ AaIİß个米万百一二两三十点分刻第半零 \t\u3000\u200b\u200d\ufeffe\u0301🚗👩‍👧+#。ก한",
    max_size=40,
)


@given(st.text(max_size=60) | TRICKY)
def test_phi_is_idempotent(text: str) -> None:
    assert phi(phi(text)) == phi(text)


@given(st.text(max_size=60) | TRICKY)
def test_phi_leaves_no_white_space_and_is_nfc(text: str) -> None:
    form = phi(text)
    assert form == "".join(form.split()) == unicodedata.normalize("NFC", form)


@given(st.lists(st.sampled_from([*"abcXYZ+#!?。，🚗🚕👍🏽éßกข한あ漢洗车"]), max_size=30))
def test_phi_keeps_every_text_without_numerals_and_white_space(chars: list[str]) -> None:
    text = unicodedata.normalize("NFC", "".join(chars))
    assert phi(text) == text


@given(TRICKY, TRICKY)
def test_phi_equates_only_what_differs_in_numerals_space_and_invisible_marks(a: str, b: str) -> None:
    if phi(a) == phi(b):
        assert skeleton(a) == skeleton(b)


def skeleton(text: str) -> str:
    """What is left without anything that can be part of a numeral."""
    numeral = set("0123456789,.:½٣０万百一二两三十点分刻第半零")
    return "".join(char for char in phi(text) if char not in numeral)


@given(TRICKY)
def test_phi_drops_nothing_but_numerals_space_and_invisible_marks(text: str) -> None:
    visible = strip_invisible(text)
    inside = {index for item in find_numerals(visible) for index in range(item.start, item.end)}
    outside = [char for index, char in enumerate(visible) if index not in inside and not char.isspace()]
    wanted = [char for char in outside if char not in "0123456789,.:½٣０万百一二两三十点分刻第半零\u200d"]
    kept = unicodedata.normalize("NFD", phi(text))
    bases = (base for char in wanted for base in unicodedata.normalize("NFD", char))
    assert all(base in kept for base in bases if not unicodedata.combining(base))


def test_numerals_meet_in_one_placeholder() -> None:
    assert phi("洗车店离我家五十米") == phi("洗车店离我家 50 米") == phi("洗车店离我家５０米")


def test_units_words_case_symbols_and_scripts_stay_apart() -> None:
    apart = [
        "50 m",
        "50 km",
        "50 M",
        "50 м",
        "🚗",
        "🚕",
        "👨‍👩‍👧",
        "👨👩👧",
        "+",
        "#",
        "一起",
        "三明治",
        "",
        "ก",
        "한",
    ]
    assert len({phi(text) for text in apart}) == len(apart)


def test_invisible_marks_hide_nothing() -> None:
    assert phi("wa\u200blk\u202e 5\u200b0 m\ufeff") == phi("walk 50 m") == phi("wa\u200dlk 50 m")


def test_text_without_invisible_marks_is_composed() -> None:
    """A mark between a letter and its accent once left the two apart."""
    assert strip_invisible("A\ufeff\u0301") == "\u00c1"


def test_numerals_that_removal_brings_together_are_masked() -> None:
    assert phi("第 三 步") == phi("第三步") == phi("第3步")


def test_clock_times_meet_in_one_placeholder() -> None:
    assert phi("早上8:30出发") == phi("早上八点半出发") == phi("早上 8 点 30 分出发") == "早上0出发"


def test_names_compare_without_case_width_punctuation_and_spacing() -> None:
    assert normalise_name("Carrying  Broth, in a Colander!") == normalise_name("carrying broth in a colander")
    assert (
        normalise_name("洗车 店、五十米")
        == normalise_name("洗车店五十米")
        == normalise_name("洗车店，五十米。")
    )
    assert normalise_name("ＡＢＣ") == "abc"


def test_names_of_symbols_stay_apart() -> None:
    names = ["🚗", "🚕", "+", "!", "?", "…", " ", "\u200b"]
    assert all(normalise_name(name) for name in names)
    assert normalise_name("🚗") != normalise_name("🚕")
    assert normalise_name("!") != normalise_name("?")


@given(st.text(min_size=1, max_size=40) | TRICKY.filter(bool))
def test_a_name_is_never_emptied(text: str) -> None:
    assert normalise_name(text)
