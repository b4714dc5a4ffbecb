"""JSON whose structure is written in typographic quotes and full-width punctuation, read exactly."""

from __future__ import annotations

import json
import re
import unicodedata

_PAIRS = {"“": "”", "‘": "’", "「": "」", "『": "』", "«": "»", "„": "“”", "＂": "＂"}
_PLAIN = {"｛": "{", "｝": "}", "［": "[", "］": "]", "：": ":", "，": ",", "、": ","}
_JSON_TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_OPENERS, _CLOSERS = "{[", "}]"


def exact_structure(text: str) -> str | None:
    """``text`` with the JSON in it in plain punctuation, its texts unchanged; None when that is unclear.

    Inside a text, quotes of the same kind are told from its end by being in pairs: “he said “go””.
    """
    parts: list[str] = []
    at = depth = 0
    while at < len(text):
        piece, at = _piece(text, at, depth)
        if piece is None:
            return None
        depth = max(depth + (piece in _OPENERS) - (piece in _CLOSERS), 0) if len(piece) == 1 else depth
        parts.append(piece)
    return None if depth else "".join(parts)


def _piece(text: str, at: int, depth: int) -> tuple[str | None, int]:
    """The sign or the text at ``at`` as JSON has it, and where to go on; None when a text has no end."""
    sign = text[at]
    plain = _PLAIN.get(sign, sign)
    if not depth:
        return (plain if plain in _OPENERS else sign), at + 1
    if sign == '"':
        whole = _JSON_TEXT.match(text, at)
        return (None, at) if whole is None else (whole.group(), whole.end())
    if sign in _PAIRS:
        return _quoted(text, at)
    return ("" if unicodedata.category(sign) == "Cf" else plain), at + 1


def _quoted(text: str, start: int) -> tuple[str | None, int]:
    """The text between the quote at ``start`` and its partner, as a JSON text."""
    opening, closing = text[start], _PAIRS[text[start]]
    nested = opening not in closing
    depth = 1
    for at in range(start + 1, len(text)):
        if text[at] in closing:
            depth -= 1
        elif nested and text[at] == opening:
            depth += 1
        if not depth:
            return _as_json(text[start + 1 : at]), at + 1
    return None, start


def _as_json(inner: str) -> str:
    r"""What the model meant by its own escapes stays: ``\n`` is a line break, a plain ``"`` a quote."""
    candidate = f'"{inner}"'
    if _JSON_TEXT.fullmatch(candidate) is None:
        return json.dumps(inner, ensure_ascii=False)
    try:
        json.loads(candidate)
    except ValueError:
        return json.dumps(inner, ensure_ascii=False)
    return candidate
