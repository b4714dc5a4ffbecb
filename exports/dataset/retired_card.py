"""The section of a card on items that were taken out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template

from exports.dataset.dialogue_card import column_table
from exports.dataset.dialogue_rows import RetiredDialogue
from exports.dataset.features import ITEM_COLUMNS, RETIRED_COLUMNS
from exports.dataset.front_matter import ConfigSizes
from exports.dataset.layout import RETIRED, RETIRED_DIALOGUES
from exports.dataset.markdown import table
from exports.dataset.release import Release
from salitrap.records.item import RetiredItem


def retired_section(
    release: Release,
    retired: Sequence[RetiredItem],
    dialogues: Sequence[RetiredDialogue],
    sizes: Mapping[str, ConfigSizes],
) -> str:
    """Return the section, "" where nothing was retired."""
    if not retired and not dialogues:
        return ""
    config = RETIRED if retired else RETIRED_DIALOGUES
    text = files("exports.dataset").joinpath("templates", "retired.md").read_text(encoding="utf-8")
    return Template(text).substitute(
        config=config,
        split=next(iter(sizes[config])).value,
        version=release.version,
        retired_table=_retired_table(retired, dialogues),
        column_table=column_table(RETIRED_COLUMNS[len(ITEM_COLUMNS) :]),
    )


def _retired_table(retired: Sequence[RetiredItem], dialogues: Sequence[RetiredDialogue]) -> str:
    items = Counter((row.retired_in, row.retired_on) for row in retired)
    talks = Counter((row.retired_in, row.retired_on) for row in dialogues)
    rows = [(*when, f"{items[when]:,}", f"{talks[when]:,}") for when in sorted(items.keys() | talks.keys())]
    return table(("Retired in", "on", "items", "dialogues"), rows, numbers=False)
