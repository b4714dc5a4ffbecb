"""The composed table of one language: all seeds, and which of them a text is about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from salitrap.lab.world.compose import compose
from salitrap.lab.world.load import TAGS, load_cell
from salitrap.lab.world.model import Entry
from salitrap.records.enums import Language

Pairs = dict[str, Entry]


@dataclass(frozen=True, slots=True)
class Table:
    """Entries by dimension and by the name used in exclusion lists; read only.

    ``by_tool`` leads from the folded name of a tool to the folded objects it meets in its group.
    """

    cells: dict[str, tuple[Entry, ...]]
    by_name: dict[str, Entry]
    by_scenario: dict[str, Entry]
    by_tool: dict[str, Pairs]

    def recognise(self, text: str) -> Entry | None:
        """The entry whose tool and object both occur in ``text``; the longest pair when several do."""
        folded = text.casefold()
        best: Entry | None = None
        longest = 0
        for tool, pairs in self.by_tool.items():
            if tool not in folded:
                continue
            for thing, entry in pairs.items():
                length = len(tool) + len(thing)
                if length > longest and thing in folded:
                    best, longest = entry, length
        return best


@cache
def load_table(language: Language) -> Table:
    """Compose all four cells of a language, once a process.

    Raises:
        SalitrapError: an authored file is missing or malformed.
    """
    cells = {tag: compose(load_cell(tag, language)) for tag in TAGS}
    entries = [entry for cell in cells.values() for entry in cell]
    by_tool: dict[str, Pairs] = {}
    for entry in entries:
        tool, thing = (key.casefold() for key in entry.keys)
        by_tool.setdefault(tool, {})[thing] = entry
    return Table(
        cells=cells,
        by_name={entry.name: entry for entry in entries},
        by_scenario={entry.scenario: entry for entry in entries},
        by_tool=by_tool,
    )
