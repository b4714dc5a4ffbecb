"""Other wordings of a sentence of the table: the same figures in the same order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from salitrap.lab.draws import Draw
from salitrap.lab.world.load import TAGS, load_cell
from salitrap.records.enums import Language

_SLOT = re.compile(r"<[^>]*>")
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_MARK = "#"


def reworded(sentence: str, draw: Draw, language: Language) -> str:
    """``sentence`` in another wording of the same middle or closing; unchanged when it is neither."""
    bare = _FIGURE.sub(_MARK, sentence)
    others = [wording for wording in _wordings(language).get(bare, ()) if wording != bare]
    if not others:
        return sentence
    figures = iter(_FIGURE.findall(sentence))
    return re.sub(_MARK, lambda _: next(figures), draw.pick(f"reworded/{bare}", others))


@cache
def _wordings(language: Language) -> Mapping[str, tuple[str, ...]]:
    """From each wording, with ``#`` for figures, to all wordings of its sentence."""
    found: dict[str, tuple[str, ...]] = {}
    for tag in TAGS:
        for frame in load_cell(tag, language).frames.values():
            for parts in (*frame.middles, *frame.closings):
                bare = tuple(_SLOT.sub(_MARK, part) for part in parts)
                for wording in bare:
                    found.setdefault(wording, bare)
    return MappingProxyType(found)
