"""Seed scaling: drafts from the table, steered by the niche, with planted faults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from salitrap.lab.draws import Draw
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.faulty_draft import Draft, near_copy, spoiled
from salitrap.lab.tasks.invent import invent
from salitrap.lab.world.asked import asked_entries
from salitrap.lab.world.model import Entry
from salitrap.lab.world.table import Table, load_table
from salitrap.records.enums import Language

MOST = 50
_TAG = re.compile(r"^\s*(D[1-4])\b")
_MATCH_SHARE = 0.75
_LETTERS = re.compile(r"[a-z]{4,}")
_HAN = re.compile(r"[\u4e00-\u9fff]+")


def scale(ask: Ask) -> dict[str, object]:
    """Answer a scaling request with ``{"seeds": [...]}``; at most ``MOST``."""
    count = max(1, min(MOST, int(ask.inputs["count"]) if str(ask.inputs.get("count")).isdigit() else 1))
    found = _TAG.match(ask.said("dimension"))
    if found is None:
        return {"seeds": [_finish(invent(ask, index), ask, index) for index in range(count)]}
    table = load_table(ask.language)
    entries = _with_asked(
        _chosen(table.cells[found.group(1)], found.group(1), ask, count), found.group(1), ask
    )
    return {"seeds": [_drafted(entry, table, ask, index) for index, entry in enumerate(entries)]}


def _chosen(cell: tuple[Entry, ...], tag: str, ask: Ask, count: int) -> list[Entry]:
    """Entries of the cell in a drawn order: those that fit the niche first, mostly."""
    excluded = set(ask.listed("exclusions"))
    known = ask.draw.chance("known", PLANTED.scale_known)
    wanted = _words(" ".join(_niche(ask).values()), ask.language)
    signs = _signs(tag, ask.language)
    fitting: list[Entry] = []
    others: list[Entry] = []
    for index in ask.draw.order("entries", range(len(cell))):
        name, words = signs[index]
        if known or name not in excluded:
            (others if wanted.isdisjoint(words) else fitting).append(cell[index])
    picked: list[Entry] = []
    while len(picked) < count and (fitting or others):
        first = ask.draw.chance(f"fitting/{len(picked)}", _MATCH_SHARE)
        source = (fitting or others) if first else (others or fitting)
        picked.append(source.pop(0))
    return picked


def _with_asked(entries: list[Entry], tag: str, ask: Ask) -> list[Entry]:
    """Some of ``entries`` give way to seeds about the very tool that was asked for."""
    excluded = set(ask.listed("exclusions"))
    asked = asked_entries(tag, ask.language, _niche(ask).get("tool", ""))
    fresh = ask.draw.order("asked", [one for one in asked if one.name not in excluded])
    for index in range(len(entries)):
        if fresh and ask.draw.chance(f"asked/{index}", PLANTED.scale_asked_tool):
            entries[index] = fresh.pop()
    return entries


def _drafted(entry: Entry, table: Table, ask: Ask, index: int) -> Draft:
    draw = Draw(ask.draw.bits(f"draft/{index}"))
    excluded = [table.by_name[name] for name in ask.listed("exclusions") if name in table.by_name]
    if excluded and draw.chance("near-copy", PLANTED.scale_near_copy):
        return near_copy(draft_of(draw.pick("copy-of", excluded)), draw, ask.language)
    return _finish(_placed(draft_of(entry), _niche(ask), draw), ask, index)


def _finish(draft: Draft, ask: Ask, index: int) -> Draft:
    return spoiled(draft, ask.listed("exclusions"), Draw(ask.draw.bits(f"draft/{index}")), ask.language)


def _placed(draft: Draft, niche: Mapping[str, str], draw: Draw) -> Draft:
    """Report the scene and life area that were asked for, mostly."""
    if not draw.chance("placed", PLANTED.scale_follows_niche):
        return draft
    return {**draft, **{name: niche[name] for name in ("scene", "life_area") if niche.get(name)}}


def draft_of(entry: Entry) -> Draft:
    """A table entry in the form of a seed draft."""
    return {
        "scenario": entry.scenario,
        "prompt": entry.prompt,
        "trap_core": entry.trap_core,
        "ground_truth": entry.ground_truth,
        "injected_numbers": list(entry.numbers),
        "tool": entry.tool,
        "object": entry.object,
        "action": entry.action,
        "preserve": list(entry.preserve),
        "avoid": list(entry.avoid),
        "scene": entry.scene,
        "life_area": entry.life_area,
    }


def _niche(ask: Ask) -> dict[str, str]:
    value: Any = ask.inputs.get("niche")
    return {str(name): str(text) for name, text in value.items()} if isinstance(value, dict) else {}


@cache
def _signs(tag: str, language: Language) -> tuple[tuple[str, frozenset[str]], ...]:
    """Name and telling words of each entry of a cell."""
    return tuple(
        (entry.name, _words(f"{entry.tool} {entry.scene} {entry.life_area} {entry.action}", language))
        for entry in load_table(language).cells[tag]
    )


def _words(text: str, language: Language) -> frozenset[str]:
    """Words of four letters and more, or Chinese character pairs."""
    if language is Language.EN:
        return frozenset(word.rstrip("s") for word in _LETTERS.findall(text.casefold()))
    return frozenset(run[at : at + 2] for run in _HAN.findall(text) for at in range(len(run) - 1))
