"""Markdown built from text that models or users wrote: nothing in it becomes mark-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_INLINE = re.compile(r"([\\`*_\[\]!|~$@]|:(?=//)|(?<=www)\.)")
_BLOCK = re.compile(r"^(\d*)([#+=.)-])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def plain(text: str) -> str:
    """Return ``text`` on one line and escaped, so that a reader sees exactly its characters."""
    escaped = _BLOCK.sub(r"\1\\\2", _INLINE.sub(r"\\\1", one_line(text)))
    return "".join(_ENTITIES.get(char, char) for char in escaped)


def one_line(text: str) -> str:
    """Return ``text`` on one line, without characters that nobody sees."""
    return " ".join(_INVISIBLE.sub(" ", text).split())


def code(text: str) -> str:
    """Return ``text`` as a code span when it is a plain identifier, else escaped like any text."""
    return f"`{text}`" if re.fullmatch(r"[\w@/.+=:-]+", text) else plain(text)


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True) -> str:
    """Return a table; cells must be escaped already.

    With ``numbers`` every column but the first is aligned to the right.
    """
    rule = ["---"] + ["---:" if numbers else "---"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, rule, *rows))
