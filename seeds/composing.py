"""YAML composed for checking: the nodes of the first document, and what stands beside them."""

from __future__ import annotations

from dataclasses import dataclass, field

import yaml

from salitrap.yaml_source import AliasFault, BoundedLoader

_TAG_PREFIX = "tag:yaml.org,2002:"
Mark = tuple[int, str]
"""Index in the text, and the name of what stands there."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The nodes, or the reason why there are none; places are indices in the text.

    ``begun_at`` is where to look for what was left open, ``problem_at`` where the reader gave up.
    """

    root: yaml.Node | None = None
    tags: tuple[Mark, ...] = ()
    anchors: tuple[Mark, ...] = ()
    aliases: tuple[Mark, ...] = ()
    second_document: int | None = None
    problem: str = ""
    problem_at: int = 0
    begun_at: int = 0
    is_endless: bool = False


@dataclass(slots=True)
class _Seen:
    tags: list[Mark] = field(default_factory=list)
    anchors: list[Mark] = field(default_factory=list)
    aliases: list[Mark] = field(default_factory=list)


class _Loader(BoundedLoader):
    """Remembers explicit tags, anchors and aliases, which the nodes do not tell."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.seen = _Seen()

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        at = event.start_mark.index
        if isinstance(event, yaml.AliasEvent):
            self.seen.aliases.append((at, str(event.anchor)))
        elif event.anchor:
            self.seen.anchors.append((at, str(event.anchor)))
        if getattr(event, "tag", None):
            self.seen.tags.append((at, str(event.tag).replace(_TAG_PREFIX, "!!", 1)))
        return super().compose_node(parent, index)


def compose(text: str) -> Composed:
    """Compose the first document of ``text``; never raises for what stands in it."""
    try:
        return _composed(_Loader(text))
    except yaml.reader.ReaderError as error:
        problem, at = f"the character {chr(int(error.character))!r} is not allowed", int(error.position)
        return Composed(problem=problem, problem_at=at, begun_at=at)
    except yaml.MarkedYAMLError as error:
        return _failed(error, len(text))


def _failed(error: yaml.MarkedYAMLError, length: int) -> Composed:
    problem = " ".join(str(part) for part in (error.context, error.problem) if part)
    mark = error.problem_mark or error.context_mark
    at = mark.index if mark is not None else 0
    opened = error.context_mark.index if error.context_mark is not None else at
    begun = opened if at >= length - 1 else at
    return Composed(problem=problem, problem_at=at, begun_at=begun, is_endless=isinstance(error, AliasFault))


def _composed(loader: _Loader) -> Composed:
    root = loader.get_node() if loader.check_node() else None
    second = loader.peek_event().start_mark.index if loader.check_node() else None  # type: ignore[no-untyped-call]
    seen = loader.seen
    return Composed(root, tuple(seen.tags), tuple(seen.anchors), tuple(seen.aliases), second)
