"""The word lists of the rule judge: ``en.yaml`` and ``zh.yaml`` beside this module.

An entry is a phrase. ``…`` in it stands for a short gap inside the sentence, ``(a|b)`` for a choice,
``(a)?`` for an optional part, ``~`` for the rest of an English word, ``～`` for one Chinese character.
Matching ignores case, takes any white space for a space and either apostrophe, and keeps to word
boundaries in English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType

from salitrap.errors import SeedFileError
from salitrap.records.enums import Language
from salitrap.yaml_source import YamlSource, read_yaml

DATA = Path(__file__).parent
_GAP = {Language.EN: r"(?:[\s,]{1,4}[\w'’%-]{1,30}){0,5}?[\s,]{1,4}", Language.ZH: r"[^。！？；.!?;\n]{0,8}?"}
_PIECES = re.compile(r"(\s*…\s*|\(|\)\??|\||\s+|['’]|~|～)")
_OPERATORS = {
    "(": "(?:",
    "|": "|",
    ")": ")",
    ")?": ")?",
    "'": "['’]",
    "’": "['’]",
    "~": r"\w*",
    "～": "[\u4e00-\u9fff]",
}


class Cue(StrEnum):
    """What a phrase is a sign of."""

    DENIAL = "denial"
    IMPOSSIBLE = "impossible"
    DECLINE = "decline"
    OTHER_GROUNDS = "other_grounds"
    LIMITS = "limits"
    HEDGE = "hedge"
    ASIDE = "aside"
    GOES_ON = "goes_on"
    RESULT = "result"
    CONCLUSION = "conclusion"
    WORK = "work"
    SWAP = "swap"
    ENABLER = "enabler"
    META = "meta"
    COMMON = "common"


def list_file(language: Language) -> Path:
    """The file with the lists of a language."""
    return DATA / f"{language.value}.yaml"


@cache
def cue_patterns(language: Language) -> Mapping[Cue, re.Pattern[str]]:
    """One pattern for each list of a language.

    Raises:
        SeedFileError: a list is missing, unknown, or no list of phrases.
    """
    source = read_yaml(list_file(language))
    if not isinstance(source.value, dict) or set(source.value) != set(Cue):
        raise SeedFileError(f"expected the lists {', '.join(Cue)}", path=source.path)
    return MappingProxyType({cue: _compile(language, _phrases(source, cue)) for cue in Cue})


def _phrases(source: YamlSource, cue: Cue) -> list[str]:
    assert isinstance(source.value, dict)
    entries = source.value[cue]
    found = [one for one in entries if isinstance(one, str) and one] if isinstance(entries, list) else []
    if not found or not isinstance(entries, list) or len(found) != len(entries):
        line = source.line_of((cue,))
        raise SeedFileError(f"{cue}: expected a list of phrases; quote them", path=source.path, line=line)
    return found


def _compile(language: Language, entries: list[str]) -> re.Pattern[str]:
    """The longest phrases first, so that what matches is the whole wording and not its beginning."""
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    body = "|".join(_phrase(language, entry) for entry in ordered)
    if language is Language.EN:
        body = rf"(?<![\w'’])(?=[\w'’])(?:{body})(?!\w)"
    return re.compile(body, re.IGNORECASE)


def _phrase(language: Language, entry: str) -> str:
    return "".join(_piece(language, piece) for piece in _PIECES.split(entry))


def _piece(language: Language, piece: str) -> str:
    if "…" in piece:
        return _GAP[language]
    if piece.isspace():
        return r"\s{1,4}"
    return _OPERATORS.get(piece) or re.escape(piece)
