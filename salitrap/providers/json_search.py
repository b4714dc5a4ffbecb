"""Find JSON values in a reply: alone, fenced, amid prose, or with typographic punctuation."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import json_repair

from salitrap.providers.parse_error import ParseError

_OPENER = re.compile(r"[{\[]")
_JSON_LIKE = re.compile(r"\{\s*(?:[\"'“”‘’「『＂]|\}|\w+\s*[:：])|\[\s*[\[{\"“]|\{\s*$")
_FENCE = "```"
_MOST_OPENERS = 1000
_OPENING_QUOTE = re.compile(r"([{,，\[:：]\s*)[“”„＂]")
_CLOSING_QUOTE = re.compile(r"[“”＂](\s*[:：,，}\]｝］])")
_TYPOGRAPHIC = re.compile(r"\{\s*[“”„＂]")
_WIDE_COLON = re.compile(r"(\"\s*)：")
_WIDE_COMMA = re.compile(r"([\"}\]\d]|true|false|null)(\s*)，(\s*)(?=[\"{\[])")
_AFTER_VALUE = re.compile(r"[\s`。.!！]*")


class CutOff(ParseError):
    """The reply ends inside its JSON."""


def looks_structured(text: str) -> bool:
    """True when ``text`` tries to be JSON, however badly."""
    return _FENCE in text or _JSON_LIKE.search(text) is not None


def find_values(text: str) -> list[Any]:
    """Return every outermost JSON object and list in ``text``, in order.

    Raises:
        CutOff: an object or list is still open where the text ends.
    """
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    values: list[Any] = []
    at = 0
    for _ in range(_MOST_OPENERS):
        opener = _OPENER.search(text, at)
        if opener is None:
            break
        at = opener.start()
        try:
            value, at = decoder.raw_decode(text, at)
            values.append(value)
        except json.JSONDecodeError as error:
            if _cut_off(text, at, error):
                raise CutOff("the JSON is cut off before its end (token limit?)", text) from None
            at += 1
        except (ValueError, RecursionError):
            at += 1
    return values


def repaired_values(text: str) -> list[Any]:
    """Return what tolerant reading makes of ``text``; the last resort.

    First typographic quotes, colons and commas are made plain where they stand for structure, and
    only there. Then a repair, but never of a text that stops before its last bracket.
    """
    plain = _plain_structure(text)
    if plain != text and (values := _quietly(plain)):
        return values
    start = _JSON_LIKE.search(plain)
    if start is None:
        return []
    opener = plain[start.start()]
    end = plain.rfind("}" if opener == "{" else "]")
    if end < start.start() or _AFTER_VALUE.fullmatch(plain, end + 1) is None:
        return []
    return _repair(plain[start.start() : end + 1])


def _repair(span: str) -> list[Any]:
    try:
        value = json_repair.loads(span, skip_json_loads=True)
    except Exception as error:  # a repair may fail in any way; the reply is then simply unparsable
        raise ParseError(f"not valid JSON, and beyond repair ({type(error).__name__})", span) from error
    return [value] if isinstance(value, (dict, list)) and value else []


def _quietly(text: str) -> list[Any]:
    try:
        return find_values(text)
    except CutOff:
        return []


def _plain_structure(text: str) -> str:
    text = text.replace("｛", "{").replace("｝", "}") if "{" not in text else text
    if _TYPOGRAPHIC.search(text) is not None:
        text = _OPENING_QUOTE.sub(r'\1"', text)
        text = _CLOSING_QUOTE.sub(r'"\1', text)
    text = _WIDE_COLON.sub(r"\1:", text)
    return _WIDE_COMMA.sub(r"\1\2,\3", text)


def _cut_off(text: str, at: int, error: json.JSONDecodeError) -> bool:
    if _JSON_LIKE.match(text, at) is None:
        return False
    return error.msg.startswith("Unterminated string") or not text[error.pos :].strip("` \t\r\n")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
