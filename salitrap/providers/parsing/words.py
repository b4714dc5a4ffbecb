"""Words that models write for true and false, for scores, and for choices."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping

# Words for "there is" and "there is none" are left out: of a field such as no_escape they can mean either.
_TRUE = ("true", "yes", "y", "1", "t", "是", "是的", "对", "对的", "真", "成立", "√", "✓", "✔", "✅")
_FALSE = ("false", "no", "n", "0", "f", "否", "不是", "不", "不对", "假", "不成立", "×", "✗", "✘", "❌")
_BOOLEANS = {**dict.fromkeys(_TRUE, True), **dict.fromkeys(_FALSE, False)}
_TRIM = " \t\r\n.。!！,，;；\"'“”‘’「」`*"

# What the choices of our prompts are called in Chinese; a word counts only where its choice is offered.
_CHOICES = {
    **dict.fromkeys(("早", "较早", "早期"), "early"),
    **dict.fromkeys(("晚", "较晚", "迟", "晚期"), "late"),
    **dict.fromkeys(("从不", "从未", "从没", "从来没有", "始终没有", "始终未"), "never"),
    **dict.fromkeys(("无", "没有", "无变化", "没有变化", "未变"), "none"),
    **dict.fromkeys(("修补", "已修补", "被修补", "补救", "打补丁"), "patched"),
    **dict.fromkeys(("替换", "已替换", "被替换", "调换", "偷换"), "swapped"),
    **dict.fromkeys(("丢失", "已丢失", "失去", "消失"), "lost"),
}
_NUMERALS = {
    **{word: str(number) for number, word in enumerate("一二三四五六七八九十", start=1)},
    **{
        word: str(number)
        for number, word in enumerate(
            ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1
        )
    },
    "两": "2",
}
_SENTENCE = re.compile(r"[.!] |[。！]")
_SCORE = re.compile(
    r"([0-9]+|[a-z]+|[一二两三四五六七八九十])(?:\.0+)?\s*(?:分|星|points?|stars?)?"
    r"(?:\s*(?:/|out of)\s*([0-9]+)\s*分?)?"
)


def trimmed(text: str) -> str:
    """``text`` without case, width, invisible signs, and the stops, quotes and emphasis around it."""
    visible = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", visible).strip(_TRIM).casefold()


def boolean_of(text: str) -> bool | None:
    """True or false when ``text`` is a word for it, None otherwise."""
    return _BOOLEANS.get(trimmed(text))


def choice_of(text: str, choices: Collection[str]) -> str | None:
    """The member of ``choices`` that ``text`` names, None when it names none or more than one.

    A sentence may follow the word, as in "pass. I see no fault", unless it names a choice as well.
    """
    plain = {trimmed(choice): choice for choice in choices}
    word, *reasons = _SENTENCE.split(trimmed(text), maxsplit=1)
    reason = "".join(reasons)
    if reason and any(re.search(rf"\b{re.escape(choice)}\b", reason) for choice in plain):
        return None
    return plain.get(word, plain.get(_CHOICES.get(word, "")))


def score_of(text: str, choices: Mapping[str, object]) -> str | None:
    """The score that ``text`` gives, as in "4/5", "4 分" or "four"; None when it is none of ``choices``.

    A score "of n" counts only when n is the highest one: 4 of 10 is no 4 of 5.
    """
    found = _SCORE.fullmatch(trimmed(text))
    if found is None:
        return None
    number, highest = _NUMERALS.get(found.group(1), found.group(1)), found.group(2)
    if highest is not None and int(highest) != max(int(choice) for choice in choices):
        return None
    return number if number in choices else None
