"""From nodes to values, tolerantly: what is wrong becomes a fault, and the rest is read all the same."""

from __future__ import annotations

from dataclasses import dataclass, field

import yaml

from salitrap.yaml_source import KeyPath, Yaml
from seeds.edits import Places
from seeds.findings import Code


@dataclass(frozen=True, slots=True)
class SourceFault:
    """Something wrong with the text of a file; ``at`` is the value it belongs to."""

    code: Code
    at: KeyPath
    line: int
    column: int | None
    message: str
    repair: str


@dataclass(slots=True)
class Tree:
    """Values with their nodes and places by key path, and what was wrong on the way.

    Equal to what ``salitrap.yaml_source.read_yaml`` reads wherever that reads the file.
    """

    places: Places
    value: Yaml = None
    nodes: dict[KeyPath, yaml.Node] = field(default_factory=dict)
    starts: dict[KeyPath, int] = field(default_factory=dict)
    faults: list[SourceFault] = field(default_factory=list)

    def in_text_order(self) -> list[tuple[int, KeyPath]]:
        """Where each value begins, with its key path; of those that begin together the innermost last.

        A value behind an alias counts where it is written out.
        """
        first = {(start, len(at)): at for at, start in reversed(self.starts.items())}
        return [(start, at) for (start, _), at in sorted(first.items(), key=lambda one: one[0])]

    def fault(self, code: Code, at: KeyPath, index: int, message: str, repair: str) -> None:
        """Record a fault that stands at the character ``index``."""
        line, column = self.places.line(index), self.places.column(index)
        self.faults.append(SourceFault(code, at, line, column, message, repair))


def build_tree(root: yaml.Node | None, places: Places) -> Tree:
    """The tree below ``root``; an empty one without it."""
    tree = Tree(places)
    tree.value = _value(tree, root, ()) if root is not None else None
    return tree


def is_plain(node: yaml.Node) -> bool:
    """True for a scalar without quotes and not in a block."""
    return isinstance(node, yaml.ScalarNode) and node.style is None


def _value(tree: Tree, node: yaml.Node, at: KeyPath) -> Yaml:
    tree.nodes[at] = node
    tree.starts[at] = node.start_mark.index
    if isinstance(node, yaml.MappingNode):
        return _mapping(tree, node, at)
    if isinstance(node, yaml.SequenceNode):
        return [_value(tree, inner, (*at, index)) for index, inner in enumerate(node.value)]
    text = str(node.value)
    return None if is_plain(node) and text in ("", "~", "null") else text


def _mapping(tree: Tree, node: yaml.MappingNode, at: KeyPath) -> dict[str, Yaml]:
    built: dict[str, Yaml] = {}
    inherited: list[Yaml] = []
    for key_node, value_node in node.value:
        if is_plain(key_node) and key_node.value == "<<":
            inherited.append(_merged(tree, key_node, value_node, at))
        elif (key := _key(tree, key_node, at, built)) is not None:
            built[key] = _value(tree, value_node, (*at, key))
            tree.starts[(*at, key)] = key_node.start_mark.index
    for source in inherited:
        for one in source if isinstance(source, list) else [source]:
            built |= (
                {key: value for key, value in one.items() if key not in built}
                if isinstance(one, dict)
                else {}
            )
    return built


def _key(tree: Tree, node: yaml.Node, at: KeyPath, built: dict[str, Yaml]) -> str | None:
    """The key, or None for one that cannot be used."""
    index = node.start_mark.index
    if not isinstance(node, yaml.ScalarNode):
        tree.fault(Code.WRONG_TYPE, at, index, "a key must be a plain word", "write the name of a field")
        return None
    key = str(node.value)
    if key in built:
        first = tree.places.line(tree.starts[(*at, key)])
        message = f"{key!r} stands on line {first} already; readers keep one of the two and drop the other"
        tree.fault(Code.REPEATED_FIELD, (*at, key), index, message, "keep one of the two")
        return None
    return key


def _merged(tree: Tree, key: yaml.Node, value: yaml.Node, at: KeyPath) -> Yaml:
    message = "'<<' takes fields over from another mapping, which is not supported here"
    tree.fault(Code.MERGE_KEY, at, key.start_mark.index, message, "write the fields out")
    return _value(Tree(tree.places), value, ())
