"""Full-width marks and tabs where YAML wants a colon, a quote, a bracket or blanks.

They are mended in a copy of the text, so that one of them does not hide all that stands below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from salitrap.yaml_hints import (
    ASCII_FOR,
    BRACKETS,
    LINES_BACK,
    QUOTES,
    SEPARATORS,
    STRUCTURE,
    is_key_of_two,
    is_wrongly_bracketed,
)
from seeds.composing import Composed, compose
from seeds.edits import Edit, Places, apply
from seeds.forms import FIELD_NAMES

MOST_MENDS = 60
_CLOSING = {**BRACKETS, "“": "”", "‘": "’", "「": "」"}
_FIELD = re.compile(rf"^ *(?:- +)?(?:{'|'.join(sorted(FIELD_NAMES))})(：)", re.MULTILINE)
_SPACED = frozenset("：，、")


@dataclass(frozen=True, slots=True)
class Mended:
    """One mark put right: its line, and whether nobody can have meant anything else."""

    line: int
    mark: str
    is_sure: bool


@dataclass(frozen=True, slots=True)
class MendedText:
    """A text that is as readable as mending makes it."""

    text: str
    composed: Composed
    mended: tuple[Mended, ...]


def mend_marks(text: str) -> MendedText:
    """Mend marks one after the other, each only if more of the text can be read for it."""
    composed, mended = compose(text), list[Mended]()
    while len(mended) < MOST_MENDS:
        trouble = _trouble(text, composed)
        step = _step(text, composed, trouble) if trouble is not None else None
        if step is None:
            break
        text, composed, done = step
        mended += done
    return MendedText(text, composed, tuple(mended))


def _step(text: str, composed: Composed, trouble: int) -> tuple[str, Composed, list[Mended]] | None:
    places = Places(text)
    for edits, partners in _candidates(text, composed, trouble, places):
        changed = apply(text, [*edits, *partners])
        again = compose(changed)
        left = _trouble(changed, again)
        further = left is None or len(changed) - left < len(text) - trouble
        if further or (composed.problem and not again.problem):
            return changed, again, [_mended(text, edit, places) for edit in edits]
    return None


def _mended(text: str, edit: Edit, places: Places) -> Mended:
    mark = "\t" if "\t" in text[edit.start : edit.end] else text[edit.start]
    return Mended(places.line(edit.start), mark, _is_sure(text, edit, places))


def _trouble(text: str, composed: Composed) -> int | None:
    """Where reading ends, or goes wrong for a full-width mark; None when all is well."""
    if composed.is_endless:
        return None
    if composed.problem:
        return composed.problem_at
    if isinstance(composed.root, yaml.ScalarNode):
        return 0 if any(True for _ in _marks_of(text, 1, Places(text))) else None
    return next(_wrong_nodes(composed.root, text), None)


def _wrong_nodes(node: yaml.Node | None, text: str) -> Iterator[int]:
    """Places of keys and values that ran on over a full-width mark, in order."""
    if isinstance(node, yaml.SequenceNode):
        for inner in node.value:
            yield from _wrong_nodes(inner, text)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _wrong_key(key, value, text)
            yield from _wrong_nodes(value, text)
    elif isinstance(node, yaml.ScalarNode) and node.style is None and is_wrongly_bracketed(node.value):
        yield node.start_mark.index


def _wrong_key(key: yaml.Node, value: yaml.Node, text: str) -> Iterator[int]:
    if not isinstance(key, yaml.ScalarNode) or key.style is not None or "：" not in key.value:
        return
    is_empty = isinstance(value, yaml.ScalarNode) and value.style is None and not value.value
    if is_empty or is_key_of_two(key.value):
        yield text.index("：", key.start_mark.index)


def _candidates(
    text: str, composed: Composed, trouble: int, places: Places
) -> Iterator[tuple[list[Edit], list[Edit]]]:
    """What may help: marks to mend, and what has to change with them."""
    found = text[trouble : trouble + 1]
    if found == "\t":
        yield [_tabs(text, trouble, places)], []
    if not composed.problem and found in BRACKETS and BRACKETS[found] in text[trouble:]:
        first, *others = _list_edits(text, trouble)
        yield [first], others
    if not composed.problem and found == "：":
        yield [_twin(text, trouble)], []
    for index in _marks_near(text, composed, trouble, places):
        yield [_twin(text, index)], _closing(text, index)
    fields = [match.start(1) for match in _FIELD.finditer(text)]
    if fields:
        yield [_twin(text, index) for index in fields], []


def _marks_near(text: str, composed: Composed, trouble: int, places: Places) -> Iterator[int]:
    line = places.line(min(trouble, max(len(text) - 1, 0)))
    if not composed.problem and isinstance(composed.root, yaml.ScalarNode):
        line = places.line(max(composed.root.end_mark.index - 1, 0))
    for number in range(line, max(0, line - LINES_BACK), -1):
        yield from _marks_of(text, number, places)


def _marks_of(text: str, number: int, places: Places) -> Iterator[int]:
    """Places of structure with a full-width mark, on one line."""
    start = places.starts[number - 1]
    line = text[start:].split("\n", 1)[0]
    for pattern in STRUCTURE:
        found = pattern.search(line)
        if found is not None:
            yield start + found.start(1)


def _twin(text: str, index: int) -> Edit:
    blank = " " if text[index] in _SPACED and text[index + 1 : index + 2].strip() else ""
    return Edit(index, index + 1, ASCII_FOR[text[index]] + blank)


def _closing(text: str, index: int) -> list[Edit]:
    """The partner of an opening quote or bracket, when the line has one."""
    end = text.find("\n", index)
    line = text[index : end if end >= 0 else len(text)]
    partner = _CLOSING.get(text[index])
    at = line.find(partner, 1) if partner else -1
    return [Edit(index + at, index + at + 1, ASCII_FOR[line[at]])] if at > 0 else []


def _list_edits(text: str, start: int) -> list[Edit]:
    """Brackets, quotes and commas of a list on one line, all at once."""
    end = text.index(BRACKETS[text[start]], start) + 1
    kept = {*QUOTES, *_CLOSING.values(), *BRACKETS}
    inside = (index for index in range(start, end) if text[index] in kept or SEPARATORS.match(text[index]))
    return [_twin(text, index) for index in inside if text[index] in ASCII_FOR]


def _tabs(text: str, index: int, places: Places) -> Edit:
    """A run of blanks with a tab in it, as blanks: two for each tab in an indentation, one elsewhere."""
    start = end = index
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    while end < len(text) and text[end] in " \t":
        end += 1
    if text[end : end + 1] in ("", "\n", "\r"):
        return Edit(start, end, "")
    is_indentation = places.column(start) == 1
    return Edit(start, end, text[start:end].replace("\t", "  ") if is_indentation else " ")


def _is_sure(text: str, edit: Edit, places: Places) -> bool:
    """True for the colon after the name of a field, and for a tab between or after words."""
    if "\t" in text[edit.start : edit.end]:
        return places.column(edit.start) > 1
    before = text[places.starts[places.line(edit.start) - 1] : edit.start].rpartition("{")[2]
    name = before.replace(",", " ").removeprefix("- ").split()
    return text[edit.start] == "：" and bool(name) and name[-1] in FIELD_NAMES
