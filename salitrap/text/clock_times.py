"""Clock times in running text, each of them one numeral: 6:30, 18：05, 七点五分, 7点半, 九点一刻, 18时30分.

A clock time is worth its hours: 6:30 and 六点半 are 6.5, 18:05 is 217/12, 19:00 is 19 as 19点 is. Morning
and evening are not told apart (晚上九点一刻 is 9.25). No time is read where a measure or classifier follows
the minutes (三点五公里, 八点三十个人), nor after a single digit without 分 (三点五, a decimal). Durations
(1:02:03) and ratios with a two-digit second part (1:25) look the same and are one numeral too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from salitrap.text.chinese_numerals import fold_variants, read_chinese
from salitrap.text.chinese_rules import unit_pattern
from salitrap.text.scanning import matches_from

_NUMBER_CHARACTERS = "0-9０-９零〇○一二三四五六七八九十百千万萬亿億两兩壹贰貳叁參肆伍陆陸柒捌玖拾"
_ANY = re.compile(f"[:：点點时時](?<=[ {_NUMBER_CHARACTERS}].) ?[半{_NUMBER_CHARACTERS}]")
"""What every clock time has in its middle, in any of its notations."""
_START = re.compile("[0-9０-９零一二三四五六七八九十两]")
_HOUR = "(?:[01０１]?[0-9０-９]|[2２][0-4０-４])"
_SIXTY = "[0-5０-５][0-9０-９]"
_HEAD = r"(?<![A-Za-z\d.．])(?<!\d[:：])"
"""No digit, letter or point before, nor the colon of a longer time, but that of a heading (时间：18:30)."""
_TAIL = r"(?!\d|[:：万萬亿億½⅓⅔¼¾]| ?[%％﹪٪‰]|[.．]\d|,\d{3}(?!\d))"
_COLON = f"{_HEAD}(?P<hour>{_HOUR})[:：](?P<minute>{_SIXTY})(?:[:：](?P<second>{_SIXTY}))?{_TAIL}"

_CHINESE = "零〇一二三四五六七八九十百千万亿两"
_T = "[一二三四五六七八九]"
_CHINESE_HOUR = f"(?<![{_CHINESE}点第])(?:二十[一二三四]?|十{_T}?|[零一二三四五六七八九两])"
_TENS = f"[二三四五]?十{_T}?"
_MINUTES = f"(?:零{_T}|{_TENS}|{_T}|{_SIXTY}|[0-9０-９])(?= ?分(?![钟之享析]))"
_HALF = "半(?![夜天个小钟路途价数截年月里米斤])"
_QUARTERS = {"一": 15, "1": 15, "１": 15, "两": 30, "三": 45, "3": 45, "３": 45}

# Before 点十分 these show that 十分 means very (这一点十分重要), the others only before 一点 (早一点十分好).
_POINTED_AT = ("这", "那", "有", "几", "每", "以下")
_LITTLE_MORE = ("早", "快", "慢", "多", "好", "差", "大", "小", "高", "低", "轻", "重", "近", "远")


def find_clock_times(text: str) -> Iterator[tuple[int, int, Fraction]]:
    """Yield (start, end, hours) of each clock time of ``text``, in order."""
    return ((match.start(), match.end(), _hours(match)) for match in _matches(text))


def clock_time_spans(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of each clock time, without working out values."""
    return [match.span() for match in _matches(text)]


def _matches(text: str) -> list[re.Match[str]]:
    if not _ANY.search(text):
        return []
    folded = fold_variants(text)
    return [match for match in matches_from(_START, _pattern(), folded) if not _means_very(folded, match)]


@cache
def _pattern() -> re.Pattern[str]:
    bare = rf"(?:{_TENS}|{_SIXTY})(?![{_CHINESE}点刻\dA-Za-z.．:：]| ?[%％﹪٪‰]| ?{unit_pattern()})"
    after_point = (
        f"(?P<half>{_HALF})|(?P<quarter>[一两三13１３])刻|(?P<minutes>{_MINUTES}) ?分|(?P<bare>{bare})"
    )
    named = f"(?P<named>{_HEAD}{_HOUR}|{_CHINESE_HOUR})"
    return re.compile(f"{_COLON}|{named} ?(?:点 ?(?:{after_point})|时 ?(?P<after_hour>{_MINUTES}) ?分)")


def _means_very(text: str, match: re.Match[str]) -> bool:
    little = _LITTLE_MORE if match["named"] == "一" else ()
    before = text[max(match.start() - 2, 0) : match.start()]
    return match["minutes"] == "十" and before.endswith((*_POINTED_AT, *little))


def _hours(match: re.Match[str]) -> Fraction:
    seconds = _number(match["second"] or "0")
    return _number(match["hour"] or match["named"]) + Fraction(_minutes(match), 60) + Fraction(seconds, 3600)


def _minutes(match: re.Match[str]) -> int:
    if match["half"]:
        return 30
    if match["quarter"]:
        return _QUARTERS[match["quarter"]]
    return _number(match["minute"] or match["minutes"] or match["bare"] or match["after_hour"])


def _number(written: str) -> int:
    """Value of digits of either width, or of a Chinese number up to 59 (零五: 5)."""
    if written.isdecimal():
        return int(written)
    return int(read_chinese(written[-1] if written.startswith("零") else written) or 0)
