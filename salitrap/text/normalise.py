"""Normal forms of text: phi for similarity (paper, section 3.3.1), names for exact comparison."""

from __future__ import annotations

import re
import unicodedata

from salitrap.text.numerals import mask_numerals

# The placeholder is a numeral itself: phi of a normal form changes nothing, and no text can pose as one.
NUMERAL_MASK = "0"

_EMOJI = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
# Joiners stay inside emoji, where they make one sign of several; elsewhere nobody sees them.
_MARKS = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_MARK_OR_JOINER = re.compile(f"[{_MARKS}\u200c\u200d]")
_INVISIBLE = re.compile(f"[{_MARKS}]|[\u200c\u200d](?![{_EMOJI}])|(?<![{_EMOJI}])[\u200c\u200d]")
_MASKED_AGAIN = re.compile(r"[1-9]|0[0%]|0[.,:]0|\.0")
"""Without one of these, a masked ASCII text without white space has no numeral but lone placeholders."""
_HAN_SPACE = re.compile(r"(?<=[\u3400-\u9fff\U00020000-\U0003ffff]) (?=[\u3400-\u9fff\U00020000-\U0003ffff])")


def phi(text: str) -> str:
    """Normal form compared by filters f2 and f3.

    NFC, without invisible marks and white space, each numeral replaced by one placeholder. Case,
    punctuation, symbols, emoji and scripts stay, so different texts never meet in an empty one.
    ``phi(phi(text)) == phi(text)``: what removal brings together (第 三) is normalised again.
    """
    before = None
    while before != text:
        before = text
        text = "".join(mask_numerals(strip_invisible(text), NUMERAL_MASK).split())
        if text.isascii() and not _MASKED_AGAIN.search(text):
            return text
    return text


def strip_invisible(text: str) -> str:
    """NFC without zero-width and bidirectional marks."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    if not _MARK_OR_JOINER.search(composed):
        return composed
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", composed))


def normalise_name(text: str) -> str:
    """Normal form of a short name, compared for equality by filters f1 and f4.

    NFKC, case-folded, white space and punctuation collapsed to one space (to none between Chinese
    characters). Only an empty name gives an empty result.
    """
    folded = unicodedata.normalize("NFKC", strip_invisible(text).casefold()).casefold()
    spaced = "".join(" " if _separates(char) else char for char in folded)
    collapsed = _HAN_SPACE.sub("", " ".join(spaced.split()))
    return collapsed or folded.strip() or text


def _separates(char: str) -> bool:
    return char.isspace() or unicodedata.category(char)[0] in "PZC"
