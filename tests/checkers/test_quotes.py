"""A quote is evidence only when its words are in the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkers.quotes import find_quote

TEXT = "Well — a **strainer** can’t\nhold soup, so it’s no use. ３００ walks?"
CHINESE = "先说一句，漏勺盛不住汤（孔太多），所以 跑 几趟都没用。"


@pytest.mark.parametrize(
    ("text", "quote", "span"),
    [
        (TEXT, "a strainer can't hold soup", "a **strainer** can’t\nhold soup"),
        (TEXT, '"A Strainer can\'t hold soup."', "a **strainer** can’t\nhold soup"),
        (TEXT, "so it's no use. 300 walks", "so it’s no use. ３００ walks"),
        (CHINESE, "漏勺盛不住汤", "漏勺盛不住汤"),
        (CHINESE, "“漏勺盛不住汤(孔太多),所以跑几趟都没用”", "漏勺盛不住汤（孔太多），所以 跑 几趟都没用"),
    ],
)
def test_form_may_differ_and_the_span_is_the_text_as_it_stands(text: str, quote: str, span: str) -> None:
    assert find_quote(text, quote) == span
    assert span in text


@pytest.mark.parametrize(
    "quote",
    ["a sieve can't hold soup", "strainer hold soup", "a strainer ... no use", "Pass", "", "  ", "“”"],
)
def test_other_words_left_out_words_and_words_too_few_are_not_found(quote: str) -> None:
    assert find_quote(TEXT, quote) is None


def test_a_word_or_two_prove_nothing() -> None:
    assert find_quote(TEXT, "so it's") is None
    assert find_quote(CHINESE, "漏勺") is None


@given(st.text(), st.text(max_size=40), st.text())
def test_whatever_is_found_occurs_verbatim(before: str, quote: str, after: str) -> None:
    text = before + quote + after
    span = find_quote(text, quote)
    assert span is None or span in text


@given(st.text(alphabet="abc dé文字“”—\n", max_size=30))
def test_a_long_enough_verbatim_quote_is_always_found(middle: str) -> None:
    quote = f"the strainer leaks {middle} at once"
    assert find_quote(f"Look: {quote}, sir.", quote) == quote
