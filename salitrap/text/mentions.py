"""Does a text name a thing: by its phrase, its head noun, or a synonym, in any inflection.

Deliberately lenient. English: the last word of each part of the name ("fridge without freezer": fridge,
freezer), in singular or plural and inside compounds (chip in microchip). Chinese, where words are not
spaced: any two neighbouring characters of the name (猫的手术费: 手术, 术费), the last character of a part of
two (信鸽: 鸽), or a name of one character.
"""

from __future__ import annotations

import re

from salitrap.records.enums import Language
from salitrap.text.synonyms import shipped_synonyms

_PART_EN = re.compile(r"\b(?:of|in|on|at|for|with|without|to|from|by|and|or|under|over|inside)\b")
_PART_ZH = re.compile("[和与及或跟的、，/ ]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_COMPOUND = 4
"""The fewest letters of a word that counts as the end of a compound."""


def mentions(text: str, name: str, language: Language) -> bool:
    """True when ``text`` names the thing called ``name``."""
    synonyms = shipped_synonyms()
    return _occurs(synonyms.thing(text), synonyms.thing(name), language)


def _occurs(text: str, name: str, language: Language) -> bool:
    if not name.strip() or name in text:
        return True
    if language is Language.ZH:
        return any(piece in text for part in _PART_ZH.split(name) for piece in _pieces(part))
    words = {_stem(word) for word in _WORD.findall(text)}
    return any(_in_words(head, words) for head in _heads(name))


def _pieces(part: str) -> list[str]:
    pairs = [part[start : start + 2] for start in range(len(part) - 1)]
    return [*pairs, part[-1]] if len(part) <= 2 and part else pairs


def _heads(name: str) -> list[str]:
    parts = [_WORD.findall(part) for part in _PART_EN.split(name)]
    return [_stem(words[-1]) for words in parts if words]


def _in_words(head: str, words: set[str]) -> bool:
    return head in words or (len(head) >= _COMPOUND and any(word.endswith(head) for word in words))


def _stem(word: str) -> str:
    """The singular of a regular plural; a possessive without its ending."""
    word = re.sub(r"['’]s?$", "", word)
    for ending, singular in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + singular
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
