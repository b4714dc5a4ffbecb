"""Seeds about a tool that was asked for and that the table lacks.

A domain's niches name tools of all kinds. For each the lab has one plan that fails whatever the tool is: it
is destroyed (D1), used where nothing lasts (D2), used to change the past (D3), or offered as money (D4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from salitrap.errors import SalitrapError
from salitrap.lab.draws import Draw
from salitrap.lab.world.compose import Filler, compose_entry
from salitrap.lab.world.load import group_of, load_cell, read_data
from salitrap.lab.world.model import Cell, Entry, Group, Thing
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language

FILE = "asked.yaml"
_STEP = 5
"""Reasons by which neighbouring objects are apart; shares no factor with their number."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What can be asked of one dimension and language; ``whys`` have a slot for the tool."""

    cell: Cell
    group: Group
    whys: tuple[str, ...]


def asked_entries(tag: str, language: Language, tool: str) -> tuple[Entry, ...]:
    """All seeds about ``tool``, in a fixed order; none when the table has a group about it.

    Raises:
        SalitrapError: the authored file is missing or malformed.
    """
    if not tool.strip() or tool.casefold() in load_table(language).by_tool:
        return ()
    return _entries(tag, language, tool.strip())


@cache
def _entries(tag: str, language: Language, tool: str) -> tuple[Entry, ...]:
    asked, start = _load(tag, language), Draw("asked", tag, language.value, tool).below("start", 10_000)
    return tuple(
        compose_entry(
            asked.cell, asked.group, _thing(asked, tool, start + _STEP * at), thing, start + at, start + at
        )
        for at, thing in enumerate(asked.group.objects)
    )


def _thing(asked: Asked, tool: str, at: int) -> Thing:
    phrase = tool if asked.cell.language is Language.ZH else f"the {tool}"
    why = Filler(Draw(), {"the_tool": phrase}).fill(asked.whys[at % len(asked.whys)])
    return Thing(phrase, why)


@cache
def _load(tag: str, language: Language) -> Asked:
    try:
        data = dict(read_data(language, FILE)[tag])
        cores, whys = tuple(data.pop("cores")), tuple(data.pop("whys"))
        group = group_of({**data, "key": f"asked-{tag.lower()}", "tools": []})
        return Asked(replace(load_cell(tag, language), cores=cores), group, whys)
    except (KeyError, TypeError, ValueError) as error:
        raise SalitrapError(f"lab data {language.value}/{FILE}: {tag}: {error!r}") from error
