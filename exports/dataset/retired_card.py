"""The section of a card on items that were taken out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template

from exports.dataset.dialogue_card import column_table
from exports.dataset.features import ITEM_COLUMNS, RETIRED_COLUMNS
from exports.dataset.front_matter import SplitSize
from exports.dataset.layout import RETIRED
from exports.dataset.markdown import table
from exports.dataset.release import Release
from exports.dataset.splits import Split
from salitrap.records.item import RetiredItem


def retired_section(
    release: Release, retired: Sequence[RetiredItem], sizes: Mapping[Split, SplitSize]
) -> str:
    """Return the section, "" where nothing was retired."""
    if not retired:
        return ""
    text = files("exports.dataset").joinpath("templates", "retired.md").read_text(encoding="utf-8")
    return Template(text).substitute(
        config=RETIRED,
        split=next(iter(sizes)).value,
        version=release.version,
        retired_table=_retired_table(retired),
        column_table=column_table(RETIRED_COLUMNS[len(ITEM_COLUMNS) :]),
    )


def _retired_table(retired: Sequence[RetiredItem]) -> str:
    counts = Counter((item.retired_in, item.retired_on) for item in retired)
    rows = [(version, day, f"{count:,}") for (version, day), count in sorted(counts.items())]
    return table(("Retired in", "on", "items"), rows, numbers=False)
