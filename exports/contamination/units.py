"""Texts as sequences of comparable units: words, and characters of Chinese."""

from __future__ import annotations

import re
import unicodedata

from salitrap.records.enums import Language

_WORD = re.compile(r"\w+")
_CHARACTER = re.compile(r"\w")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def units_of(text: str, language: Language) -> list[str]:
    """Return the units of a text: NFKC and without case; punctuation and space only part them."""
    return (_CHARACTER if language is Language.ZH else _WORD).findall(folded(text))


def folded(text: str) -> str:
    """Return a text in NFKC and without case."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def may_hold(text: str, language: Language) -> bool:
    """Say whether a text of that language can be in it at all: Chinese needs a Chinese character."""
    return language is not Language.ZH or _HAN.search(text) is not None
