"""Wording that gives something away: lists per kind and language, kept as data beside this module.

An entry is a phrase. ``…`` in it stands for a short gap inside the sentence, ``(a|b)`` for a choice,
``(a)?`` for an optional part. Matching ignores case, takes any white space for a space
and either apostrophe, and keeps to word boundaries in alphabetic scripts.

``harmless`` lists, by kind, longer phrases in which a phrase of that kind gives nothing away
(仿真 in 仿真绿萝, "prop" in "prop the door open"); a match inside one of them does not count.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType

from salitrap.errors import SeedFileError
from salitrap.records.enums import Language
from salitrap.yaml_source import Yaml, YamlSource, read_yaml

DATA = Path(__file__).parent / "words"
HARMLESS = "harmless"
_GAP = {
    Language.EN: r"(?:[\s,]+[\w'’%-]+){0,5}?[\s,]+",
    Language.ZH: r"[^。！？；.!?;\n]{0,10}?",
}

_OPERATORS = {"(": "(?:", "|": "|", ")": ")", ")?": ")?", "'": "['’]", "’": "['’]"}


class WordKind(StrEnum):
    """What a phrase gives away."""

    ESCAPE = "escape"
    PATCH = "patch"
    META = "meta"
    DENIAL = "denial"
    REFUSAL = "refusal"
    STILTED = "stilted"


def find_words(kind: WordKind, language: Language, text: str) -> tuple[str, ...]:
    """Phrases of one list that occur in ``text``, verbatim, in text order, without overlaps."""
    matches = list(_patterns(language)[kind].finditer(text))
    harmless = _harmless(language).get(kind)
    spared = [match.span() for match in harmless.finditer(text)] if matches and harmless else []
    return tuple(match.group() for match in matches if not _inside(match.span(), spared))


def phrases(kind: WordKind, language: Language) -> tuple[str, ...]:
    """The list itself, as authored."""
    return _lists(language)[kind]


def _inside(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


@cache
def _lists(language: Language) -> MappingProxyType[WordKind, tuple[str, ...]]:
    source = read_yaml(DATA / f"{language.value}.yaml")
    if not isinstance(source.value, dict) or set(source.value) - {HARMLESS} != set(WordKind):
        raise SeedFileError(f"expected the lists {', '.join(WordKind)}", path=source.path)
    return MappingProxyType({kind: _strings(source, (kind,), source.value[kind]) for kind in WordKind})


@cache
def _harmless(language: Language) -> MappingProxyType[WordKind, re.Pattern[str]]:
    source = read_yaml(DATA / f"{language.value}.yaml")
    listed = source.value.get(HARMLESS, {}) if isinstance(source.value, dict) else {}
    if not isinstance(listed, dict) or not set(listed) <= set(WordKind):
        raise SeedFileError(f"{HARMLESS}: expected lists named {', '.join(WordKind)}", path=source.path)
    entries = {kind: _strings(source, (HARMLESS, kind), value) for kind, value in listed.items()}
    return MappingProxyType({WordKind(kind): _compile(language, found) for kind, found in entries.items()})


def _strings(source: YamlSource, place: tuple[str, ...], value: Yaml) -> tuple[str, ...]:
    entries = value if isinstance(value, list) else []
    phrases = tuple(entry for entry in entries if isinstance(entry, str) and entry.strip())
    if not phrases or len(phrases) != len(entries):
        line = source.line_of(place)
        raise SeedFileError(
            f"list {'.'.join(place)}: expected a list of phrases; quote them", path=source.path, line=line
        )
    return phrases


@cache
def _patterns(language: Language) -> MappingProxyType[WordKind, re.Pattern[str]]:
    return MappingProxyType({kind: _compile(language, _lists(language)[kind]) for kind in WordKind})


def _compile(language: Language, entries: tuple[str, ...]) -> re.Pattern[str]:
    # Longer phrases first, so that what is reported is the whole wording and not its beginning.
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    return re.compile("|".join(_phrase(language, entry) for entry in ordered), re.IGNORECASE)


def _phrase(language: Language, entry: str) -> str:
    pieces = re.split(r"(\s*…\s*|\(|\)\??|\||\s+|['’])", entry)
    body = "".join(_piece(language, piece) for piece in pieces)
    if language is Language.ZH:
        return body
    before = r"(?<!\w)" if _is_wordlike(entry.lstrip("(")[:1]) else ""
    after = r"(?!\w)" if _is_wordlike(entry.rstrip(")?")[-1:]) else ""
    return f"{before}{body}{after}"


def _is_wordlike(char: str) -> bool:
    return char.isalnum()


def _piece(language: Language, piece: str) -> str:
    if "…" in piece:
        return _GAP[language]
    if piece.isspace():
        return r"\s+"
    return _OPERATORS.get(piece) or re.escape(piece)
