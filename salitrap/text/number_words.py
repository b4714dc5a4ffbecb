"""English numbers in words: sixty, twenty-five, three hundred and five, half a.

They count only where two texts are compared for their numbers (``units``); ``find_numerals`` leaves them
words. The words are data: ``words/units.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import cast

from salitrap.text.numerals import Numeral, canonical
from salitrap.text.unit_table import unit_data

JOIN = r"(?:[-\u2010\u2011]|\s+)"
ARTICLES = ("a", "an")
HUNDRED = "hundred"
SHORTEST = 3
"""Scales shorter than a word (k, bn) stand behind digits alone."""


def find_number_words(text: str) -> Iterator[Numeral]:
    """Yield the English numbers in words, in order; an article belongs to "a dozen" and "half a"."""
    for match in _pattern().finditer(text):
        raw = match.group()
        value = _part(raw) if match["part"] else _value(raw)
        yield Numeral(raw, canonical(value), match.start(), match.end())


def _part(raw: str) -> Fraction:
    return next(value for word, value in _listed("number_parts").items() if word in raw.casefold())


def _value(raw: str) -> Fraction:
    """Worth of a number without parts: each scale but hundred closes a group."""
    words, scales = _listed("number_words"), _listed("scales")
    total, group = Fraction(0), Fraction(0)
    for word in re.split(JOIN, raw.casefold()):
        if word in ARTICLES:
            group = Fraction(1)
        elif word == HUNDRED:
            group *= scales[word]
        elif word in scales:
            total, group = total + group * scales[word], Fraction(0)
        else:
            group += words.get(word, 0)
    return total + group


@cache
def _listed(name: str) -> Mapping[str, Fraction]:
    listed = cast(dict[str, str], unit_data()[name])
    return {word: Fraction(value) for word, value in listed.items()}


@cache
def _pattern() -> re.Pattern[str]:
    words, parts = _listed("number_words"), _listed("number_parts")
    ones = "|".join(word for word, value in words.items() if 0 < value < 10)
    tens = "|".join(word for word, value in words.items() if value >= 20)
    scale = "|".join(word for word in _listed("scales") if len(word) > SHORTEST and word != HUNDRED)
    small = rf"(?:(?:{tens}){JOIN}(?:{ones})|{'|'.join(words)})\b"
    group = rf"(?:(?:{small}|an?){JOIN}{HUNDRED}\b(?:{JOIN}(?:and\s+)?{small})?|{small})"
    head = rf"(?:{group}|an?(?={JOIN}(?:{scale})\b))"
    whole = rf"{head}(?:{JOIN}(?:{scale})\b(?:{JOIN}(?:and\s+)?{group})?)*"
    part = rf"(?:an?\s+)?(?:{'|'.join(parts)})\b(?:\s+(?:of\s+)?an?\b)?"
    return re.compile(rf"(?i)(?<![^\W_])(?:{whole}|(?P<part>{part}))")
