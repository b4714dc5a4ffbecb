"""Give a text other figures of about the same size."""

from __future__ import annotations

import re
from itertools import combinations_with_replacement

from salitrap.lab.draws import Draw
from salitrap.text import Numeral, find_numerals

SHRINKING = (0.7, 0.75, 0.8)
GROWING = (1.2, 1.25, 1.3, 1.4)
"""One factor serves all figures of a text, so that a larger figure never becomes the smaller one."""
SMALLEST = 3.0
"""Below it nothing shrinks: 2 minutes would become 1 minutes."""
TELLING = 20.0
"""Least sum or product that links three figures."""

_FIGURE = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(\s*[%％﹪٪])?")
_SINGLE = re.compile(r"\d+(?:\.\d+)?")
_PER_CENT = re.compile(r"\s*(?:[%％﹪٪]|per ?cent\b)")
_FIXED_AFTER = re.compile(
    r"[:：]\d|(?:st|nd|rd|th)\b|[点时號号月]"
    r"|\s*(?:o['’]clock|[ap]\.?m\b|sharp\b|in the (?:morning|afternoon|evening))"
    r"|\s*(?:个?(?:多?月|多?年|星期|晚上|早上|周末|季度|工作日)|多?[天日晚夜周岁])"
    r"|[\s-]\s*(?:full |whole |long |more |working )?"
    r"(?:day|night|week|fortnight|month|year|evening|morning)s?\b"
)
_YEARS = range(1900, 2100)


def renumber(text: str, draw: Draw) -> str:
    """``text`` with its figures in digits redrawn: equal ones stay equal, shares within 1 and 100 %.

    Clock times, dates, years, ages, ordinals and Chinese numerals stay as they are. So do days, nights, weeks
    and months, since weekdays and dates elsewhere in the text may depend on them, and figures of which one
    is the sum or the product of two others.
    """
    numerals = find_numerals(text)
    linked = _linked(numerals, text)
    small = any(_FIGURE.fullmatch(each.raw) and float(each.value) < SMALLEST for each in numerals)
    factor = draw.pick("renumber", GROWING if small else (*SHRINKING, *GROWING))
    pieces, end = [], 0
    for numeral in numerals:
        other = numeral.raw if numeral.value in linked else _other(numeral, text, factor)
        pieces += [text[end : numeral.start], other]
        end = numeral.end
    return "".join([*pieces, text[end:]])


def _linked(numerals: tuple[Numeral, ...], text: str) -> frozenset[str]:
    """Values that stand to each other as two terms and their sum or product.

    Small figures do so by chance, so a result below ``TELLING`` counts only beside a figure that is fixed.
    """
    amounts = [each for each in numerals if _SINGLE.fullmatch(each.value) and not _share(each, text)]
    single = {each.value: float(each.value) for each in amounts}
    fixed = {each.value for each in numerals if not _FIGURE.fullmatch(each.raw) or _fixed(each, text)}
    linked: set[str] = set()
    for (first, one), (second, two) in combinations_with_replacement(single.items(), 2):
        for name, value in single.items():
            trio = {first, second, name}
            result = value == one + two or (value == one * two and min(one, two) > 1)
            if result and name not in (first, second) and (value >= TELLING or trio & fixed):
                linked |= trio
    return frozenset(linked)


def _other(numeral: Numeral, text: str, factor: float) -> str:
    match = _FIGURE.fullmatch(numeral.raw)
    if match is None or _fixed(numeral, text):
        return numeral.raw
    whole, decimals, mark = match.groups()
    places = len(decimals or ".") - 1
    unit = 10.0 if len(whole) > 2 and numeral.value.endswith("0") else 10.0**-places
    value = _scaled(float(numeral.value), factor, unit, _share(numeral, text))
    return f"{value:{',' if ',' in whole else ''}.{places}f}{mark or ''}"


def _share(numeral: Numeral, text: str) -> bool:
    """True for a percentage."""
    return _PER_CENT.match(text, numeral.end) is not None or _PER_CENT.search(numeral.raw) is not None


def _scaled(value: float, factor: float, unit: float, share: bool) -> float:
    """``value`` times ``factor`` in whole units, at least one of them away from it and above zero."""
    scaled = round(value * factor / unit) * unit
    scaled = max(scaled, value + unit) if factor > 1.0 else min(scaled, value - unit)
    if share and value <= 100.0:
        scaled = min(scaled, 100.0 - unit if value < 100.0 else 100.0)
    return max(scaled, unit)


def _fixed(numeral: Numeral, text: str) -> bool:
    after_hour = text[max(numeral.start - 1, 0) : numeral.start] in (":", "：", "点")
    year = numeral.raw.isdigit() and int(numeral.raw) in _YEARS
    return after_hour or year or _FIXED_AFTER.match(text, numeral.end) is not None
