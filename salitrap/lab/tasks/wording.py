"""Interchangeable wordings of the phrase banks."""

from __future__ import annotations

import re
from functools import cache

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import Phrases
from salitrap.lab.tasks.sentences import lower_first, upper_first

SWAP_SHARE = 0.7


def swap_words(sentence: str, names: tuple[str, ...], phrases: Phrases, draw: Draw) -> str:
    """``sentence`` with some wordings exchanged; figures stay, and so does what is within ``names``."""
    for index, group in enumerate(phrases.swaps):
        match = _pattern(group).search(sentence)
        if (
            match
            and not _inside(match, names, sentence)
            and draw.chance(f"swap/{index}/{sentence}", SWAP_SHARE)
        ):
            others = [entry for entry in _plain(group) if entry.casefold() != match.group().casefold()]
            chosen = draw.pick(f"swap-to/{index}", others)
            cased = upper_first(chosen) if match.group()[:1].isupper() else lower_first(chosen)
            sentence = sentence[: match.start()] + cased + sentence[match.end() :]
    return sentence


def _inside(match: re.Match[str], names: tuple[str, ...], sentence: str) -> bool:
    folded = sentence.casefold()
    for name in names:
        start = folded.find(name)
        if 0 <= start < match.end() and match.start() < start + len(name):
            return True
    return False


@cache
def _pattern(group: tuple[str, ...]) -> re.Pattern[str]:
    parts = [_part(entry) for entry in sorted(group, key=lambda entry: (-len(entry), entry))]
    return re.compile("|".join(parts), re.IGNORECASE)


def _part(entry: str) -> str:
    word, mark, _ = entry.partition(" #")
    edge = r"\b" if word.isascii() else ""
    return rf"{edge}{re.escape(word)}{edge}" + (r"(?= \d)" if mark else "")


def _plain(group: tuple[str, ...]) -> list[str]:
    return [entry.partition(" #")[0] for entry in group]
