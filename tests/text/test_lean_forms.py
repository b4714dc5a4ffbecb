"""The shortcuts of phi against the same rules applied to every position of a text."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from salitrap.records import Language
from salitrap.text import (
    NUMERAL_MASK,
    chinese_numerals,
    clock_times,
    mask_numerals,
    normalise,
    numerals,
    phi,
    script_of,
)
from salitrap.text.chinese_rules import chinese_pattern, chinese_start
from salitrap.text.scanning import matches_from
from salitrap.text.script import _CJK, CJK_SHARE, Script, _share
from seeds import BUILTIN, load_domains

ASCII = st.text(alphabet=" .,:;%0123456789aAxXRMBUSD\t-/", max_size=30)
MIXED = st.text(
    alphabet="0159０５９，．：:,.点點时時分刻半第零〇○一二三十百千万萬两兩壹贰拾佰廿个"
    "米年小之％½⅓aA\u0301\u200b\u200d🚗👩 \u3000周起明治",
    max_size=30,
)


def plain_phi(text: str) -> str:
    before = None
    while before != text:
        before = text
        text = "".join(plain_mask(plain_visible(text)).split())
    return text


def plain_visible(text: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", normalise._INVISIBLE.sub("", composed))


def plain_fold(text: str) -> str:
    plain = chinese_numerals._FORMAL_NUMERAL.sub(
        lambda match: match.group().translate(chinese_numerals._FORMAL), text
    )
    return plain.translate(chinese_numerals._VARIANTS)


def plain_mask(text: str) -> str:
    """Every pattern tried at every position."""
    folded = plain_fold(text)
    clocks = [
        m.span() for m in clock_times._pattern().finditer(folded) if not clock_times._means_very(folded, m)
    ]
    for start, end in clocks:
        text = text[:start] + "\x00" * (end - start) + text[end:]
    digits = numerals._DIGIT_NUMERAL.finditer(text)
    spans = clocks + [m.span() for m in digits if not numerals._belongs_to_name(text, m.start())]
    chinese = chinese_pattern(articles=False).finditer(plain_fold(text))
    spans += [match.span() for match in chinese if match.lastgroup]
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + NUMERAL_MASK + text[end:]
    return text


@settings(max_examples=400, deadline=None)
@given(ASCII | MIXED | st.text(max_size=40))
@example("3 . 5 at 8 : 3 0, 1, 2 3 4 and 5  %")
@example("5 x4 A 4 RMB 200")
@example("九 点 半，第 三 步，壹拾点伍分")
def test_phi_is_what_the_rules_give_without_shortcuts(text: str) -> None:
    assert phi(text) == plain_phi(text)


def test_phi_of_the_shipped_seeds_is_what_the_rules_give() -> None:
    for domain in load_domains([BUILTIN]):
        for language in Language:
            for seed in domain.seeds_in(language):
                for text in (seed.prompt, seed.trap_core, seed.ground_truth, seed.scenario):
                    assert phi(text) == plain_phi(text)


@given(MIXED)
def test_masking_without_numerals_changes_nothing(text: str) -> None:
    assert mask_numerals(text, "#") == mask_numerals(text, "\x01").replace("\x01", "#")


@given(st.text(alphabet="a洗車あ한・々〇1 🚗", max_size=20))
def test_the_script_is_decided_by_the_share_of_letters(text: str) -> None:
    wanted = Script.CJK if _share(_CJK, text) >= CJK_SHARE else Script.ALPHABETIC
    assert script_of(text) is wanted


def test_a_start_is_where_a_word_or_numeral_can_begin() -> None:
    text = "周三把统一的三明治放好，过一会儿再走"
    starts = [match.start() for match in chinese_start().finditer(text)]
    assert text.index("周三") in starts and text.index("统一") in starts and text.index("放") not in starts
    found = matches_from(re.compile("[ab]"), re.compile("ab|b"), "xxabbxa")
    assert [match.span() for match in found] == [(2, 4), (4, 5)]
