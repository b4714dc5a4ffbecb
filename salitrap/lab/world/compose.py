"""Compose table entries from authored parts.

The part lists of a frame have pairwise coprime lengths, and entry ``i`` of a shape takes part ``i mod
length`` of each: two entries then share all parts only when their distance is the product of the lengths,
so texts stay apart without a search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import Phrases, load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.world.model import Cell, Entry, Group, Thing
from salitrap.records.enums import Language

_SLOT = re.compile(r"\{(\w+)\}|<(z?)([\d.]+)-([\d.]+)(?:/([\d.]+))?>")
_ORDINAL = re.compile(r"\b(\d+)th\b")
_CHINESE = "零一二三四五六七八九"


def compose(cell: Cell) -> tuple[Entry, ...]:
    """Every entry of one cell, in a fixed order."""
    counters = dict.fromkeys(cell.frames, 0)
    entries = []
    for group, tool_at, object_at in _pairs(cell):
        tool, thing, index = group.tools[tool_at], group.objects[object_at], counters[group.shape]
        at = tool_at + 2 * object_at
        entry = compose_entry(cell, group, tool, thing, at, index)
        entries.append(replace(entry, scene=group.scenes[object_at % len(group.scenes)]))
        counters[group.shape] += 1
    return tuple(entries)


def _pairs(cell: Cell) -> Iterator[tuple[Group, int, int]]:
    for group in cell.groups:
        for tool_at in range(len(group.tools)):
            for object_at in range(len(group.objects)):
                yield group, tool_at, object_at


def compose_entry(  # the two things, and their places
    cell: Cell, group: Group, tool: Thing, thing: Thing, core_at: int, index: int
) -> Entry:
    """The seed of one tool and one object; ``core_at`` and ``index`` choose among the authored parts."""
    phrases = load_phrases(cell.language)
    draw = Draw("world", cell.tag, cell.language.value, group.key, tool.phrase, thing.phrase)
    filler = Filler(draw, _words(group, tool, thing, cell.language))
    scenario = filler.fill(group.scenarios[index % len(group.scenarios)])
    core = filler.sentence(cell.cores[core_at % len(cell.cores)])
    truth = filler.fill(cell.truths[index % len(cell.truths)])
    prompt_filler = Filler(draw, filler.words)
    parts = [prompt_filler.sentence(part) for part in _parts(cell, group, index, draw)]
    parts = _with_stilted(_long_enough(parts, draw, phrases), draw, phrases)
    prompt = phrases.join(parts)
    return Entry(
        tag=cell.tag,
        language=cell.language,
        group=group.key,
        scenario=scenario,
        prompt=prompt,
        trap_core=core,
        ground_truth=phrases.join([core, truth]),
        tool=tool.name,
        object=thing.name,
        action=group.action,
        preserve=(filler.fill(phrases.preserve), phrases.preserve_numbers),
        avoid=(filler.fill(phrases.avoid), phrases.avoid_doubt),
        scene=group.scenes[index % len(group.scenes)],
        life_area=group.life_area,
        keys=(tool.name, thing.name),
    )


def _parts(cell: Cell, group: Group, index: int, draw: Draw) -> list[str]:
    frame = cell.frames[group.shape]
    once = [parts[index % len(parts)] for parts in (frame.openings, group.pivots)]
    worded = [parts[index % len(parts)] for parts in (frame.middles, frame.closings)]
    return [*once, *(draw.pick(f"wording/{at}", wordings) for at, wordings in enumerate(worded))]


def _long_enough(parts: list[str], draw: Draw, phrases: Phrases) -> list[str]:
    missing = phrases.shortest - len(phrases.join([*parts, ""]))
    if missing <= 0:
        return parts
    fitting = [closer for closer in phrases.closers if len(closer) >= missing]
    return [*parts, draw.pick("closer", fitting or phrases.closers)]


def _with_stilted(parts: list[str], draw: Draw, phrases: Phrases) -> list[str]:
    """Some seeds read awkwardly from the start, as drafts of real generators do."""
    kind = draw.unit("stilted")
    heavy = kind < PLANTED.stilted_heavy_share
    if not heavy and kind >= PLANTED.stilted_heavy_share + PLANTED.stilted_mild_share:
        return parts
    chosen = draw.order("stilted-sentences", phrases.stilted)[: 3 if heavy else 1]
    places = {0: chosen[:1], 2: chosen[1:2], 3: chosen[2:]}
    return [text for index, part in enumerate(parts) for text in (*places.get(index, ()), part)]


def _words(group: Group, tool: Thing, thing: Thing, language: Language) -> dict[str, str]:
    words = {"tool": tool.name, "a_tool": tool.phrase, "the_tool": _definite(tool, language)}
    words |= {"object": thing.phrase, "why": tool.fact, "effect": thing.fact, "instead": group.instead}
    filler = Filler(Draw(), words)
    words |= {"act": filler.fill(group.act), "acting": filler.fill(group.acting)}
    return words


def _definite(tool: Thing, language: Language) -> str:
    if language is Language.ZH or tool.name == tool.phrase:
        return tool.phrase
    return f"the {tool.name}"


class Filler:
    """Fills ``{word}`` and number slots ``<low-high/step>``; ``<z2-9>`` writes Chinese numerals.

    A word slot with a capital takes a capital first letter. ``numbers`` holds what number slots got.
    """

    def __init__(self, draw: Draw, words: dict[str, str]) -> None:
        self.draw, self.words = draw, words
        self.numbers: list[str] = []

    def fill(self, template: str) -> str:
        """``template`` with all slots filled."""
        return _ORDINAL.sub(_ordinal, _SLOT.sub(self._slot, template))

    def sentence(self, template: str) -> str:
        """The same with a capital first letter."""
        filled = self.fill(template)
        return filled[:1].upper() + filled[1:]

    def _slot(self, match: re.Match[str]) -> str:
        name, chinese, low, high, step = match.groups()
        if name:
            word = self.words[name.lower()]
            return word[:1].upper() + word[1:] if name[0].isupper() else word
        number = self._number(low, high, step)
        self.numbers.append(chinese_numeral(int(number)) if chinese else number)
        return self.numbers[-1]

    def _number(self, low: str, high: str, step: str | None) -> str:
        digits = max(len(text.partition(".")[2]) for text in (low, high, step or ""))
        width = float(step or 1)
        places = int((float(high) - float(low)) / width + 1e-9) + 1
        value = float(low) + width * self.draw.below(f"number/{len(self.numbers)}", places)
        return f"{value:.{digits}f}"


def _ordinal(match: re.Match[str]) -> str:
    number = int(match.group(1))
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def chinese_numeral(value: int) -> str:
    """A number below one hundred in Chinese characters, as written before a measure word."""
    tens, units = divmod(value, 10)
    if not tens:
        return "两" if units == 2 else _CHINESE[units]
    return f"{_CHINESE[tens] if tens > 1 else ''}十{_CHINESE[units] if units else ''}"
