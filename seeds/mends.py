"""What can be mended without asking the author, as edits of the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from salitrap.settings import ScaleSettings
from salitrap.yaml_source import KeyPath
from seeds.document import Document, SeedView
from seeds.edits import Edit
from seeds.findings import Code
from seeds.layout_check import carriage_returns, trailing_blanks
from seeds.number_mends import number_edits
from seeds.reading import Reading
from seeds.scalar_check import ambiguous, is_prose, typographic
from seeds.seed_check import seed_findings


@dataclass(frozen=True, slots=True)
class Mend:
    """Edits that do away with findings of ``codes`` on ``line``.

    ``at`` is the one value that may change by it; None when none may. A mend without edits is made by
    reading the file already.
    """

    codes: frozenset[Code]
    line: int
    edits: tuple[Edit, ...] = ()
    at: KeyPath | None = None


def mends(document: Document, settings: ScaleSettings) -> tuple[Mend, ...]:
    """Everything that ``--fix`` would do to the file, in no particular order; nothing if that is refused."""
    reading = document.reading
    if reading is None or refusal(reading):
        return ()
    return (
        *_read_right(reading),
        *_layout_mends(reading),
        *_quote_mends(document, reading.text),
        *_number_mends(document, settings),
    )


def refusal(reading: Reading) -> str:
    """What has to be put right by hand before the file is touched; empty when nothing has to be."""
    if any(fault.code is Code.NOT_UTF8 for fault in reading.tree.faults):
        return "save it as UTF-8 first"
    if not reading.is_whole:
        return "correct what is not YAML first"
    unsure = [str(mended.line) for mended in reading.mended if not mended.is_sure]
    return f"correct the marks on line {', '.join(unsure)} first" if unsure else ""


def _read_right(reading: Reading) -> Iterator[Mend]:
    for mended in reading.mended:
        code = Code.TAB if "\t" in mended.mark else Code.FULL_WIDTH_MARK
        yield Mend(frozenset((code,)), mended.line)
    if reading.has_bom:
        yield Mend(frozenset((Code.BYTE_ORDER_MARK,)), 1)


def _layout_mends(reading: Reading) -> Iterator[Mend]:
    line = reading.tree.places.line
    if returns := list(carriage_returns(reading.text)):
        edits = tuple(Edit(start, end, "\n") for start, end in returns)
        yield Mend(frozenset((Code.LINE_ENDINGS,)), line(returns[0][0]), edits)
    if blanks := list(trailing_blanks(reading)):
        edits = tuple(Edit(start, end, "") for start, end in blanks)
        yield Mend(frozenset((Code.TRAILING_SPACE,)), line(blanks[0][0]), edits)


def _quote_mends(document: Document, text: str) -> Iterator[Mend]:
    for at, node in ambiguous(document):
        if (edit := _quoted(node, text, node.value)) is not None:
            yield Mend(frozenset((Code.AMBIGUOUS_SCALAR,)), document.source.line_of(at), (edit,))
    for at, node in typographic(document):
        edit = _quoted(node, text, node.value[1:-1])
        if edit is not None and not is_prose(at):
            yield Mend(frozenset((Code.TYPOGRAPHIC_QUOTES,)), document.source.line_of(at), (edit,), at)


def _quoted(node: yaml.ScalarNode, text: str, value: str) -> Edit | None:
    """Put ``value`` into quotes; None when the value is not written plainly on one line."""
    start, end = node.start_mark.index, node.end_mark.index
    if text[start:end] != node.value or {'"', "\\"} & set(value):
        return None
    return Edit(start, end, f'"{value}"')


def _number_mends(document: Document, settings: ScaleSettings) -> Iterator[Mend]:
    if document.reading is None or document.reading.has_shared_values:
        return
    for view in document.seeds:
        at = view.at("injected_numbers")
        if edits := number_edits(view, document.reading, settings):
            yield Mend(_number_codes(view, settings), document.source.line_of(at), edits, at)


def _number_codes(view: SeedView, settings: ScaleSettings) -> frozenset[Code]:
    numbers = view.at("injected_numbers")[-1]
    found = {finding.code for finding in seed_findings(view, settings) if finding.field == numbers}
    return frozenset(found & {Code.NUMBER_NOT_LISTED, Code.NUMBER_NOT_IN_PROMPT})
