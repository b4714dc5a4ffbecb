"""Which script and which of our languages a text is written in."""

from __future__ import annotations

import re
from enum import StrEnum

from salitrap.records.enums import Language

_HAN = re.compile("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_HAN_RUN = re.compile("[\u4e00-\u9fa5]+")
_CJK = re.compile(
    "[\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_LATIN = re.compile("[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]")
_LETTER = re.compile(r"[^\W\d_]|\u3007")

# A Chinese character stands for about a word, so a third of the letters is most of the text.
CJK_SHARE = 1 / 3
CHINESE_SHARE = 0.5
ENGLISH_SHARE = 0.8


class Script(StrEnum):
    """Scripts that need their own similarity features (method, stage 1)."""

    CJK = "cjk"
    ALPHABETIC = "alphabetic"


def script_of(text: str) -> Script:
    """CJK when at least a third of the letters is Chinese, Japanese or Korean, else alphabetic."""
    if text.isascii():
        return Script.ALPHABETIC
    if sum(map(len, _HAN_RUN.findall(text))) >= CJK_SHARE * len(text):
        return Script.CJK
    return Script.CJK if _share(_CJK, text) >= CJK_SHARE else Script.ALPHABETIC


def han_share(text: str) -> float:
    """Share of Chinese characters among the letters of ``text``; 0.0 without letters."""
    return _share(_HAN, text)


def in_language(text: str, language: Language) -> bool:
    """True when the letters of ``text`` fit ``language``; a text without letters fits none.

    Names and units of the other script are allowed: half of the letters must be Chinese, or four
    fifths Latin.
    """
    if language is Language.ZH:
        return han_share(text) >= CHINESE_SHARE
    return _share(_LATIN, text) >= ENGLISH_SHARE


def _share(pattern: re.Pattern[str], text: str) -> float:
    letters = len(_LETTER.findall(text))
    return min(len(pattern.findall(text)) / letters, 1.0) if letters else 0.0
