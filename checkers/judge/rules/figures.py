"""Figures of an answer that the request does not have, and whether they are of the kind asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from checkers.judge.question import Question
from salitrap.records.enums import Language
from salitrap.text import find_numerals

_NUMBER_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15",
    "sixteen": "16", "eighteen": "18", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
    "sixty": "60", "hundred": "100", "dozen": "12",
}  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
_CALCULATION = re.compile(
    r"[=＝≈×÷→⇒∑]|\d\s?[-−+*/]\s?\d|\\(?:times|frac|approx|div|cdot|ge|le|Rightarrow)\b|\d\s?[xX]\s?\d"
)
_ROW = re.compile(r"^\|.*\d.*\|$")
_CLOCK = re.compile(
    r"\b\d{1,2}[:.：]\d{2}\b|\b\d{1,2}\s?(?:am|pm|o'clock)\b|[\d零一二三四五六七八九十]+点|\d{1,2}[:：]\d{2}"
    r"|\b(?:half|quarter|ten|twenty|five) (?:past|to) \w+|\bo'clock\b"
    r"|\d+月\d+[日号]|\d+[日号]|第\d+[天周月]|\b\d{1,2}(?:st|nd|rd|th)\b"
    r"|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[$£€¥￥]\s?[1-9][\d,.]*|[\d.]+\s?[万千百]?[元块]|[\d,.]+ (?:dollars|pounds|euros|quid|pence)"
)
_ASKS_TIME = re.compile(
    r"\bwhen\b|\bwh(?:at|ich) (?:time|date|day|point|minute|hour)|\bhow (?:early|late|soon)\b"
    r"|几点|几号|几月|几时|哪天|哪一天|何时|什么时候",
    re.IGNORECASE,
)
_ASKS_MONEY = re.compile(
    r"\bhow much (?:money|do I (?:pay|owe|save|get|make|earn)|will (?:it|that|I)|does it cost)|\bcosts?\b"
    r"|\bpay\b|\bowe\b|\bsave\b|\braise\b|\bwhat (?:do I|will I|would I|'s left|is left)"
    r"|多少钱|花多少|多少元|总价|省多少|赚多少|费用",
    re.IGNORECASE,
)
_ASKS_LONG = re.compile(r"\bhow (?:long|far|often|fast)\b|多久|多长|多远|多快", re.IGNORECASE)
_LONG = re.compile(
    r"\d\s?(?:s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|m|km|metres?|meters?)\b"
    r"|\d\s?(?:分钟|秒|小时|天|周|米|公里)"
)
_COUNTED_EN = re.compile(r"\bhow many ((?:[\w'’-]+ ){0,2}[\w'’-]+)", re.IGNORECASE)
_COUNTED_ZH = re.compile(r"(?:几|多少)([\u4e00-\u9fff])")
_NOT_COUNTED_ZH = frozenset("点号月时钱年都也来的是能要")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？；])(?!\d)")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a text: where it is, and its value in decimal notation."""

    start: int
    end: int
    value: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the request wants to know, as patterns that a part of an answer to it matches."""

    kinds: tuple[re.Pattern[str], ...]

    def answered_in(self, text: str) -> int:
        """How many of the kinds occur in ``text``."""
        return sum(kind.search(text) is not None for kind in self.kinds)


def figures_of(text: str, language: Language) -> list[Figure]:
    """Figures of ``text`` in order; small English numbers in words too."""
    found = [Figure(one.start, one.end, one.value) for one in find_numerals(text)]
    if language is Language.EN:
        words = _NUMBER_WORD.finditer(text)
        found += [Figure(*match.span(), _NUMBER_WORDS[match.group().casefold()]) for match in words]
    return sorted(found, key=lambda figure: figure.start)


def calculations(text: str) -> int:
    """Signs of calculation in ``text``: equals signs, products, rows of figures."""
    return len(_CALCULATION.findall(text)) + (2 if _ROW.match(text) else 0)


def asked_of(question: Question) -> Asked:
    """What the request asks for, from its sentences with a question mark, else from all of it."""
    parts = _SENTENCE_END.split(question.prompt)
    asking = " ".join(part for part in parts if part.endswith(("?", "？"))) or question.prompt
    kinds = list[re.Pattern[str]]()
    kinds += [_CLOCK] if _ASKS_TIME.search(asking) else []
    kinds += [_MONEY] if _ASKS_MONEY.search(asking) else []
    kinds += [_LONG] if _ASKS_LONG.search(asking) else []
    return Asked((*kinds, *_counted(asking, question.language)))


def _counted(asking: str, language: Language) -> list[re.Pattern[str]]:
    if language is Language.ZH:
        measures = [one for one in _COUNTED_ZH.findall(asking) if one not in _NOT_COUNTED_ZH]
        return [re.compile(rf"[\d半一二两三四五六七八九十百千万]\s?{measure}") for measure in measures]
    number = rf"(?:\d|\b(?:{'|'.join(_NUMBER_WORDS)}|one|no)\b)"
    patterns = list[re.Pattern[str]]()
    for words in _COUNTED_EN.findall(asking):
        nouns = "|".join(re.escape(word.rstrip("s")) for word in words.split() if len(word) > 3)
        if nouns:
            patterns.append(re.compile(rf"{number}[^.\n]{{0,25}}?\b(?:{nouns})", re.IGNORECASE))
    return patterns
