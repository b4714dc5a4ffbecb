"""Texts in pieces, each with what is to be said of it: highlighted words, differences, hidden signs.

Pieces are plain text. Whoever shows them escapes each one; nothing here makes markup.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from salitrap.text import find_listed

CORE, NUMBER, QUOTE = "core", "number", "quote"
SAME, REMOVED, ADDED = "same", "removed", "added"
HIDDEN = "hidden"

Span = tuple[int, int, str]
"""First character, the one behind the last, and what it is."""

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{HAN}]|[^\W{HAN}]+|\s+|.", re.DOTALL)
_WORD = re.compile(rf"[^\W\d_{HAN}]+(?:['’-][^\W\d_{HAN}]+)*")
_HAN_RUN = re.compile(rf"(?:(?![的了是在不我你他她它们这那就也都和与而把被])[{HAN}])+")
"""Chinese without the characters that stand in every sentence."""
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u202a-\u202e\u2060-\u2069\ufeff]")
"""Signs that show nothing or turn the text around them; those inside emoji and of joined scripts stay."""

LARGEST_TABLE = 4_000_000
"""Tokens of one text times tokens of the other beyond which no alignment is looked for."""

SHORTEST_WORD = 4
SHORTEST_HAN = 2
_COMMON_WORDS = """
about above after again against almost already also although always among another around away back
because been before being below between both cannot could does doing done down during each either
else enough even every from further gets give goes going have having here into itself just keep kept
less like made make makes many more most much must need needs neither never none nothing once only
other ours over same should since some still such take takes than that their them then there these
they this those through thus together under until upon very want wants well were what when where
whether which while will with within without would your yours
"""
COMMON = frozenset(_COMMON_WORDS.split())
"""Words of four letters and more that tell nothing."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text with what it is, in alphabetical order; ``shown`` replaces it where it has no look."""

    text: str
    kinds: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The text, or the name of a sign that cannot be seen."""
        return f"U+{ord(self.text):04X}" if HIDDEN in self.kinds else self.text

    @property
    def name(self) -> str:
        """What a hidden sign is called."""
        return unicodedata.name(self.text, "control character") if HIDDEN in self.kinds else ""


def marked(text: str, spans: Iterable[Span] = ()) -> tuple[Segment, ...]:
    """``text`` cut where a span begins or ends, and around hidden signs; overlapping spans add up."""
    wanted = [*spans, *((one.start(), one.end(), HIDDEN) for one in _UNSEEN.finditer(text))]
    cuts = sorted({0, len(text), *(place for start, end, _ in wanted for place in (start, end))})
    return tuple(
        Segment(text[start:end], tuple(sorted({kind for a, b, kind in wanted if a <= start and end <= b})))
        for start, end in pairwise(cuts)
    )


def number_spans(text: str, numbers: Sequence[str]) -> list[Span]:
    """Where the injected numbers stand."""
    return [(one.start, one.start + len(one.raw), NUMBER) for one in find_listed(text, numbers)]


def core_spans(text: str, trap_core: str, things: Sequence[str] = ()) -> list[Span]:
    """Words of the trap core, and of the trap's ``things``, that the text has, too.

    Words count from four letters on and without their endings; Chinese as the longest runs of two
    characters and more that both have.
    """
    told = " ".join((trap_core, *things))
    stems = {_stem(word) for word in _WORD.findall(told.casefold()) if _tells(word)}
    words = [
        (one.start(), one.end(), CORE)
        for one in _WORD.finditer(text)
        if _tells(one.group().casefold()) and _stem(one.group().casefold()) in stems
    ]
    return [*words, *_han_spans(text, told)]


def quote_spans(text: str, quotes: Iterable[str]) -> list[Span]:
    """Where quotes stand, each at its first place; quotes that do not occur are left out."""
    found = ((text.find(quote), quote) for quote in quotes if quote)
    return [(start, start + len(quote), QUOTE) for start, quote in found if start >= 0]


def difference(before: str, after: str) -> tuple[Segment, ...]:
    """What was taken out and put in between two texts, word by word; Chinese character by character."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    segments = list[Segment]()
    for kind, a, b, c, d in _opcodes(old, new):
        if kind == "equal":
            segments += _pieces("".join(new[c:d]), SAME)
        else:
            segments += _pieces("".join(old[a:b]), REMOVED) + _pieces("".join(new[c:d]), ADDED)
    return tuple(segments)


def _opcodes(old: list[str], new: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """Steps from ``old`` to ``new``; of very long texts only what is alike at both ends."""
    if len(old) * len(new) <= LARGEST_TABLE:
        return difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    head = _alike(old, new)
    tail = min(_alike(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    a, b = len(old) - tail, len(new) - tail
    return (
        ("equal", 0, head, 0, head),
        ("replace", head, a, head, b),
        ("equal", a, len(old), b, len(new)),
    )


def _alike(old: list[str], new: list[str]) -> int:
    """How many tokens both begin with."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(old), len(new)))


def _pieces(text: str, kind: str) -> list[Segment]:
    """One change, with its hidden signs made visible."""
    return [Segment(one.text, tuple(sorted((*one.kinds, kind)))) for one in marked(text) if one.text]


def _tells(word: str) -> bool:
    return len(word) >= SHORTEST_WORD and word not in COMMON


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_WORD - 1:
            return word[: -len(ending)]
    return word


def _han_spans(text: str, told: str) -> list[Span]:
    """Greedy: from each place the longest run of Chinese characters that ``told`` has."""
    spans, there = list[Span](), _HAN_RUN.findall(told)
    for run in _HAN_RUN.finditer(text):
        start = run.start()
        while start < run.end():
            length = _longest(text[start : run.end()], there)
            if length >= SHORTEST_HAN:
                spans.append((start, start + length, CORE))
            start += max(1, length)
    return spans


def _longest(text: str, there: Sequence[str]) -> int:
    length = 0
    while length < len(text) and any(text[: length + 1] in run for run in there):
        length += 1
    return length
