"""Script and language of a text."""

from __future__ import annotations

import pytest

from salitrap.records import Language
from salitrap.text import Script, han_share, in_language, script_of


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("walk or drive?", Script.ALPHABETIC),
        ("我想用 USB-C 线给车充电", Script.CJK),
        ("洗車場まで50メートル", Script.CJK),
        ("세차장까지 50미터", Script.CJK),
        ("Мойка в 50 метрах", Script.ALPHABETIC),
        ("I ordered 麻婆豆腐 for 12 people at the office", Script.ALPHABETIC),
        ("", Script.ALPHABETIC),
        ("50 + 3 🚗", Script.ALPHABETIC),
    ],
)
def test_script_follows_the_letters(text: str, script: Script) -> None:
    assert script_of(text) is script


def test_han_share_counts_letters_alone() -> None:
    assert han_share("50 米!!") == 1.0
    assert han_share("ab 洗车") == 0.5
    assert han_share("123 🚗") == 0.0


def test_language_allows_foreign_names_and_refuses_the_other_language() -> None:
    assert in_language("我想用 USB 线给手机充电，三小时够吗", Language.ZH)
    assert in_language("I ordered 麻婆豆腐 for twelve people at the office", Language.EN)
    assert not in_language("I want to wash my car", Language.ZH)
    assert not in_language("我想去洗车", Language.EN)
    assert not in_language("Мойка рядом", Language.EN)


def test_a_text_without_letters_fits_no_language() -> None:
    assert not any(in_language("50 %", language) for language in Language)
