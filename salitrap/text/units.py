"""Do two texts differ in nothing but numbers and units? Such pairs may be different traps.

A number counts by its value and a unit by what it measures: 1998年 and 一九九八年, 50 m and 50 metres say
the same, and texts that differ in nothing else are copies. Units stand behind numbers, money signs
before them too, and behind words such as 每, 几, "a", "per" (每斤, a kilo). English numbers in words
(sixty, 5 dozen) count as numbers; a sign (-5, 零下5) and the half of the day (上午8点, 8 in the evening)
belong to them. All this is data: ``words/units.yaml``.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from salitrap.text.normalise import strip_invisible
from salitrap.text.number_words import find_number_words
from salitrap.text.numerals import Numeral, canonical, find_numerals
from salitrap.text.unit_table import UnitTable, unit_table

PLACEHOLDER = "\x00"
MINUS, PLUS = "-", "+"
AFTER_NOON, NOON = "pm", 12
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
    """Take the quantities out of a text; one with a number of thousands of digits stays as it is."""
    text = strip_invisible(text)
    try:
        return _frame_of(text, unit_table())
    except ValueError:  # Python converts no number of more than 4,300 digits
        return Frame("".join(text.split()), ())


def _frame_of(text: str, table: UnitTable) -> Frame:
    kept, found, at = list[str](), list[Quantity](), 0
    for numeral in _numbers(text):
        if numeral.start < at:
            continue
        reading = _read(text, at, numeral, table)
        _enter(text[at : reading.start], table, kept, found)
        kept += [PLACEHOLDER, reading.inside]
        found.append(reading.quantity)
        at = reading.end
    _enter(text[at:], table, kept, found)
    return Frame("".join("".join(kept).split()), tuple(found))


class _Reading(NamedTuple):
    """A quantity with all that belongs to it; ``inside`` is text between its parts (8 o'clock at night)."""

    start: int
    end: int
    quantity: Quantity
    inside: str


def _numbers(text: str) -> list[Numeral]:
    """Numerals and numbers in words, in order."""
    return sorted([*find_numerals(text), *find_number_words(text)], key=lambda numeral: numeral.start)


def _read(text: str, at: int, numeral: Numeral, table: UnitTable) -> _Reading:
    """Read what stands around a number, from ``at`` on, where the quantity before ends."""
    money = table.before.search(text[at : numeral.start])
    start = at + money.start() if money else numeral.start
    before = _mark_before(text, at, start, table)
    unit = None if table.mark_behind.match(text, numeral.end) else table.after.match(text, numeral.end)
    end = unit.end() if unit else numeral.end
    behind = table.mark_behind.match(text, end)
    marks = [table.mark(mark) for mark in (before, behind["mark"] if behind else "") if mark]
    return _Reading(
        start=text.rindex(before, at, start) if before else start,
        end=behind.end() if behind else end,
        quantity=_of_24_hours(
            Quantity(_value(numeral, unit, marks, table), _unit(numeral, money, unit, marks, table))
        ),
        inside=text[end : behind.start("mark")] if behind else "",
    )


def _of_24_hours(quantity: Quantity) -> Quantity:
    """5 p.m. is 17; other quantities stay."""
    if quantity.unit != AFTER_NOON or not 0 < Fraction(quantity.value) < NOON:
        return quantity
    return Quantity(canonical(Fraction(quantity.value) + NOON), "")


def _mark_before(text: str, at: int, end: int, table: UnitTable) -> str:
    """The sign or half of the day that ends at ``end``; right behind a quantity a dash is none (10-20)."""
    match = table.mark_before.search(text, at, end)
    if match is None or (match["symbol"] and 0 < at == match.start()):
        return ""
    return match["word"] or match["symbol"]


def _value(numeral: Numeral, after: re.Match[str] | None, marks: list[str], table: UnitTable) -> str:
    """The number with its scale and, below zero, its sign: "-5" for 零下5, "60" for 5 dozen."""
    scale = after["scale"] if after else None
    value = canonical(Fraction(numeral.value) * table.scales[scale.casefold()]) if scale else numeral.value
    return f"{MINUS}{value}" if MINUS in marks else value


def _enter(text: str, table: UnitTable, kept: list[str], found: list[Quantity]) -> None:
    """Enter the text between two numbers, units behind counting words taken out."""
    at = 0
    for match in table.counted.finditer(text):
        kept += [text[at : match.start("unit")], PLACEHOLDER]
        found.append(Quantity("", table.name(match["unit"])))
        at = match.end()
    kept.append(text[at:])


def _unit(
    numeral: Numeral,
    money: re.Match[str] | None,
    after: re.Match[str] | None,
    marks: list[str],
    table: UnitTable,
) -> str:
    """All that says what is counted, from before, inside and behind the number: ``$``, ``% pm``."""
    inside = "%" if PER_CENT.search(numeral.raw) else "‰" if PER_MILLE.search(numeral.raw) else ""
    around = [money["unit"] if money else None, after["unit"] if after else None]
    days = [mark for mark in marks if mark not in (MINUS, PLUS)]
    return " ".join(filter(None, [inside, *(table.name(part) for part in around if part), *days]))
