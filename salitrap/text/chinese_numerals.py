"""Chinese numerals in running text, and their values.

What counts as a number (the lists are data, ``words/numerals_zh.yaml``):

* two or more characters: always (五十, 两百, 三点五, 百分之三十, 三分之一, 二〇二六), idioms apart;
* one character: before a unit (十二个, 两天), after 第, or in 两三天, which is two numerals;
* 一: before a measure (一公里, 一小时, 一个月). Before a plain classifier it is an article (一个朋友);
  it is then found only when somebody asks for that very number (``articles=True``);
* 半: 0.5 before a measure or a container (半小时, 半锅), 年 or 个月, and after a counted unit, in
  digits too (两个半, 6斤半: the number and 0.5);
* 廿 and 卅 are 20 and 30; formal numerals (叁拾伍) count from two characters on;
* 几十, 十分(very), 周三, 统一, 三明治 and the like are words; 二十来岁 is 20, the stated part;
* 三成 and 七折 are 3 and 7, counted in 成 and 折, and not 30% or 70%.

Clock times (七点五分, 三点半) are not looked for here; see ``clock_times``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from salitrap.text.chinese_rules import chinese_pattern, chinese_start
from salitrap.text.scanning import matches_from

_VARIANT_CHARACTERS = "兩萬億點時個幾來餘條張隻雙輛塊鍋○"
_VARIANTS = str.maketrans(_VARIANT_CHARACTERS, "两万亿点时个几来余条张只双辆块锅〇")
_ANY = re.compile(r"[零〇○一二三四五六七八九十百千万萬两兩半廿卅壹贰貳叁參肆伍陆陸柒捌玖拾]")
_FORMAL_DIGITS = "壹贰貳叁參肆伍陆陸柒捌玖"
_FORMAL = str.maketrans(f"{_FORMAL_DIGITS}拾佰仟萬億", "一二二三三四五六六七八九十百千万亿")
# A digit with its scale begins one; 队伍拾级, 大陆拾遗 and the surname 伍 do not.
_FORMAL_NUMERAL = re.compile(
    f"(?<![队隊入退行])(?<!大(?=[陆陸]))[{_FORMAL_DIGITS}][拾佰仟万萬亿億][{_FORMAL_DIGITS}零拾佰仟万萬亿億]*"
)
_FOLDABLE = re.compile(f"[{_VARIANT_CHARACTERS}{_FORMAL_DIGITS}]")
_DIGITS = {char: index for index, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000}
_TWENTIES = {"廿": "二十", "卅": "三十"}
_LARGE = {"万": 10**4, "亿": 10**8}
_FILLERS = re.compile("[多来余几]")


def find_chinese(text: str, *, articles: bool = False) -> Iterator[tuple[int, int, Fraction]]:
    """Yield (start, end, value) of each Chinese numeral in ``text``, in order.

    Per cent and per mille give the stated part (百分之三十: 30), fractions their value (三分之一: 1/3).
    """
    for match in _matches(text, articles=articles):
        value = _value_of_match(match)
        if value is not None:
            yield match.start(), match.end(), value


def chinese_spans(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of each Chinese numeral, without working out values."""
    return [match.span() for match in _matches(text, articles=False) if match.lastgroup]


def _matches(text: str, *, articles: bool) -> list[re.Match[str]]:
    if not _ANY.search(text):
        return []
    return matches_from(chinese_start(), chinese_pattern(articles=articles), fold_variants(text))


def fold_variants(text: str) -> str:
    """Write traditional and formal numeral characters in the standard way; no position changes."""
    if not _FOLDABLE.search(text):
        return text
    plain = _FORMAL_NUMERAL.sub(lambda match: match.group().translate(_FORMAL), text)
    return plain.translate(_VARIANTS)


def read_chinese(text: str) -> Fraction | None:
    """Value of ``text`` when all of it is one Chinese numeral, whatever stands around it; else None."""
    folded = fold_variants(text)
    if folded == "半" or folded in _DIGITS or folded == "十":
        return _value(folded)
    match = chinese_pattern(articles=False).fullmatch(folded)
    return _value_of_match(match) if match else None


def _value_of_match(match: re.Match[str]) -> Fraction | None:
    groups = match.groupdict()
    if per := groups["per"]:
        part = per[3:]
        return Fraction(100) if part == "百" else _value(part)
    if part := groups["part"]:
        below, above = part.split("分之")
        return _value(above) / _value(below) if _value(below) else None
    plain = groups["value"] or groups["single"]
    return _value(plain) if plain else None


def _value(numeral: str) -> Fraction:
    if numeral == "半":
        return Fraction(1, 2)
    for mark, plain in _TWENTIES.items():
        numeral = numeral.replace(mark, plain)
    if "点" in numeral and numeral[-1] in _LARGE:
        return _value(numeral[:-1]) * _LARGE[numeral[-1]]
    whole, _, decimals = _FILLERS.sub("", numeral).partition("点")
    return Fraction(_whole(whole)) + Fraction(_positional(decimals), 10 ** len(decimals))


def _positional(digits: str) -> int:
    return int("".join(str(_DIGITS[char]) for char in digits) or "0")


def _whole(numeral: str) -> int:
    for mark, scale in reversed(_LARGE.items()):
        head, found, tail = numeral.partition(mark)
        if found:
            return _whole(head) * scale + _tail(tail, scale)
    return _section(numeral)


def _tail(tail: str, scale: int) -> int:
    """一万五 is 15,000: a lone digit without 零 counts tenths of the unit before it."""
    return _DIGITS[tail] * scale // 10 if len(tail) == 1 and tail in _DIGITS else _whole(tail)


def _section(numeral: str) -> int:
    if not any(scale in numeral for scale in _SCALES):
        return _positional(numeral)
    total, digit, last_scale = 0, None, 1
    for char in numeral:
        if char in _SCALES:
            last_scale = _SCALES[char]
            total, digit = total + (1 if digit is None else digit or 1) * last_scale, None
        else:
            digit = _DIGITS[char]
            last_scale = 1 if digit == 0 else last_scale
    return total + (digit or 0) * max(last_scale // 10, 1)
