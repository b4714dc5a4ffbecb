"""A run of words that one text has taken over from another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from salitrap.text.script import Script, script_of

WORDS = 7
HAN_CHARACTERS = 14
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_]+(?:['’][^\W_]+)?")


def shared_run(text: str, told: Iterable[str], known: Iterable[str] = ()) -> str | None:
    """Return the first run of words of ``text`` that occurs in one of ``told`` and in none of ``known``.

    A run has 7 words, or 14 Chinese characters where ``text`` is Chinese; case and punctuation do not matter.
    """
    length = HAN_CHARACTERS if script_of(text) is Script.CJK else WORDS
    wanted = _runs(told, length) - _runs(known, length)
    places = list(_TOKEN.finditer(text))
    for start in range(len(places) - length + 1):
        run = places[start : start + length]
        if tuple(_fold(match) for match in run) in wanted:
            return text[run[0].start() : run[-1].end()]
    return None


def _runs(texts: Iterable[str], length: int) -> set[tuple[str, ...]]:
    return {
        run for text in texts for run in _windows([_fold(match) for match in _TOKEN.finditer(text)], length)
    }


def _windows(tokens: list[str], length: int) -> Iterator[tuple[str, ...]]:
    for start in range(len(tokens) - length + 1):
        yield tuple(tokens[start : start + length])


def _fold(match: re.Match[str]) -> str:
    return match.group().casefold().replace("’", "'")
