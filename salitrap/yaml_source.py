"""YAML read so that every scalar stays the text the author typed.

``yes``, ``0012``, ``12:30`` and ``2024-02-30`` arrive as those strings; records convert where
they declare numbers or booleans. Every value knows its line, so that errors can name it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import yaml

from salitrap.errors import InputError, SeedFileError

Yaml = str | list["Yaml"] | dict[str, "Yaml"] | None
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class YamlSource:
    """A parsed file with the line of each value, by key path such as ``("seeds", 3, "prompt")``."""

    path: Path
    value: Yaml
    lines: dict[KeyPath, int] = field(default_factory=dict)

    def line_of(self, key_path: KeyPath) -> int:
        """Line (from 1) of a value, or of the nearest enclosing one that is in the file."""
        while key_path and key_path not in self.lines:
            key_path = key_path[:-1]
        return self.lines.get(key_path, 1)


def read_yaml(path: Path) -> YamlSource:
    """Read one YAML document.

    Raises:
        InputError: the file is missing or unreadable.
        SeedFileError: the text is not UTF-8 or not YAML, a key stands twice, or anchors recurse.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SeedFileError(
            f"not UTF-8 ({error.reason} at byte {error.start}); save it as UTF-8", path=path
        ) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        problem = " ".join(str(part) for part in (error.context, error.problem) if part)
        raise SeedFileError(
            f"not valid YAML: {problem}", path=path, line=mark.line + 1 if mark else None
        ) from error
    except yaml.YAMLError as error:
        raise SeedFileError(f"not valid YAML: {' '.join(str(error).split())}", path=path) from error
    lines: dict[KeyPath, int] = {}
    value = _build(node, (), lines, path, ()) if node is not None else None
    return YamlSource(path=path, value=value, lines=lines)


def _build(
    node: yaml.Node, at: KeyPath, lines: dict[KeyPath, int], path: Path, open_nodes: tuple[int, ...]
) -> Yaml:
    if id(node) in open_nodes:
        raise SeedFileError("an alias contains itself", path=path, line=node.start_mark.line + 1)
    lines[at] = node.start_mark.line + 1
    inside = (*open_nodes, id(node))
    if isinstance(node, yaml.MappingNode):
        return _build_mapping(node, at, lines, path, inside)
    if isinstance(node, yaml.SequenceNode):
        return [_build(inner, (*at, index), lines, path, inside) for index, inner in enumerate(node.value)]
    return _scalar(node)


def _build_mapping(
    node: yaml.MappingNode, at: KeyPath, lines: dict[KeyPath, int], path: Path, inside: tuple[int, ...]
) -> dict[str, Yaml]:
    built: dict[str, Yaml] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise SeedFileError("a key must be a plain word", path=path, line=line)
        key = str(key_node.value)
        if key in built:
            raise SeedFileError(f"key {key!r} stands twice in one mapping; keep one", path=path, line=line)
        built[key] = _build(value_node, (*at, key), lines, path, inside)
        lines[(*at, key)] = line
    return built


def _scalar(node: yaml.Node) -> str | None:
    text = str(node.value)
    plain = isinstance(node, yaml.ScalarNode) and node.style is None
    return None if plain and text in ("", "~", "null") else text
