"""The section of a card on dialogues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template

from exports.dataset.dialogue_rows import PublishedDialogue
from exports.dataset.features import DIALOGUE_COLUMNS, Columns
from exports.dataset.front_matter import SplitSize
from exports.dataset.layout import DIALOGUES
from exports.dataset.markdown import code, plain, table
from exports.dataset.release import Release
from exports.dataset.shapes import type_name
from exports.dataset.splits import Split
from salitrap.dialogues import Control, Pattern


def dialogue_section(
    release: Release, dialogues: Sequence[PublishedDialogue], sizes: Mapping[Split, SplitSize]
) -> str:
    """Return the section, "" where there are no dialogues."""
    if not dialogues:
        return ""
    text = files("exports.dataset").joinpath("templates", "dialogues.md").read_text(encoding="utf-8")
    return Template(text).substitute(
        pattern_table=_pattern_table(dialogues),
        config=DIALOGUES,
        split=next(iter(sizes)).value,
        version=release.version,
        column_table=column_table(DIALOGUE_COLUMNS),
    )


def column_table(columns: Columns) -> str:
    """Return name, type and meaning of columns as a table."""
    rows = [(code(column.name), plain(type_name(column.shape)), plain(column.meaning)) for column in columns]
    return table(("Column", "type", "meaning"), rows, numbers=False)


def _pattern_table(dialogues: Sequence[PublishedDialogue]) -> str:
    counts = Counter((row.pattern, row.control) for row in dialogues)
    header = ("Pattern", "trap dialogues", *(code(one.value) for one in Control if one is not Control.NONE))
    rows = [
        (code(pattern.value), *(f"{counts[pattern, control]:,}" for control in Control))
        for pattern in Pattern
        if any(counts[pattern, control] for control in Control)
    ]
    return table(header, rows)
