"""The units of ``words/units.yaml`` as patterns: after a number, before one, and after a counting word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    """

    names: Mapping[str, str]
    after: re.Pattern[str]
    before: re.Pattern[str]
    counted: re.Pattern[str]

    def name(self, spelling: str) -> str:
        """The first spelling of the unit; what is in no list stands for itself."""
        spelling = " ".join(spelling.split())
        known = self.names.get(spelling)
        if known is None and len(spelling) >= LONG:
            known = self.names.get(spelling.casefold())
        return spelling if known is None else known


@cache
def unit_table() -> UnitTable:
    """Read the shipped units.

    Raises:
        InputError: the file cannot be read.
        SeedFileError: a spelling stands in two lists; names file and line.
    """
    data = cast(dict[str, object], read_yaml(DATA).value)
    scales, endings = cast(list[str], data["scales"]), cast(list[str], data["endings"])
    limits = cast(dict[str, str], data["not_before"])
    names = _names(cast(list[list[str]], data["units"]))
    words = [name for name in names if len(name) > 1 or not name.isascii()]
    scale, unit = _either(scales, {}), _either(names, limits)
    return UnitTable(
        names={**names, **{word.casefold(): first for word, first in names.items() if len(word) >= LONG}},
        after=re.compile(f"(?:{GAP}(?P<scale>{scale}))?(?:{GAP}(?P<unit>{unit})|{_either(endings, {})})?"),
        before=re.compile(rf"(?P<unit>{_either(cast(list[str], data['before']), {})})\s*$"),
        counted=re.compile(f"(?:{COUNTING})(?P<unit>{_either(words, limits)})"),
    )


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
