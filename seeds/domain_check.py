"""Checks of a domain file as a whole: languages, seeds, scalars that other readers would change."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from salitrap.records import Language
from salitrap.yaml_source import KeyPath
from seeds.document import Document
from seeds.findings import Code, Finding

_PARTS = ("name", "definition", "niches")
_ALWAYS_CHANGED = ("bool", "null", "timestamp", "merge", "value")


def domain_findings(document: Document) -> Iterator[Finding]:
    """Faults that belong to no single seed."""
    if not document.tree:
        return
    yield from language_findings(document)
    if document.tree.get("seeds") == []:
        yield document.finding(
            Code.NO_SEEDS,
            ("seeds",),
            "the domain has no seed",
            "write some: they are the examples for scaling",
        )
    yield from _ambiguous(document)


def language_findings(document: Document) -> Iterator[Finding]:
    """A language that is used anywhere needs a name, a definition and niches."""
    parts = {part: document.tree.get(part) for part in _PARTS}
    used = {view.language for view in document.seeds}
    used |= {
        language
        for value in parts.values()
        if isinstance(value, dict)
        for language in Language
        if language in value
    }
    for language in (language for language in Language if language in used):
        for part, value in parts.items():
            if isinstance(value, dict) and language.value not in value:
                yield document.finding(
                    Code.LANGUAGE_INCOMPLETE,
                    (part,),
                    f"{part} has no entry for {language.value}, which the file uses elsewhere",
                    f"add '{language.value}:' under {part}",
                )


def _ambiguous(document: Document) -> Iterator[Finding]:
    text = document.path.read_bytes().decode("utf-8-sig")
    for at, node in _plain_scalars(yaml.compose(text, Loader=yaml.SafeLoader), ()):
        if _changes_elsewhere(node):
            yield document.finding(
                Code.AMBIGUOUS_SCALAR,
                at,
                f"{node.value!r} without quotes was kept as text; other YAML readers {_change(node)}",
                f'write "{node.value}", with the quotes',
            )


def _change(node: yaml.ScalarNode) -> str:
    """What others make of it: ``turn it into 750`` for 12:30, which they read to base 60."""
    try:
        return f"turn it into {yaml.safe_load(node.value)}"
    except (yaml.YAMLError, ValueError):
        return "refuse it"


def _plain_scalars(node: yaml.Node | None, at: KeyPath) -> Iterator[tuple[KeyPath, yaml.ScalarNode]]:
    if isinstance(node, yaml.ScalarNode) and node.style is None:
        yield at, node
    elif isinstance(node, yaml.SequenceNode):
        for index, inner in enumerate(node.value):
            yield from _plain_scalars(inner, (*at, index))
    elif isinstance(node, yaml.MappingNode):
        for key, inner in node.value:
            yield from _plain_scalars(inner, (*at, str(key.value)))


def _changes_elsewhere(node: yaml.ScalarNode) -> bool:
    """True for yes, 0012, 12:30, 8.50, 2024-02-30; false for words, 40, 3.5 and an empty value."""
    kind = node.tag.rpartition(":")[2]
    if kind == "str" or node.value in ("", "~", "null"):
        return False
    if kind in _ALWAYS_CHANGED:
        return True
    try:
        return bool(str(yaml.safe_load(node.value)) != node.value)
    except (yaml.YAMLError, ValueError):
        return True
