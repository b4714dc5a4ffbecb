"""One comparable form for texts that try to look different: width, case, invisible signs, lookalikes."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

_CYRILLIC = dict(zip("авеіїјкмнорсԁстухѕһԛԝгп", "abeiijkmhopcdctyxshqwrn", strict=True))
_GREEK = dict(zip("αβγεηικνορτυχω", "abyenikvoptuxw", strict=True))
_LOOKALIKES = {
    **_CYRILLIC,
    **_GREEK,
    "ı": "i",
    "ɡ": "g",
    "ℓ": "l",
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "–": "-",
} | {
    "—": "-",
    "−": "-",
    "﹣": "-",
    "’": "'",
    "‘": "'",
}


class Folded(NamedTuple):
    """``text`` in comparable form; ``places`` gives for each of its characters the index in the original."""

    text: str
    places: list[int] | range

    def span(self, start: int, end: int) -> tuple[int, int]:
        """[start, end) of the folded text as [start, end) of the original."""
        return self.places[start], self.places[end - 1] + 1


def fold(text: str) -> Folded:
    """NFKC, case and width folded, decimal digits as ASCII, invisible signs and accents removed."""
    if text.isascii():
        return Folded(text.lower(), range(len(text)))
    folded: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        kept = _plain(character)
        folded.append(kept)
        places.extend([index] * len(kept))
    return Folded("".join(folded), places)


@lru_cache(maxsize=20_000)
def _plain(character: str) -> str:
    wide = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", character)).casefold()
    return "".join(_one(inner) for inner in wide if unicodedata.category(inner) not in ("Cf", "Mn"))


def _one(character: str) -> str:
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return _LOOKALIKES.get(character, character)
