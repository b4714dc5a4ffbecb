"""Find a quote in the text it is said to come from."""

from __future__ import annotations

import unicodedata

MIN_WEIGHT = 8
CJK_WEIGHT = 3
_IGNORED = frozenset("*_`")
_PLAIN = str.maketrans("‘’‚′“”„″「」『』‐‑‒–—−", '\'\'\'\'""""""""------')
_OUTER = " \t\r\n\"'“”‘’「」『』.…。"


def find_quote(text: str, quote: str) -> str | None:
    """Return the verbatim span of ``text`` that ``quote`` stands for, or None.

    White space, width, case, typographic quotes and dashes, and Markdown emphasis may differ, as may
    quotation marks and full stops around the quote; words may not. A quote too short to prove
    anything (fewer than eight letters, or three Chinese characters) is never found.
    """
    folded, places = _fold(text)
    for wanted in (_fold(quote)[0], _fold(quote.strip(_OUTER))[0]):
        start = folded.find(wanted) if _weight(wanted) >= MIN_WEIGHT else -1
        if start >= 0:
            return text[places[start] : places[start + len(wanted) - 1] + 1]
    return None


def _fold(text: str) -> tuple[str, list[int]]:
    """Comparable form of ``text``, and for each of its characters the index in ``text``."""
    folded: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        plain = unicodedata.normalize("NFKC", character).translate(_PLAIN).casefold()
        kept = [inner for inner in plain if not _is_ignored(inner)]
        folded.extend(kept)
        places.extend([index] * len(kept))
    return "".join(folded), places


def _is_ignored(character: str) -> bool:
    return character.isspace() or character in _IGNORED or unicodedata.category(character) == "Cf"


def _weight(folded: str) -> int:
    return sum(CJK_WEIGHT if _is_cjk(character) else 1 for character in folded if character.isalnum())


def _is_cjk(character: str) -> bool:
    return unicodedata.category(character) == "Lo"
