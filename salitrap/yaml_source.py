"""YAML read so that every scalar stays the text the author typed.

``yes``, ``0012``, ``12:30`` and ``2024-02-30`` arrive as those strings; records convert where
they declare numbers or booleans. Every value knows its line, so that errors can name it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import yaml

from salitrap.errors import InputError, SeedFileError
from salitrap.yaml_hints import (
    encoding_of,
    full_width_hint,
    hint_near,
    is_key_of_two,
    is_wrongly_bracketed,
)

DEEPEST = 50
MOST_VALUES = 200_000
_TOO_DEEP = f"values are nested more than {DEEPEST} levels deep; make the file flatter"
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
        SeedFileError: the text is not UTF-8 or not YAML, a key stands twice, anchors recurse, values are
            nested too deeply, or a full-width mark stands where YAML wants its ASCII twin.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
    text = _decoded(raw, path)
    node = _composed(text, path)
    lines: dict[KeyPath, int] = {}
    value = _build(node, (), lines, path) if node is not None else None
    return YamlSource(path=path, value=value, lines=lines)


class AliasFault(yaml.MarkedYAMLError):
    """An alias contains itself, or aliases make far more of the file than anybody wrote."""


class BoundedLoader(yaml.SafeLoader):
    """The safe loader, with bounds on depth (in place of Python's own) and on what aliases multiply."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.depth = 0
        self._extents: dict[int, tuple[int, int]] = {}  # by id of a node: values in it, levels in it

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose one node.

        Raises:
            yaml.MarkedYAMLError: values are nested too deeply.
            AliasFault: see there.
        """
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        self.depth += 1
        if self.depth > DEEPEST:
            raise yaml.MarkedYAMLError(problem=_TOO_DEEP, problem_mark=mark)
        is_alias = self.check_event(yaml.AliasEvent)
        node = super().compose_node(parent, index)
        self.depth -= 1
        if node is not None:
            self._bound(node, mark, is_alias=is_alias)
        return node

    def _bound(self, node: yaml.Node, mark: yaml.Mark, *, is_alias: bool) -> None:
        if is_alias:
            if id(node) not in self._extents:
                raise AliasFault(problem="an alias contains itself", problem_mark=mark)
            return
        inside = [self._extents[id(inner)] for inner in _children(node)]
        values = 1 + sum(values for values, _ in inside)
        levels = 1 + max((deep for _, deep in inside), default=0)
        if values > MOST_VALUES and self.anchors:
            raise AliasFault(
                problem=f"aliases make more than {MOST_VALUES:,} values of it", problem_mark=mark
            )
        if levels > DEEPEST:
            raise AliasFault(problem=_TOO_DEEP, problem_mark=mark)
        self._extents[id(node)] = (values, levels)


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [inner for pair in node.value for inner in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _decoded(raw: bytes, path: Path) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = encoding_of(raw)
        guess = f"; it looks like {name}" if name else ""
        raise SeedFileError(
            f"not UTF-8 ({error.reason} at byte {error.start}{guess}); save as UTF-8",
            path=path,
            line=raw.count(b"\n", 0, error.start) + 1,
        ) from error
    if "\x00" in text:
        raise SeedFileError(
            f"not UTF-8 text; it looks like {encoding_of(raw)}; save as UTF-8", path=path, line=1
        )
    return text


def _composed(text: str, path: Path) -> yaml.Node | None:
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=BoundedLoader)
    except yaml.MarkedYAMLError as error:
        raise _not_yaml(error, text, path) from error
    except yaml.YAMLError as error:
        raise SeedFileError(f"not valid YAML: {' '.join(str(error).split())}", path=path) from error
    if isinstance(node, yaml.ScalarNode):
        _refuse_full_width(text, node.end_mark.line + 1, path)
    return node


def _not_yaml(error: yaml.MarkedYAMLError, text: str, path: Path) -> SeedFileError:
    mark = error.problem_mark
    line = mark.line + 1 if mark else None
    problem = " ".join(str(part) for part in (error.context, error.problem) if part)
    hint = hint_near(text.split("\n"), line) if line is not None else None
    more = f"; {hint[1]}" if hint is not None else ""
    return SeedFileError(f"not valid YAML: {problem}{more}", path=path, line=hint[0] if hint else line)


def _refuse_full_width(text: str, line: int, path: Path) -> None:
    """A file that is one single text is meant to be more, when a mark in it is full-width."""
    hint = hint_near(text.split("\n"), line)
    if hint is not None:
        raise SeedFileError(f"not a mapping: {hint[1]}", path=path, line=hint[0])


def _build(node: yaml.Node, at: KeyPath, lines: dict[KeyPath, int], path: Path) -> Yaml:
    lines[at] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        return _build_mapping(node, at, lines, path)
    if isinstance(node, yaml.SequenceNode):
        return [_build(inner, (*at, index), lines, path) for index, inner in enumerate(node.value)]
    return _scalar(node, path)


def _build_mapping(
    node: yaml.MappingNode, at: KeyPath, lines: dict[KeyPath, int], path: Path
) -> dict[str, Yaml]:
    built: dict[str, Yaml] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise SeedFileError("a key must be a plain word", path=path, line=line)
        key = str(key_node.value)
        if "：" in key and _is_empty(value_node):
            raise SeedFileError(f"key {key!r} has no value: {full_width_hint('：')}", path=path, line=line)
        if is_key_of_two(key):
            raise SeedFileError(f"{key!r} is no key: {full_width_hint('：')}", path=path, line=line)
        if key in built:
            raise SeedFileError(f"key {key!r} stands twice in one mapping; keep one", path=path, line=line)
        built[key] = _build(value_node, (*at, key), lines, path)
        lines[(*at, key)] = line
    return built


def _is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style is None and not node.value


def _scalar(node: yaml.Node, path: Path) -> str | None:
    text = str(node.value)
    plain = isinstance(node, yaml.ScalarNode) and node.style is None
    if plain and is_wrongly_bracketed(text):
        line = node.start_mark.line + 1
        raise SeedFileError(f"{text!r} is one text, no list: {full_width_hint(text)}", path=path, line=line)
    return None if plain and text in ("", "~", "null") else text
