"""The word, unit and number patterns that tell Chinese numerals from words, built from data."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import cast

from salitrap.yaml_source import read_yaml

DATA = Path(__file__).parent / "words" / "numerals_zh.yaml"
DIGITS = "零〇一二三四五六七八九"
NUMERALS = frozenset(f"{DIGITS}十百千万亿两半廿卅")
_D = "[一二三四五六七八九两]"
_T = "[一二三四五六七八九]"
_SCALE = "[十百千万亿]"
_NOT_SECOND_HALF = "(?<![前后])(?<!(?<!加)上)(?<!(?<![剩余留])下)"  # 下半年, but 剩下半年
_NOT_HALF = "(?![价数路途夜截载])"  # 一杯半价咖啡, 一年半载


@cache
def chinese_pattern(*, articles: bool) -> re.Pattern[str]:
    """Return the pattern to scan text of standard variants with (两, not 兩), compiled once.

    A match is a numeral when one of the groups ``per``, ``part``, ``value`` or ``single`` is set,
    and a word otherwise. ``articles`` also finds the 一 of 一个 and 第一.

    Raises:
        InputError: the data file is missing or broken.
    """
    data = cast(dict[str, object], read_yaml(DATA).value)
    limits, measures = _lists(data["unit_not_before"]), _strings(data["measures"])
    units = measures + _strings(data["classifiers"])
    measure, unit = _units(measures, limits), _units(units, limits)
    number = _number("".join(sorted({name[0] for name in units})))
    single = (
        _single(unit, measure) + _halves(data, measure) + (f"|一(?={unit})|(?<=第)一" if articles else "")
    )
    return re.compile(f"{_words(data, unit, measure)}|{number}|(?P<single>{single})")


@cache
def chinese_start() -> re.Pattern[str]:
    """Return the pattern that matches where a match of ``chinese_pattern`` can begin, and rarely elsewhere.

    That is a numeral character, or the first of a word with its numeral not too far behind.
    """
    words = _strings(cast(dict[str, object], read_yaml(DATA).value)["words"])
    firsts = "".join(sorted({word[0] for word in words} | set(NUMERALS)))
    distance = max(min(map(word.find, NUMERALS & set(word))) for word in words)
    numeral = f"[{''.join(sorted(NUMERALS))}]"
    return re.compile(f"[{firsts}](?:(?<={numeral})|(?=.{{0,{distance - 1}}}{numeral}))", re.DOTALL)


@cache
def unit_pattern() -> str:
    """Source of a pattern for one measure or classifier, with what may not follow it."""
    data = cast(dict[str, object], read_yaml(DATA).value)
    return _units(_strings(data["measures"]) + _strings(data["classifiers"]), _lists(data["unit_not_before"]))


def _strings(value: object) -> tuple[str, ...]:
    return tuple(cast(list[str], value))


def _lists(value: object) -> dict[str, tuple[str, ...]]:
    """Read a mapping to lists; a plain string stands for the list of its characters."""
    return {key: tuple(inner) for key, inner in cast(dict[str, list[str] | str], value).items()}


def _units(names: tuple[str, ...], limits: dict[str, tuple[str, ...]]) -> str:
    return _by_first({name: _not_before(limits.get(name, ())) for name in names})


def _words(data: dict[str, object], unit: str, measure: str) -> str:
    """Words; one that ends in a numeral gives way when that numeral goes on or has a unit."""
    after, before = _lists(data["word_not_after"]), _lists(data["word_not_before"])
    groups: dict[str, dict[str, str]] = {f"(?!{_SCALE}|{measure})": {}, f"(?!{_SCALE}|{unit})": {}, "": {}}
    to_measure, to_unit, free = groups.values()
    for word in _strings(data["words"]):
        group = to_measure if word[-1] == "一" else to_unit if word[-1] in DIGITS else free
        heads = "".join(f"(?<!{head}{word})" for head in after.get(word, ()))
        group[word] = _not_before(before.get(word, ())) + heads
    return "|".join(f"(?:{_by_first(words)}){tail}" for tail, words in groups.items())


def _not_before(tails: tuple[str, ...]) -> str:
    return f"(?!{'|'.join(map(re.escape, tails))})" if tails else ""


def _by_first(endings: dict[str, str]) -> str:
    """Alternatives grouped by first character, longest first: most positions fail on one look."""
    groups: dict[str, list[str]] = {}
    for text in sorted(endings, key=lambda text: (-len(text), text)):
        groups.setdefault(text[0], []).append(re.escape(text[1:]) + endings[text])
    branches = [f"{first}(?:{'|'.join(rest)})" for first, rest in sorted(groups.items())]
    return f"(?=[{''.join(sorted(groups))}])(?:{'|'.join(branches)})"


def _number(unit_starts: str) -> str:
    """Two or more characters: 百分之三十, 三分之一, 二〇二六, 三点五, 一百零五, 三十多万, 两千五."""
    last = f"(?:{_T}(?!{_SCALE})(?<!一)|一(?![{unit_starts}]))"  # 三百一张 is 三百 each, not 三百一
    tens = f"(?:(?:{_D}?十|[廿卅]){_T}?)"
    hundreds = f"(?:{_D}百(?:{_T}?十{_T}?|零{_T}|{last})?)"
    thousands = f"(?:{_D}千(?:零?{hundreds}|零?{tens}|零{_T}|{last})?)"
    section = f"(?:{thousands}|{hundreds}|{tens})"
    small = f"(?:{thousands}|{hundreds}|{tens}|{_D})"
    wan = f"{small}[多来余]?万(?:零?{section}|零{_T}|{last})?"
    yi = f"{small}[多来余]?万?亿(?:零?{wan}|零?{section}|零{_T}|{last})?"
    # Clock times are taken out before. 三点五个人 and 九点一过 are hours; 三点五公里, 三点五万 decimals.
    people = "[名位人]|个(?!小时|钟头|月|星期|百分点|单位)"
    hour = f"一(?:[十百千]|[个起些下样直定般过响开]|到(?![{DIGITS}]))"
    point = f"点(?!{hour})[{DIGITS}]++(?![十百千]|{people})[万亿]?"
    decimal = f"(?:{section}|[{DIGITS}两]){point}"
    positional = f"[{DIGITS}]{{3,}}+(?!{_SCALE})|{_T}[零〇]++(?!{_SCALE})|[{DIGITS}]{{2}}(?=年)"
    lone_ten = f"(?!十(?!{_T}|[万亿]|[多来余]万|{point}))"
    value = f"{positional}|{lone_ten}(?:{decimal}|{yi}|{wan}|{section})"
    per, part = f"[百千万]分之(?:{decimal}|{small}|百)", f"{small}分之{small}"
    return f"(?P<per>{per})|(?P<part>{part})|(?P<value>{value})"


def _single(unit: str, measure: str) -> str:
    """One character: 第三, 两个, 十来米, 三点, 一公里, 半小时, 两三天."""
    about = "[多来余几]?"
    ordinal = "(?<=第)[二三四五六七八九十]"
    counted = f"[零二三四五六七八九两十](?={about}{unit})"
    spread = f"[一二三四五六七八九两](?=[二三四五六七八九两](?:{_SCALE}|{unit}))"
    measured = f"一(?={measure}|个(?:月|星期|世纪))"
    return f"{ordinal}|{counted}|{spread}|{measured}"


def _halves(data: dict[str, object], measure: str) -> str:
    """半 and the 一 beside it: 半小时, 半锅, 半年 (not 上半年), 两个半月, 5个半, 3小时半, 一斤半."""
    limits = _lists(data["unit_not_before"])
    halved, whole = _units(_strings(data["halved"]), limits), _strings(data["followed_by_half"])
    before = "|".join(f"(?<=[{DIGITS}十两\\d]{unit})" for unit in whole)
    month = "个(?:多)?(?:小时|钟头|月|星期|世纪)"
    half = f"半(?={measure}|{month}|{halved})|{_NOT_SECOND_HALF}半(?=年|场)"
    rest = f"(?=半)(?:{before})半{_NOT_HALF}"
    return f"|一(?=(?:{'|'.join(whole)})半{_NOT_HALF})|{half}|{rest}"
