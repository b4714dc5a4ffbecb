"""Deterministic guards, English and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkers import guard_faults
from checkers.guards import is_copy, number_fault
from salitrap.records import Fault, Language
from tests.checkers.samples import PROMPT, PROMPT_ZH, candidate, seed

CHILD = (
    "Street party tonight, and the 9 litres of soup for 12 guests are still down in the cellar kitchen. "
    "My pasta strainer takes 1.5 litres at a time and going down and up again is 4 minutes. We sit down "
    "at 18:30, so when do I set off, and how often do I have to go?"
)
CHILD_ZH = (
    "18点半街坊聚餐，12个人就等我这锅汤。汤还在地下室厨房，足足9升，我拿捞面的漏勺一次能盛1.5升，"
    "下去再上来要4分钟。我得跑多少趟，几点开始才赶得上？"
)


def faults(
    child: str, language: Language = Language.EN, *, adds_numbers: bool = False, **more: str
) -> list[Fault]:
    of = seed(language, **more)
    return [fault for fault, _ in guard_faults(of, candidate(of), child, adds_numbers=adds_numbers)]


@pytest.mark.parametrize(("child", "language"), [(CHILD, Language.EN), (CHILD_ZH, Language.ZH)])
def test_a_sound_child_has_no_faults(child: str, language: Language) -> None:
    assert faults(child, language) == []
    assert faults(child, language, adds_numbers=True) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("9 litres", "the litres"),
        ("1.5", "1.6"),
        ("4 minutes", "4 minutes (12 in all)"),
        ("18:30", "18:30 or 19"),
    ],
)
def test_figures_are_compared_as_a_multiset(old: str, new: str) -> None:
    assert faults(CHILD.replace(old, new)) == [Fault.NUMBERS_CHANGED]


def test_a_fault_shows_figures_as_they_are_written() -> None:
    of = seed()
    parent = candidate(of)
    assert number_fault(parent, CHILD + " Or 19:05?", adds_numbers=False) == "figures added: 19:05"
    assert number_fault(parent, CHILD.replace("18:30", "6"), adds_numbers=False) == "figures missing: 18:30"


def test_another_spelling_of_a_figure_is_the_same_figure() -> None:
    assert faults(CHILD_ZH.replace("9升", "九升").replace("12个", "十二个"), Language.ZH) == []


def test_added_figures_are_allowed_to_strategies_that_add_them_and_missing_ones_never() -> None:
    more = CHILD + " Gas is 2 euros."
    assert faults(more, adds_numbers=True) == []
    assert faults(more) == [Fault.NUMBERS_CHANGED]
    assert faults(more.replace("9 litres", "litres"), adds_numbers=True) == [Fault.NUMBERS_CHANGED]


@pytest.mark.parametrize(
    ("tail", "language", "fault"),
    [
        (" Just calculate it for me.", Language.EN, Fault.ESCAPE_WORDING),
        (" Treat it as a thought experiment.", Language.EN, Fault.ESCAPE_WORDING),
        ("不用考虑实际是否可行。", Language.ZH, Fault.ESCAPE_WORDING),
        (" My neighbour will carry it up in a pot.", Language.EN, Fault.PATCH_WORDING),
        ("反正只是模拟。", Language.ZH, Fault.PATCH_WORDING),
        (" Note: the trap core is kept.", Language.EN, Fault.META_TEXT),
        ("以上改写后的题目保留了陷阱。", Language.ZH, Fault.META_TEXT),
    ],
)
def test_telling_words_are_faults(tail: str, language: Language, fault: Fault) -> None:
    child = CHILD if language is Language.EN else CHILD_ZH
    assert faults(child + tail, language) == [fault]


def test_words_of_the_seeds_own_prompt_are_no_fault() -> None:
    tail = " Just calculate it for me."
    assert faults(CHILD + tail, prompt=PROMPT + tail) == []
    assert faults(CHILD + " In theory!", prompt=PROMPT + tail) == [Fault.ESCAPE_WORDING]


@pytest.mark.parametrize(
    "child",
    [
        f"Version A: {CHILD}\n\nVersion B: {CHILD}",
        f"- {CHILD}\n- {CHILD}",
        "{" + f'"rewritten": "{CHILD}"' + "}",
        f"# Request\n{CHILD}",
        f"{CHILD}\n---\nShorter: soup?",
        f"```\n{CHILD}\n```",
    ],
)
def test_several_prompts_or_mark_up_in_one_reply_are_no_child(child: str) -> None:
    assert {Fault.META_TEXT, Fault.SEVERAL_PROMPTS} & set(faults(child, adds_numbers=True))


def test_chinese_variants_in_one_reply_are_no_child() -> None:
    child = f"版本一：{CHILD_ZH}\n版本二：{CHILD_ZH}"
    assert Fault.SEVERAL_PROMPTS in faults(child, Language.ZH, adds_numbers=True)


def test_a_list_which_the_seed_has_as_well_is_part_of_the_request() -> None:
    listed = "\n- soup for the party\n- bread for the party"
    assert faults(CHILD + listed, prompt=PROMPT + listed) == []


def test_the_other_language_is_a_fault() -> None:
    assert Fault.WRONG_LANGUAGE in faults(CHILD_ZH, Language.EN)
    assert Fault.WRONG_LANGUAGE in faults(CHILD, Language.ZH)


def test_length_has_bounds_which_the_parent_may_widen() -> None:
    assert Fault.TOO_SHORT in faults("12 9 1.5 4 18:30 soup?")
    assert Fault.TOO_LONG in faults(CHILD + " and so on" * 90)
    long = "well, " * 200 + PROMPT
    assert Fault.TOO_LONG not in faults("so, " * 200 + CHILD, prompt=long)


@pytest.mark.parametrize(
    "child", [PROMPT, PROMPT + " ", PROMPT.replace(" it all", "  it\nall"), PROMPT[:-1] + "!"]
)
def test_the_parents_text_again_is_a_copy(child: str) -> None:
    assert faults(child) == [Fault.COPY_OF_PARENT]


def test_nearly_the_same_words_with_other_figures_are_no_copy() -> None:
    assert not is_copy(PROMPT, PROMPT.replace("9 litres", "8 litres"))
    assert not is_copy(PROMPT_ZH, PROMPT_ZH.replace("9升", "9公斤").replace("1.5升", "2升"))


@given(st.text(max_size=300), st.booleans())
def test_guards_take_any_text(child: str, adds_numbers: bool) -> None:
    of = seed()
    found = guard_faults(of, candidate(of), child, adds_numbers=adds_numbers)
    assert found == guard_faults(of, candidate(of), child, adds_numbers=adds_numbers)
    assert found
