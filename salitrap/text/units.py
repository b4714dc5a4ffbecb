"""Do two texts differ in nothing but numbers and units? Such pairs may be different traps.

A number counts by its value and a unit by what it measures: 1998年 and 一九九八年, 50 m and 50 metres say
the same, and texts that differ in nothing else are copies. Units stand behind numbers, money signs
before them too, and behind words such as 每, 几, "a", "per" (每斤, a kilo). They are data:
``words/units.yaml``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from salitrap.text.normalise import strip_invisible
from salitrap.text.numerals import Numeral, find_numerals
from salitrap.text.unit_table import UnitTable, unit_table

PLACEHOLDER = "\x00"
PER_CENT, PER_MILLE = re.compile("[%％﹪٪]|百分之"), re.compile("‰|千分之")


class Quantity(NamedTuple):
    """Value and unit, either empty where there is none: ("50", "m"), ("", "kg") for "a kilo"."""

    value: str
    unit: str


class Frame(NamedTuple):
    """A text without white space, a placeholder for each quantity, and the quantities in order."""

    text: str
    quantities: tuple[Quantity, ...]


def differ_only_in_numbers_or_units(left: str, right: str) -> bool:
    """True when the texts are equal but for quantities, and these are not all equal.

    White space and invisible marks do not count.
    """
    one, other = frame_of(left), frame_of(right)
    return one.text == other.text and one.quantities != other.quantities


def frame_of(text: str) -> Frame:
    """Take the quantities out of a text."""
    text, table = strip_invisible(text), unit_table()
    kept, found, at = list[str](), list[Quantity](), 0
    for numeral in find_numerals(text):
        sign = table.before.search(text[at : numeral.start])
        _enter(text[at : at + sign.start() if sign else numeral.start], table, kept, found)
        unit = table.after.match(text, numeral.end)
        assert unit is not None, "the pattern matches nothing too"
        kept.append(PLACEHOLDER)
        found.append(Quantity(numeral.value, _unit(numeral, sign, unit, table)))
        at = unit.end()
    _enter(text[at:], table, kept, found)
    return Frame("".join("".join(kept).split()), tuple(found))


def _enter(text: str, table: UnitTable, kept: list[str], found: list[Quantity]) -> None:
    """Enter the text between two numbers, units behind counting words taken out."""
    at = 0
    for match in table.counted.finditer(text):
        kept += [text[at : match.start("unit")], PLACEHOLDER]
        found.append(Quantity("", table.name(match["unit"])))
        at = match.end()
    kept.append(text[at:])


def _unit(numeral: Numeral, sign: re.Match[str] | None, after: re.Match[str], table: UnitTable) -> str:
    """All that says what is counted, from before, inside and behind the number: ``million $``."""
    inside = "%" if PER_CENT.search(numeral.raw) else "‰" if PER_MILLE.search(numeral.raw) else ""
    around = [after["scale"], sign["unit"] if sign else None, after["unit"]]
    return " ".join(filter(None, [inside, *(table.name(part) for part in around if part)]))
