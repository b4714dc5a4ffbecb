"""Fields marked in running text: ``[[ ## name ## ]]`` sections, ``name: value`` lines, ``<name>`` tags."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from salitrap.providers.parsing.field_names import collected, folded

_MARKER = re.compile(r"^[ \t]*\[\[ ?##[ \t]*(\w+)[ \t]*## ?\]\][ \t]*", re.MULTILINE)
_LABEL = re.compile(
    r"^[ \t\u200b\u2060\ufeff]*(?:[-*•>#]+[ \t]+|\d{1,2}[.)][ \t]*)?[*_`\"']{0,3}"
    r"([A-Za-z][\w \-]{0,40}?)[*_`\"']{0,3}"
    r"[ \t]*[:：][*_`]{0,3}[ \t]*",
    re.MULTILINE,
)
_TAG = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL)
_QUOTES = ('""', "“”", "「」")


def marked_fields(body: str) -> dict[str, Any]:
    """Sections that start with ``[[ ## name ## ]]`` at the start of a line."""
    marks = list(_MARKER.finditer(body))
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    return collected(
        (mark.group(1), body[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=False)
    )


def tagged_fields(body: str, fields: Collection[str]) -> dict[str, Any]:
    """What stands in closed tags named after a field."""
    return collected((name, inner.strip()) for name, inner in _TAG.findall(body) if name in fields)


def lined_fields(body: str, fields: Collection[str]) -> dict[str, Any]:
    """Lines ``name: value``, in any of the usual dresses.

    A value is one line, that of its name or the next: whether further lines belong to it or are
    the model's own remarks cannot be told, so a field with more is left out.
    """
    names = {folded(name): name for name in fields}
    marks = [mark for mark in _LABEL.finditer(body) if folded(mark.group(1)) in names]
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    sections = [
        (names[folded(mark.group(1))], body[mark.end() : end].strip())
        for mark, end in zip(marks, ends, strict=False)
    ]
    return collected((name, _unquoted(text)) for name, text in sections if "\n" not in text)


def has_lines(body: str, fields: Collection[str]) -> bool:
    """True when a line of ``body`` begins with the name of a field and a colon."""
    names = {folded(name) for name in fields}
    return any(folded(mark.group(1)) in names for mark in _LABEL.finditer(body))


def _unquoted(text: str) -> str:
    for pair in _QUOTES:
        inner = text[1:-1]
        if len(text) > 1 and text[0] == pair[0] and text[-1] == pair[1] and not set(pair) & set(inner):
            return inner.strip()
    return text
