"""Where something that is nearly JSON ends, and typographic punctuation made plain."""

from __future__ import annotations

import re

_CLOSERS = {"{": "}", "[": "]"}
_STRUCTURE = re.compile(r"[\"'{}\[\]\\]")
_BEFORE_QUOTE = "{[,:"
_AFTER_QUOTE = re.compile(r"\s*(?:[,:}\]]|$)")
_OPENING_QUOTE = re.compile(r"([{,，\[:：]\s*)[“”„＂「『]")
_CLOSING_QUOTE = re.compile(r"[“”＂」』](\s*[:：,，}\]｝］])")
_TYPOGRAPHIC = re.compile(r"\{\s*[“”„＂「『]")
_WIDE_COLON = re.compile(r"(\"\s*)：")
_BARE = r"true|false|null|True|False|None|是|否|真|假"
_WIDE_COMMA = re.compile(rf"([\"}}\]\d]|{_BARE})(\s*)，(\s*)(?=[\"{{\[])")
_BARE_WORD = re.compile(r"(\"\s*:\s*)(是|否|真|假)(?=\s*[,}])")


def span_end(text: str, start: int) -> int | None:
    """Return the index behind the bracket that closes the one at ``start``.

    None when ``text`` ends before that, ``start`` when the brackets do not match. A quote opens a
    string only after structure and closes it only before structure, so that apostrophes and
    unescaped quotes inside a string change nothing.
    """
    open_brackets: list[str] = []
    at, quote = start, ""
    while (sign := _STRUCTURE.search(text, at)) is not None:
        found, place = sign.group(), sign.start()
        at = sign.end() + (1 if found == "\\" else 0)
        if quote:
            quote = "" if found == quote and _AFTER_QUOTE.match(text, at) else quote
        elif found in "\"'":
            quote = found if _opens(text, start, place) else ""
        elif found in _CLOSERS:
            open_brackets.append(_CLOSERS[found])
        elif found != "\\":
            if found != open_brackets.pop():
                return start
            if not open_brackets:
                return at
    return None


def plain_structure(text: str) -> str:
    """Make typographic brackets, quotes, colons and commas plain where they stand for structure."""
    text = text.replace("｛", "{").replace("｝", "}") if "{" not in text else text
    if _TYPOGRAPHIC.search(text) is not None:
        text = _OPENING_QUOTE.sub(r'\1"', text)
        text = _CLOSING_QUOTE.sub(r'"\1', text)
    text = _WIDE_COLON.sub(r"\1:", text)
    text = _WIDE_COMMA.sub(r"\1\2,\3", text)
    return _BARE_WORD.sub(r'\1"\2"', text)


def _opens(text: str, start: int, place: int) -> bool:
    while place > start and text[place - 1].isspace():
        place -= 1
    return text[place - 1] in _BEFORE_QUOTE
