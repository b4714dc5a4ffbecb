"""Hints for files that another keyboard or another encoding made unreadable."""

from __future__ import annotations

import re
from collections.abc import Sequence

ASCII_FOR = {
    "：": ":",
    "，": ",",
    "、": ",",
    "【": "[",
    "】": "]",
    "［": "[",
    "］": "]",
    "｛": "{",
    "｝": "}",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "「": '"',
    "」": '"',
    "＂": '"',
    "－": "-",
    "＃": "#",
    "\u3000": " ",
}
QUOTES = {"“": "”", "‘": "’", "「": "」", "”": "”", "＂": "＂"}
TYPOGRAPHIC = "“”‘’"
DIGITS = {chr(0xFF10 + digit): str(digit) for digit in range(10)}
BRACKETS = {"【": "】", "［": "］", "｛": "｝"}
SEPARATORS = re.compile("[,，、\"“':：]")
STRUCTURE = (
    re.compile(r"^\s*(?:[-－]\s+)?[\w.-]+\s*(：)"),
    re.compile(r"(?:[:：,，\[{\-]|^)\s*([【［｛“‘「＂])"),
    re.compile(r"[\[{][^\]}]*?([，：、】］｝”])"),
    re.compile(r"([－])\s"),
    re.compile("^ *(\u3000)"),
)
"""Places where YAML wants a mark and an author has typed its full-width twin."""

KEY_OF_TWO = re.compile("^[\\w.-]+：\\s*[\\[{\"'【［｛“‘「]")
LINES_BACK = 4
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def full_width_hint(text: str) -> str:
    """Name the first full-width mark of ``text`` and what to write for it; empty when it has none."""
    return next((_advice(mark) for mark in text if mark in ASCII_FOR), "")


def full_width_digit_hint(text: str) -> str:
    """Name the first full-width digit of ``text`` and what to write for it; empty when it has none."""
    return next(
        (f"{mark!r} is a full-width digit; write {DIGITS[mark]!r}" for mark in text if mark in DIGITS), ""
    )


def hint_near(lines: Sequence[str], line: int) -> tuple[int, str] | None:
    """Look for a full-width mark in a place of structure at or shortly before a line.

    ``line`` counts from 1, and so does the line that is returned with the hint; None when there is no
    such mark.
    """
    for number in range(min(line, len(lines)), max(0, line - LINES_BACK), -1):
        for pattern in STRUCTURE:
            found = pattern.search(lines[number - 1])
            if found is not None:
                return number, _advice(found.group(1))
    return None


def is_wrongly_quoted(text: str) -> bool:
    """True for a value in typographic quotes, which YAML takes for a part of it."""
    return len(text) > 1 and QUOTES.get(text[0]) == text[-1]


def is_wrongly_bracketed(text: str) -> bool:
    """True for a list or a mapping in full-width brackets, which YAML takes for one text."""
    return len(text) > 1 and BRACKETS.get(text[0]) == text[-1] and bool(SEPARATORS.search(text[1:-1]))


def is_key_of_two(key: str) -> bool:
    """True for ``default：{zh``: a key that has run on over a full-width colon into its value."""
    return bool(KEY_OF_TWO.search(key))


def encoding_of(raw: bytes) -> str:
    """Guess the encoding of bytes that are not UTF-8 text: a name to be shown, empty when unknown."""
    if raw.startswith(UTF16_MARKS) or b"\x00" in raw:
        return "UTF-16"
    try:
        raw.decode("gb18030")
    except UnicodeDecodeError:
        return ""
    return "GBK"


def _advice(mark: str) -> str:
    kind = "typographic quote" if mark in TYPOGRAPHIC else "full-width mark"
    return f"{mark!r} is a {kind}; write {ASCII_FOR[mark]!r}"
