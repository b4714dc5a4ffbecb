"""What only the card of an earlier version says: readable names of dimensions, and notes of people."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from exports.dataset.card import NOTES_LINE
from exports.dataset.markdown import plain
from salitrap.errors import InputError

_ESCAPED = re.compile(r"\\(.)")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def notes_below(card: Path) -> str:
    """Return what people wrote below the notes line.

    Raises:
        InputError: the card cannot be read.
    """
    return _text(card).partition(NOTES_LINE + "\n")[2]


def dimension_names(card: Path, tags: Collection[str]) -> dict[str, str]:
    """Return the readable names of ``tags`` from the tables of a card, as far as it gives them.

    Raises:
        InputError: the card cannot be read.
    """
    cells = [line[2:].split(" | ", 1)[0] for line in _text(card).splitlines() if line.startswith("| ")]
    named = {tag: _name(tag, cells) for tag in tags}
    return {tag: name for tag, name in named.items() if name}


def _name(tag: str, cells: Collection[str]) -> str:
    for cell in cells:
        if cell.startswith(f"{plain(tag)} "):
            text = _ESCAPED.sub(r"\1", cell)
            for entity, char in _ENTITIES:
                text = text.replace(entity, char)
            if plain(text) == cell:
                return text.removeprefix(f"{tag} ")
    return ""


def _text(card: Path) -> str:
    try:
        return card.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"{card}: cannot be read ({error.strerror}); verify the folder") from error
