"""Numerals in running text: where they stand and what they are worth.

``value`` is canonical: no leading or trailing zeros, no grouping ("50", "3.5", "0.3"); a value without a
finite decimal is a fraction ("1/3"). A clock time is one numeral, worth its hours (6:30 and 六点半: "6.5";
see ``clock_times``). A per cent or per mille mark after the digits, with or without a space, stands in
``raw`` ("30%", "5 ％") and not in the value, as in 百分之三十 and 百分之30; signs and units enter neither.
Digits that follow a Latin letter belong to a name (A4, H2O, MP3) and are no numerals, currency codes
excepted (RMB200). Spelled-out English numbers (fifty) are words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_letters

from salitrap.text.chinese_numerals import chinese_spans, find_chinese
from salitrap.text.clock_times import clock_time_spans, find_clock_times
from salitrap.text.scanning import matches_from

_MARKS = {"．": ".", "，": ",", "٫": ".", "٬": ","}
_LARGE = {"百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_PER = "[ \u00a0\u202f]?[%％﹪٪‰]"
_PER_BEFORE = "(?<![零〇○一二三四五六七八九十百千万萬两兩])[百千万萬]分之"
_VULGAR = "[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]"
_DIGIT_NUMERAL = re.compile(
    rf"(?:{_PER_BEFORE})?"
    r"(?:(?P<digits>(?:\d{1,3}(?:,\d{3})+|[０-９]{1,3}(?:，[０-９]{3})+|\d{1,3}(?:٬\d{3})+)(?!\d)(?:[.．٫]\d+)?"
    r"|\d+(?:[.．٫]\d+)?"
    r"|(?<![\w.．])[.．]\d+)"
    rf"(?P<and_part>{_VULGAR})?(?P<large>千(?![米克瓦卡帕赫伏焦])|百(?![分货帕])|[万萬亿億])?"
    rf"|(?P<part>{_VULGAR}))(?:{_PER})?"
)
_DIGIT = re.compile(rf"[\d{_VULGAR[1:-1]}]")
_DIGIT_START = re.compile(rf"[\d.．百千万萬{_VULGAR[1:-1]}]")
"""What a match of ``_DIGIT_NUMERAL`` can begin with: most characters need no closer look."""
_MORE_THAN_ZEROS = re.compile(
    rf"[\d.．之{_VULGAR[1:-1]}](?:(?<![0.．之])|(?<=[.．之])0"
    rf"|(?<=0)[\d.．٫,，٬%％﹪٪‰ \u00a0\u202f千百万萬亿億{_VULGAR[1:-1]}])"
)
"""Where this finds nothing, all digits are single zeros: masked with a zero, they stay what they are."""
_LETTER_DIGIT = re.compile("[A-Za-z][0-9]")
_ASCII_NUMERAL = re.compile(
    r"[0-9.](?:(?<=[0-9])(?:[0-9]{0,2}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]*(?:\.[0-9]+)?)"
    r"|(?<=\.)(?<![A-Za-z0-9_.]\.)[0-9]+)(?: ?%)?"
)
"""``_DIGIT_NUMERAL`` for ASCII: it begins with one set of characters, so most places need no closer look."""
_BLANK = "\x00"
_LATIN = frozenset(ascii_letters)
_NUMBER_AFTER = re.compile(r"(?<![A-Za-z])(?:RMB|CNY|USD|HKD|EUR|GBP|JPY)$|\d[xX]$")


@dataclass(frozen=True, slots=True)
class Numeral:
    """One numeral; ``text[start:end] == raw``."""

    raw: str
    value: str
    start: int
    end: int


def find_numerals(text: str) -> tuple[Numeral, ...]:
    """All numerals of ``text``, in order, without overlaps."""
    return _find(text, articles=False)


def mask_numerals(text: str, mask: str) -> str:
    """``text`` with each numeral replaced by ``mask``."""
    spans = clock_time_spans(text)
    if not spans and text.isascii() and not _LETTER_DIGIT.search(text):
        return _ASCII_NUMERAL.sub(lambda _: mask, text)
    rest = _blanked(text, spans)
    if mask != "0" or _MORE_THAN_ZEROS.search(rest):
        spans += [match.span() for match in _digit_matches(rest)]
    spans += chinese_spans(rest)
    if not spans:
        return text
    pieces, at = [], 0
    for start, end in sorted(spans):
        pieces += [text[at:start], mask]
        at = end
    return "".join([*pieces, text[at:]])


def numeral_counts(text: str) -> Counter[str]:
    """How often each value occurs in ``text``."""
    return Counter(numeral.value for numeral in find_numerals(text))


def find_with_articles(text: str) -> tuple[Numeral, ...]:
    """As ``find_numerals``, and the 一 of 一个 and 第一 too."""
    return _find(text, articles=True)


def canonical(value: Fraction) -> str:
    """Decimal notation where it is finite, else ``p/q``."""
    if value.denominator == 1:
        return str(value.numerator)
    places = _decimal_places(value.denominator)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def _find(text: str, *, articles: bool) -> tuple[Numeral, ...]:
    clocks = list(find_clock_times(text))
    rest = _blanked(text, ((start, end) for start, end, _ in clocks))
    spans = [*clocks, *_find_digits(rest), *find_chinese(rest, articles=articles)]
    return tuple(
        Numeral(text[start:end], canonical(value), start, end) for start, end, value in sorted(spans)
    )


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """``text`` with each of ``spans`` blanked at equal length."""
    for start, end in spans:
        text = f"{text[:start]}{_BLANK * (end - start)}{text[end:]}"
    return text


def _find_digits(text: str) -> Iterator[tuple[int, int, Fraction]]:
    for match in _digit_matches(text):
        digits, part = match["digits"], match["and_part"] or match["part"]
        value = (_decimal(digits) if digits else Fraction(0)) + (_vulgar(part) if part else 0)
        yield match.start(), match.end(), value * _LARGE.get(match["large"], 1)


def _digit_matches(text: str) -> list[re.Match[str]]:
    if not _DIGIT.search(text):
        return []
    found = matches_from(_DIGIT_START, _DIGIT_NUMERAL, text)
    return [match for match in found if not _belongs_to_name(text, match.start())]


def _belongs_to_name(text: str, start: int) -> bool:
    """True for the 4 of A4; false after a currency code (RMB200) and in 3x5."""
    if not start or text[start - 1] not in _LATIN:
        return False
    return not _NUMBER_AFTER.search(text[max(start - 4, 0) : start])


def _decimal(digits: str) -> Fraction:
    """Value of ASCII, full-width or other decimal digits; grouping marks are dropped."""
    ascii_digits = "".join(_MARKS.get(char) or _ascii_digit(char) for char in digits)
    return Fraction(ascii_digits.replace(",", ""))


def _ascii_digit(char: str) -> str:
    return str(unicodedata.decimal(char)) if char not in ".," else char


def _vulgar(char: str) -> Fraction:
    return Fraction(unicodedata.numeric(char)).limit_denominator(100)


def _decimal_places(denominator: int) -> int | None:
    """Decimals that write ``1 / denominator`` exactly; None when there are infinitely many."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None
