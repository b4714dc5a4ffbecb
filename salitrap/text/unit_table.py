"""The units of ``words/units.yaml`` as patterns: after a number, before one, and after a counting word.

Signs and halves of the day are marks: they stand before a number (-5, 零下5, 上午8点) or behind one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import cast

from salitrap.errors import SeedFileError
from salitrap.yaml_source import read_yaml

DATA = Path(__file__).parent / "words" / "units.yaml"
GAP = r"\s*[-\u2010\u2011]?\s*"
COUNTING = r"(?<=[每几])|(?<=多少)|\b(?i:per|an?|each|every|how\s+many)\s+|/\s*"
NO_LETTER = "(?![A-Za-z\u00c0-\u024f])"
LONG = 4
"""From this length on a spelling is the same unit in any case; mW and MW are two."""


@dataclass(frozen=True, slots=True)
class UnitTable:
    """Units by spelling.

    ``after`` matches behind a number, with the groups ``scale`` and ``unit``; ``before`` finds a money sign
    at the end of a text, ``counted`` a unit behind a word such as "per", both in the group ``unit``.
    ``mark_before`` finds a sign or half of the day at the end of a text, in the group ``word`` or ``symbol``;
    ``mark_behind`` matches one behind a number or unit, in the group ``mark``. ``marks`` names both.
    """

    names: Mapping[str, str]
    scales: Mapping[str, Fraction]
    marks: Mapping[str, str]
    after: re.Pattern[str]
    before: re.Pattern[str]
    counted: re.Pattern[str]
    mark_before: re.Pattern[str]
    mark_behind: re.Pattern[str]

    def name(self, spelling: str) -> str:
        """The first spelling of the unit; what is in no list stands for itself."""
        spelling = " ".join(spelling.split())
        known = self.names.get(spelling)
        if known is None and len(spelling) >= LONG:
            known = self.names.get(spelling.casefold())
        return spelling if known is None else known

    def mark(self, spelling: str) -> str:
        """The sign (``-``, ``+``) or half of the day (``am``) that a spelling stands for."""
        return self.marks[" ".join(spelling.split()).casefold()]


@cache
def unit_data() -> dict[str, object]:
    """The file as it is.

    Raises:
        InputError: the file cannot be read.
    """
    return cast(dict[str, object], read_yaml(DATA).value)


@cache
def unit_table() -> UnitTable:
    """Read the shipped units.

    Raises:
        InputError: the file cannot be read.
        SeedFileError: a spelling stands in two lists; names file and line.
    """
    data = unit_data()
    scales, endings = cast(dict[str, str], data["scales"]), cast(list[str], data["endings"])
    limits = cast(dict[str, str], data["not_before"])
    names = _names(cast(list[list[str]], data["units"]))
    words = [name for name in names if len(name) > 1 or not name.isascii()]
    scale, unit = _either(scales, {}), _either(names, limits)
    before, behind = _marks(data, "signs_before", "day_before"), _marks(data, "signs_behind", "day_behind")
    return UnitTable(
        names={**names, **{word.casefold(): first for word, first in names.items() if len(word) >= LONG}},
        scales={word: Fraction(value) for word, value in scales.items()},
        marks={**before, **behind},
        after=re.compile(f"(?:{GAP}(?P<scale>{scale}))?(?:{GAP}(?P<unit>{unit})|{_either(endings, {})})?"),
        before=re.compile(rf"(?P<unit>{_either(cast(list[str], data['before']), {})})\s*$"),
        counted=re.compile(f"(?:{COUNTING})(?P<unit>{_either(words, limits)})"),
        mark_before=_mark_before(before),
        mark_behind=re.compile(rf"\s*(?:o['’]clock\b)?,?\s*(?P<mark>{_either(behind, {})})"),
    )


def _marks(data: Mapping[str, object], *lists: str) -> dict[str, str]:
    """The names of the marks by spelling."""
    groups = [cast(dict[str, list[str]], data[each]) for each in lists]
    return {word: name for group in groups for name, words in group.items() for word in words}


def _mark_before(marks: Iterable[str]) -> re.Pattern[str]:
    marks = list(marks)
    words, symbols = [one for one in marks if one.isalpha()], [one for one in marks if not one.isalpha()]
    word = rf"(?<![A-Za-z])(?P<word>{_either(words, {})})\s*"
    return re.compile(rf"(?:{word}|(?<![A-Za-z\d)\]])(?P<symbol>{_either(symbols, {})}))\Z")


def _names(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    names: dict[str, str] = {}
    for group in groups:
        for word in group:
            if word in names:
                raise SeedFileError(f"units: {word!r} stands twice; keep one", path=DATA)
            names[word] = group[0]
    return names


def _either(spellings: Iterable[str], limits: Mapping[str, str]) -> str:
    """A pattern for any spelling, the longest first: km/h before km."""
    longest_first = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
    return "|".join(_pattern(spelling, limits.get(spelling, "")) for spelling in longest_first)


def _pattern(spelling: str, not_before: str) -> str:
    words = r"\s+".join(map(re.escape, spelling.split()))
    pattern = words if len(spelling) == 1 else f"(?i:{words})"
    if spelling[-1].isascii() and spelling[-1].isalpha():
        return pattern + NO_LETTER
    return f"{pattern}(?![{not_before}])" if not_before else pattern
