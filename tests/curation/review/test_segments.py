"""Texts in pieces: nothing is lost or added, and what is marked is what was meant."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.review.segments import (
    ADDED,
    CORE,
    HIDDEN,
    NUMBER,
    QUOTE,
    REMOVED,
    core_spans,
    difference,
    marked,
    number_spans,
    quote_spans,
)

TEXTS = st.text(alphabet=st.sampled_from("ab 陶锅,.1<&\n\u202e\u200d👩"), max_size=40)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from([CORE, NUMBER]))))
def test_pieces_join_to_the_text(text: str, raw: list[tuple[int, int, str]]) -> None:
    spans = [(min(a, b, len(text)), min(max(a, b), len(text)), kind) for a, b, kind in raw]
    pieces = marked(text, spans)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)


@given(TEXTS, TEXTS)
def test_a_difference_holds_both_texts(before: str, after: str) -> None:
    pieces = difference(before, after)
    assert "".join(one.text for one in pieces if ADDED not in one.kinds) == before
    assert "".join(one.text for one in pieces if REMOVED not in one.kinds) == after


def kinds_of(text: str, kind: str, pieces: object) -> list[str]:
    return [one.text for one in pieces if kind in one.kinds]  # type: ignore[attr-defined]


def test_english_is_compared_by_words_and_chinese_by_characters() -> None:
    pieces = difference("I walk to the wash.", "I drive to the wash.")
    assert (kinds_of("", REMOVED, pieces), kinds_of("", ADDED, pieces)) == (["walk"], ["drive"])
    pieces = difference("我准备走路去洗车", "我打算走路去洗车")
    assert (kinds_of("", REMOVED, pieces), kinds_of("", ADDED, pieces)) == (["准备"], ["打算"])


def test_very_long_texts_are_compared_in_no_time() -> None:
    before, after = "".join(chr(0x4E00 + n % 500) for n in range(8000)), "鍋" * 8000
    began = time.perf_counter()
    pieces = difference(before, after)
    assert time.perf_counter() - began < 2.0
    assert "".join(one.text for one in pieces if ADDED not in one.kinds) == before


def test_words_of_the_trap_core_are_marked_in_any_form() -> None:
    text = "My wheels are at the repair shops; the bicycle hangs in the garage."
    spans = core_spans(text, "A bicycle whose wheel is at the repair shop cannot be ridden.")
    assert [text[a:b] for a, b, _ in spans] == ["wheels", "repair", "shops", "bicycle"]


def test_chinese_runs_of_the_trap_core_are_marked() -> None:
    text = "我妈寄来口陶土砂锅，我想架在电磁炉上炖汤。"
    spans = core_spans(text, "电磁炉只能加热导磁的锅，纯陶土砂锅不会发热。")
    assert [text[a:b] for a, b, _ in spans] == ["陶土砂锅", "电磁炉"]


def test_numbers_quotes_and_core_may_overlap() -> None:
    text = "Carry 12 litres of milk."
    spans = [*number_spans(text, ["12"]), *quote_spans(text, ["12 litres of milk", "not there"])]
    pieces = marked(text, [*spans, *core_spans(text, "milk")])
    assert [(one.text, one.kinds) for one in pieces] == [
        ("Carry ", ()),
        ("12", (NUMBER, QUOTE)),
        (" litres of ", (QUOTE,)),
        ("milk", (CORE, QUOTE)),
        (".", ()),
    ]


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\x00", "\x1b", "\ufeff", "\u200b"])
def test_signs_that_nobody_sees_are_named(sign: str) -> None:
    (before, hidden, after) = marked(f"a{sign}b")
    assert (before.text, after.text) == ("a", "b")
    assert HIDDEN in hidden.kinds and hidden.shown == f"U+{ord(sign):04X}" and hidden.name


def test_emoji_and_joined_scripts_stay_whole() -> None:
    for text in ("👨‍👩‍👧‍👦 ❤️", "می‌خواهم", "क्‍ष"):
        assert [one.text for one in marked(text)] == [text]
