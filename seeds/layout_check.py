"""Marks in a file that no reader sees: byte order mark, line endings, blanks at the end of lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

import yaml

from salitrap.yaml_source import KeyPath
from seeds.document import Document
from seeds.edits import LINE_BREAK
from seeds.findings import Code, Finding, severity_of
from seeds.reading import Reading

_TRAILING = re.compile(r"[ \t]+(?=\r|\n|$)")
_SHOWN = 5


def layout_findings(document: Document) -> Iterator[Finding]:
    """One finding for each kind, at the first line that has it."""
    reading = document.reading
    if reading is None:
        return
    if reading.has_bom:
        message = (
            "the file begins with a byte order mark, which some readers take for a part of the first name"
        )
        yield _finding(
            document, Code.BYTE_ORDER_MARK, [1], message, "save as UTF-8 without a byte order mark"
        )
    if ended := [reading.tree.places.line(at) for at, _ in carriage_returns(reading.text)]:
        message = f"lines end with a carriage return{_lines(ended)}"
        yield _finding(document, Code.LINE_ENDINGS, ended, message, "save with Unix line endings (LF)")
    if trailing := [reading.tree.places.line(at) for at, _ in trailing_blanks(reading)]:
        message = f"there are blanks at the end of a line{_lines(trailing)}"
        yield _finding(document, Code.TRAILING_SPACE, trailing, message, "remove them")


def carriage_returns(text: str) -> Iterator[tuple[int, int]]:
    """Spans of line breaks other than a line feed."""
    yield from (found.span() for found in LINE_BREAK.finditer(text) if found.group() != "\n")


def trailing_blanks(reading: Reading) -> Iterator[tuple[int, int]]:
    """Spans of blanks before a line break; not in quotes or in a block, where they may belong to the text."""
    if not reading.is_whole:
        return
    kept = _kept(reading.tree.nodes)
    starts = [start for start, _ in kept]
    for found in _TRAILING.finditer(reading.text):
        before = bisect_left(starts, found.end())
        if not before or kept[before - 1][1] <= found.start():
            yield found.span()


def _kept(nodes: dict[KeyPath, yaml.Node]) -> list[tuple[int, int]]:
    """Spans, in order, of scalars whose text may reach over several lines with blanks in it."""
    scalars = (node for node in nodes.values() if isinstance(node, yaml.ScalarNode))
    spans = {(_content_start(node), node.end_mark.index) for node in scalars if node.style is not None}
    return sorted(spans)


def _content_start(node: yaml.ScalarNode) -> int:
    """Where the text begins; that of a block begins below its ``>-``."""
    start = int(node.start_mark.index)
    if node.style not in ("|", ">") or node.start_mark.buffer is None:
        return start
    found = LINE_BREAK.search(node.start_mark.buffer, start)
    return found.start() if found else start


def _lines(lines: list[int]) -> str:
    rest = sorted(set(lines))[1:]
    more = f" and {len(rest) - _SHOWN} more" if len(rest) > _SHOWN else ""
    return f" (also on {', '.join(map(str, rest[:_SHOWN]))}{more})" if rest else ""


def _finding(document: Document, code: Code, lines: list[int], message: str, repair: str) -> Finding:
    return Finding(
        path=str(document.path),
        line=lines[0],
        code=code,
        severity=severity_of(code),
        seed=None,
        field=None,
        message=message,
        repair=repair,
    )
