"""In which spellings a key can stand in a text."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

BLANK = "[key]"
SHORTEST_CUT = 12
"""So many first signs of a key are taken for a key that was cut off."""

_ESCAPE = re.compile(
    r"\\+u00([0-9a-f]{2})|\\+x([0-9a-f]{2})|%(?:25)*([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*([0-9]{2,3});"
    r"|\\+[nrt]|<br\s*/?>",
    re.IGNORECASE,
)
_RUN = re.compile(r"\\{2,}")
"""Backslashes in a row: looked at one by one, a text of nothing else takes the square of its length."""

_DECIMAL = 5
_OTHER_ALPHABET = str.maketrans("+/", "-_")
_BETWEEN = r"(?:\s|\\{1,9}[nrt]|<br\s*/?>)*"


def folded(text: str) -> str:
    """``text`` with escapes decoded and without space and backslashes: quick to search for a key."""
    if "\\" in text or "%" in text or "&#" in text or "<" in text:
        text = _ESCAPE.sub(_decoded, _RUN.sub(r"\\", text)).replace("\\", "")
    return "".join(text.split())


def _decoded(escape: re.Match[str]) -> str:
    number = escape.lastindex
    if number is None:
        return ""
    code = int(escape.group(number), 10 if number == _DECIMAL else 16)
    return chr(code)


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a key: its first signs as ``folded`` shows them, and how each sign may be written."""

    head: str
    start: re.Pattern[str]
    rest: tuple[re.Pattern[str], ...]

    def blanked(self, text: str) -> str:
        """``text`` with the key, or as much as is there of it, blanked out wherever it starts."""
        parts, at = [], 0
        while (found := self.start.search(text, at)) is not None:
            parts += [text[at : found.start()], BLANK]
            at = found.end()
            for sign in self.rest:
                following = sign.match(text, at)
                if following is None:
                    break
                at = following.end()
        return "".join([*parts, text[at:]])


def spellings_of(secret: str) -> Iterator[Spelling]:
    """The key as it is, and its base64 at every place of a longer text, in both alphabets."""
    yield _spelling(secret, secret)
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + secret.encode()).decode()
        inner = encoded[-(-before * 8 // 6) : (before + len(secret.encode())) * 8 // 6]
        other = inner.translate(_OTHER_ALPHABET)
        yield _spelling(inner, other)
        if other != inner:
            yield _spelling(other, inner)


def _spelling(signs: str, others: str) -> Spelling:
    """Of ``signs``, each of which may also be the one at its place in ``others``."""
    pairs = [sign + other for sign, other in zip(signs, others, strict=True)]
    start = re.compile(_BETWEEN.join(_ways(pair) for pair in pairs[:SHORTEST_CUT]))
    return Spelling(signs[:SHORTEST_CUT], start, tuple(_following(pair) for pair in pairs[SHORTEST_CUT:]))


@lru_cache(maxsize=256)
def _following(signs: str) -> re.Pattern[str]:
    return re.compile(_BETWEEN + _ways(signs))


def _ways(signs: str) -> str:
    """A pattern for one of ``signs``, plain or escaped."""
    ways = []
    for sign in sorted(set(signs)):
        code = f"{ord(sign):02x}"
        escapes = rf"\\+u00{code}|\\+x{code}|%(?:25)*{code}|&#x0*{code};|&#0*{ord(sign)};"
        ways.append(rf"(?i:{escapes})|\\*{re.escape(sign)}")
    return f"(?:{'|'.join(ways)})"
