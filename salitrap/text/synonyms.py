"""The synonym tables: which words name the same tool, object or action. Data, to be reviewed.

Filter f4 compares triples by them, the guard ``trap_objects`` looks for a seed's things in a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from salitrap.errors import SeedFileError
from salitrap.records.enums import Language
from salitrap.text.normalise import normalise_name
from salitrap.yaml_source import YamlSource, read_yaml

DATA = Path(__file__).parent / "words"
SECTIONS = ("things", "actions")
_ASCII_EDGE = re.compile(r"[a-z0-9]")


@dataclass(frozen=True, slots=True)
class Synonyms:
    """One word for each group, in the normal form of names; ``things`` serve tools and objects."""

    things: Mapping[str, str]
    actions: Mapping[str, str]

    def thing(self, name: str) -> str:
        """Normal form of a tool or an object, each of its words that is in a group replaced."""
        return _replaced(normalise_name(name), self.things)

    def action(self, name: str) -> str:
        """The same for an action."""
        return _replaced(normalise_name(name), self.actions)


NO_SYNONYMS = Synonyms({}, {})


@cache
def shipped_synonyms() -> Synonyms:
    """The shipped tables of all languages in one: their words cannot be confused.

    Raises:
        SeedFileError: as ``read_synonyms``.
    """
    return read_synonyms(*(DATA / f"synonyms_{language.value}.yaml" for language in Language))


def read_synonyms(*paths: Path) -> Synonyms:
    """Read tables, each with the lists ``things`` and ``actions`` of groups; files add up.

    Raises:
        InputError: a file cannot be read.
        SeedFileError: a file has another form, a group has fewer than two words, or a word stands in two
            groups; names file and line.
    """
    tables: dict[str, dict[str, str]] = {section: {} for section in SECTIONS}
    for path in paths:
        source = read_yaml(path)
        if not isinstance(source.value, dict) or not set(source.value) <= set(SECTIONS):
            raise SeedFileError(f"expected the lists {' and '.join(SECTIONS)}", path=path)
        for section in source.value:
            for line, group in _groups(source, section):
                _enter(tables[section], group, path, line)
    return Synonyms(tables["things"], tables["actions"])


def _groups(source: YamlSource, section: str) -> Iterator[tuple[int, list[str]]]:
    assert isinstance(source.value, dict)
    groups = source.value[section]
    if not isinstance(groups, list):
        raise SeedFileError(f"{section}: expected a list of groups", path=source.path)
    for place, group in enumerate(groups):
        line = source.line_of((section, place))
        words = group if isinstance(group, list) else []
        names = [normalise_name(word) for word in words if isinstance(word, str) and word.strip()]
        if len(names) < 2 or len(names) != len(words):
            message = f"{section}: a group is a list of at least two words, as [fridge, refrigerator]"
            raise SeedFileError(message, path=source.path, line=line)
        yield line, names


def _enter(table: dict[str, str], group: list[str], path: Path, line: int) -> None:
    """Enter a group; spellings that the normal form makes equal (blow-dryer, blow dryer) may stand in one."""
    for word in group:
        if table.setdefault(word, group[0]) != group[0]:
            raise SeedFileError(f"{word!r} is in another group too; keep one", path=path, line=line)


def _replaced(name: str, table: Mapping[str, str]) -> str:
    """``name`` with every listed word replaced once, the longest at each place first."""
    longest = max(map(len, table), default=0)
    kept, at = list[str](), 0
    while at < len(name):
        word = _listed_at(name, at, longest, table)
        kept.append(table[word] if word else name[at])
        at += len(word) if word else 1
    return "".join(kept)


def _listed_at(name: str, at: int, longest: int, table: Mapping[str, str]) -> str:
    """The longest listed word that begins at ``at`` and is a whole word there; empty when none does."""
    if at and _is_latin(name[at]) and _is_latin(name[at - 1]):
        return ""
    for end in range(min(len(name), at + longest), at, -1):
        if name[at:end] in table and _whole(name, at, end):
            return name[at:end]
    return ""


def _whole(name: str, start: int, end: int) -> bool:
    """True for Latin letters between spaces or ends, and for Chinese, which has none.

    One Chinese character (还, 养) is a word only when it is the whole name.
    """
    if end - start == 1 and not _is_latin(name[start]):
        return len(name) == 1
    before = start > 0 and _is_latin(name[start - 1]) and _is_latin(name[start])
    after = end < len(name) and _is_latin(name[end]) and _is_latin(name[end - 1])
    return not before and not after


def _is_latin(char: str) -> bool:
    return _ASCII_EDGE.match(char) is not None
