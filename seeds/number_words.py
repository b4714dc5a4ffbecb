"""Listed numbers that a prompt spells out in English: two, twenty-five, a dozen, two hundred."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from types import MappingProxyType

from salitrap.text import numeral_values

_FILE = Path(__file__).parent / "number_words.json"
_HIGHEST = 100_000


def spelled_out(entry: str, prompt: str) -> str:
    """How ``prompt`` spells the listed number ``entry``, as it stands there; empty when it does not."""
    values = numeral_values(entry)
    words = _words(values[0]) if len(values) == 1 else ()
    choice = "|".join(re.escape(word).replace("\\ ", r"\s+") for word in words)
    found = re.search(rf"(?<![A-Za-z-])(?:{choice})(?![A-Za-z])", prompt, re.IGNORECASE) if words else None
    return found.group() if found is not None else ""


def _words(value: str) -> tuple[str, ...]:
    """Words for a value, longest first."""
    words = [*_table().get(value, ())]
    if value.isdecimal() and 0 < int(value) < _HIGHEST:
        words += _composed(int(value))
    return tuple(sorted(words, key=len, reverse=True))


def _composed(number: int) -> list[str]:
    """``twenty-five`` and ``two hundred``; empty for numbers that take more than two words."""
    tens, ones = divmod(number, 10)
    if ones and 1 < tens < 10:
        pairs = [(ten, one) for ten in _words(str(tens * 10)) for one in _words(str(ones))]
        return [f"{ten}{mark}{one}" for ten, one in pairs for mark in "- "]
    sizes = [size for size in (1000, 100) if not number % size and number // size < 100]
    return [
        f"{word} {name}" for size in sizes for word in _words(str(number // size)) for name in _words_of(size)
    ]


def _words_of(size: int) -> tuple[str, ...]:
    return _table()[str(size)]


@cache
def _table() -> MappingProxyType[str, tuple[str, ...]]:
    read = json.loads(_FILE.read_text(encoding="utf-8"))
    return MappingProxyType({value: tuple(words) for value, words in read.items()})
