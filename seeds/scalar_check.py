"""Values that other readers change, and values in quotes that are none to YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from salitrap.yaml_hints import QUOTES, is_wrongly_quoted
from salitrap.yaml_source import KeyPath
from seeds.document import Document
from seeds.findings import Code, Finding
from seeds.tree import is_plain

_ALWAYS_CHANGED = ("bool", "null", "timestamp", "merge", "value")
_BY_SOME = re.compile(
    r"[yYnN]|[nN]a[nN]|NAN|N/?A|n/a|None|none|[nN]il|NIL|undefined|[-+]?[iI]nf(?:inity)?"
    r"|0\d+|0o[0-7]+|[-+]?\d+(?:\.\d+)?[eE][-+]?\d+|0\d(?::[0-5]\d){1,2}"
)
"""Texts to this reader that are numbers, times, truth values or missing values to others."""
_PROSE = frozenset(
    ("scenario", "prompt", "trap_core", "ground_truth", "definition", "name", "preserve", "avoid")
)


def scalar_findings(document: Document) -> Iterator[Finding]:
    """Findings about values without quotes, and about typographic quotes."""
    for at, node in ambiguous(document):
        yield document.finding(
            Code.AMBIGUOUS_SCALAR,
            at,
            f"{node.value!r} without quotes was kept as text; other YAML readers {_change(node)}",
            f'write "{node.value}", with the quotes',
        )
    for at, node in typographic(document):
        inner = node.value[1:-1]
        yield document.finding(
            Code.TYPOGRAPHIC_QUOTES,
            at,
            f"{node.value[0]!r} and {node.value[-1]!r} are a part of the text; YAML knows \" and ' only",
            f'write "{inner}", or keep them if they belong to the text',
        )


def ambiguous(document: Document) -> Iterator[tuple[KeyPath, yaml.ScalarNode]]:
    """Values that are kept here and changed elsewhere."""
    yield from ((at, node) for at, node in _plain(document) if _changes_elsewhere(node))


def typographic(document: Document) -> Iterator[tuple[KeyPath, yaml.ScalarNode]]:
    """Values that stand in typographic quotes from the first character to the last."""
    for at, node in _plain(document):
        text = node.value
        if is_wrongly_quoted(text) and not {text[0], text[-1], *QUOTES} & set(text[1:-1]):
            yield at, node


def is_prose(at: KeyPath) -> bool:
    """True for fields whose texts may well stand in quotes."""
    return bool(_PROSE & {str(step) for step in at})


def _plain(document: Document) -> Iterator[tuple[KeyPath, yaml.ScalarNode]]:
    nodes = document.reading.tree.nodes if document.reading is not None else {}
    seen = set[int]()
    for at, node in nodes.items():
        if isinstance(node, yaml.ScalarNode) and is_plain(node) and id(node) not in seen:
            seen.add(id(node))
            yield at, node


def _change(node: yaml.ScalarNode) -> str:
    """What others make of it: ``turn it into 750`` for 12:30, which they read to base 60."""
    try:
        changed = str(yaml.safe_load(node.value))
    except (yaml.YAMLError, ValueError, OverflowError):
        return "refuse it"
    return f"turn it into {changed}" if changed != node.value else "read a number, a time or nothing in it"


def _changes_elsewhere(node: yaml.ScalarNode) -> bool:
    """True for yes, 0012, 12:30, 8.50, 2024-02-30, NaN; false for words, 40, 3.5 and an empty value."""
    kind = node.tag.rpartition(":")[2]
    if node.value in ("", "~", "null"):
        return False
    if kind == "str" or not node.tag.startswith("tag:yaml.org,2002:"):
        return bool(_BY_SOME.fullmatch(node.value))
    if kind in _ALWAYS_CHANGED:
        return True
    try:
        return bool(str(yaml.safe_load(node.value)) != node.value)
    except (yaml.YAMLError, ValueError, OverflowError):
        return True
