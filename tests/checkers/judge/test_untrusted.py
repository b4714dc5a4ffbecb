"""What becomes of a solver's text on its way to the judge, and of quotes on their way back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkers import Judge
from checkers.judge import LONGEST, exhibit
from checkers.judge.untrusted import DIVIDER
from salitrap.records import LabelStatus
from tests.checkers.samples import candidate, seed
from tests.fakes import ScriptedAccess, answered

ORDINARY = [
    "Six walks, start at 18:06.",
    "## Plan\n\n| walk | time |\n|---|:---:|\n| 1 | 18:06 |\n\n**Total:** 6",
    "See [#3] and [the list](#walks); a < b, b > c, x |> f, 5 <= 6, `a[i][j]`, <b>bold</b>.",
    "- Tool: strainer\n- Time: 4 min\nSystem requirements: none -- really, a--b",
    "【注意】漏勺有孔（直径3毫米），「盛不住汤」。《菜谱》说：先算趟数——再算时间……",
    "⚠️ Careful! 👨‍🍳 café, naïve, 10 °C, ½ litre, x² → y",
    "a\tb\r\nc",
]
PIECES = st.sampled_from(
    ["[", "]", "[[", "]]", "［", "】", "<", ">", "＜", "|", "｜", "##", "＃", " ", "\n", "-", "---", "—", "/",
     ":", "：", "\u200b", "\u202e", "\ufe0f", "answer", "label", "System", "系统", "INST", "walks", "漏勺",
     "\r", "\u2028", "s", "⟦", "«"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_answer_is_shown_byte_for_byte(text: str) -> None:
    """Guards replies in journals: a changed request is a call that is paid again."""
    assert exhibit(text).shown == text
    assert exhibit(text, text).shown == text + DIVIDER + text


@given(TEXTS)
def test_what_is_shown_holds_no_mark_any_more(text: str) -> None:
    """One mark inside another came out whole when they were looked for once."""
    shown = exhibit(text).shown
    assert exhibit(shown).shown == shown


def test_marks_in_marks_are_all_taken_apart() -> None:
    text = "<answer " * 40 + "<|x|>" + ">" * 40
    shown = exhibit(text).shown
    assert "<" not in shown
    assert exhibit(shown).shown == shown


@given(TEXTS)
def test_every_sign_that_is_shown_knows_its_place(text: str) -> None:
    made = exhibit(text)
    places = range(len(text)) if made.places is None else made.places
    assert len(places) == len(made.shown)
    assert list(places) == sorted(set(places))
    for sign, place in zip(made.shown, places, strict=True):
        assert sign == text[place] or sign in "()·"


@given(TEXTS, TEXTS, st.integers(0, 60), st.integers(1, 40))
def test_a_quote_from_the_original_or_from_what_was_shown_is_a_span_of_the_original(
    text: str, reasoning: str, start: int, length: int
) -> None:
    made = exhibit(f"{text} eight letters and 漏勺漏勺", f"{reasoning} thinking aloud")
    for source in (made.original, made.shown):
        quote = source[start : start + length]
        found = made.find(quote)
        assert found is None or found in made.original
        if sum(sign.isascii() and sign.isalpha() for sign in quote) >= 8:
            assert found is not None, quote


def test_the_place_of_a_quote_is_a_share_of_the_original() -> None:
    text = "\u200b\u200b[[ ## label ## ]] the soup runs out"
    made = exhibit(text)
    assert made.shown.startswith("(( ## label")
    span = made.find("label ## )) the soup")
    assert span == "label ## ]] the soup"
    assert made.position(span) == text.index("label") / len(text)
    assert made.position("") is None


def test_the_reasoning_and_the_answer_are_mapped_each_to_its_own() -> None:
    made = exhibit("the [INST] walks are six", "first </answer> thoughts of mine")
    assert made.shown == "first (/answer) thoughts of mine\n---\nthe (INST) walks are six"
    assert made.find("(/answer) thoughts of mine") == "</answer> thoughts of mine"
    assert made.find("the (INST) walks are") == "the [INST] walks are"


async def test_a_huge_answer_is_refused_with_the_reason_and_never_cut() -> None:
    """200 kB: a label for a part of it could be wrong, and a cut that nobody sees would be worse."""
    access, of = ScriptedAccess(lambda *_: {}), seed()
    judged = await Judge().judge(access, of, candidate(of), answered("walk " * 40_000))
    assert (judged.status, judged.label, access.calls) == (LabelStatus.JUDGE_ERROR, None, [])
    assert judged.reason == (
        "the text has 200,000 characters and a judge is shown 120,000 at most: not cut, not judged"
    )


async def test_huge_reasoning_costs_the_full_label_and_no_more() -> None:
    reply = {
        "notices": "never", "quote": "", "completes_task": True, "refuses": False, "explains": False,
        "patches": False, "reason": "six walks",
    }  # fmt: skip
    access, of = ScriptedAccess(lambda *_: reply), seed()
    judged = await Judge().judge(access, of, candidate(of), answered("Six walks.", reasoning="hm " * LONGEST))
    assert (judged.status, judged.label_full) == (LabelStatus.OK, None)
    assert "[with reasoning: judge_error: the text has 360,0" in judged.reason


@pytest.mark.parametrize("piece", ["[[", "< ", "<answer ", "[[ #", "- ", "|x", "<|", "\n   ", "[ ", "#]"])
def test_no_text_takes_long(piece: str) -> None:
    """A pattern that backtracks let one answer hold up a run."""
    text = (piece * LONGEST)[:LONGEST]
    before = time.perf_counter()
    exhibit(text)
    assert time.perf_counter() - before < 8
