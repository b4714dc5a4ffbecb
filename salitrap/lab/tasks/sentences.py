"""Split a text into sentences and put it together again, in either language."""

from __future__ import annotations

import re

from salitrap.records.enums import Language

_ENGLISH_GAP = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"')\]]))\s+(?=[\"'(\[]?[A-Z0-9])|\n+")
_CHINESE = re.compile(r"[^。！？!?\n]+[。！？!?]*[”」）]*")
_QUESTION = re.compile(r"[?？]")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|approx|no|Mr|Mrs|Ms|Dr|St|vs)\.$", re.IGNORECASE)


def sentences(text: str, language: Language) -> list[str]:
    """Sentences of ``text`` in order, without surrounding white space."""
    parts = _CHINESE.findall(text) if language is Language.ZH else _ENGLISH_GAP.split(text)
    joined: list[str] = []
    for part in filter(None, map(str.strip, parts)):
        if joined and _ABBREVIATION.search(joined[-1]):
            joined[-1] = f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return joined


def is_question(sentence: str) -> bool:
    """True when the sentence asks."""
    return _QUESTION.search(sentence[-3:]) is not None


def upper_first(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """With a small first letter, unless the first word is I or in capitals."""
    word = text.split(" ", 1)[0].rstrip(",.:;")
    if word == "I" or word.startswith(("I'", "I’")) or (len(word) > 1 and word.isupper()):
        return text
    return text[:1].lower() + text[1:]
