"""Drafts for a dimension the table does not know: a seed of the user in other surroundings.

The lab does not understand a user's trap, so it keeps what makes it one: the sentences of the prompt, its
closing question, the trap core, tool and object. New are the figures, and sentences before the prompt and
after the core that speak of the niche and leave the plan alone. There are enough of these for a draft to
pass the duplicate filters beside the seed it comes from.
"""

from __future__ import annotations

from typing import Any

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import load_phrases, load_surroundings
from salitrap.lab.request import Ask
from salitrap.lab.tasks.faulty_draft import Draft
from salitrap.lab.tasks.renumber import renumber
from salitrap.lab.tasks.sentences import upper_first
from salitrap.lab.world.compose import Filler
from salitrap.records.enums import Language
from salitrap.text import find_numerals

NEW_SHARE = 0.8
"""Characters added for each one kept; with less, a draft and its seed are near duplicates."""

STEP = 3
"""Sentences by which the drafts of a reply are apart; two to four are used in each."""

_BARE = {
    Language.EN: {
        "scenario": "Doing without what is needed",
        "prompt": "I want to finish the job without the one thing it depends on, in 4 rounds of 25 minutes "
        "with 5 minutes of rest after each. When am I done if I start at 9 o'clock?",
        "trap_core": "The job cannot be done without the thing that it depends on.",
        "ground_truth": "The one condition of the job is missing, so no plan can work.",
        "tool": "the usual kit",
        "object": "the job",
        "action": "finish",
        "scene": "usual place",
        "life_area": "everyday life",
    },
    Language.ZH: {
        "scenario": "缺了必要条件硬做",
        "prompt": "我想在缺少关键条件的情况下把这件事做完，分4轮，每轮25分钟，每轮之后歇5分钟。"
        "9点开始的话，几点能做完？",
        "trap_core": "缺了所依赖的条件，这件事不可能做成。",
        "ground_truth": "关键条件不具备，所以任何计划都行不通。",
        "tool": "老一套工具",
        "object": "这件事",
        "action": "做完",
        "scene": "老地方",
        "life_area": "日常生活",
    },
}


def invent(ask: Ask, index: int) -> Draft:
    """Draft number ``index`` of the reply to ``ask``."""
    draw, bank = Draw(ask.draw.bits(f"invent/{index}")), load_surroundings(ask.language)
    example = {**_BARE[ask.language], **_example(ask, draw)}
    place = {name: _asked(ask, name) or str(example[name]) for name in ("scene", "life_area")}
    when = _in_turn("when", bank.when, ask, index)
    filler = Filler(draw, {**place, "when": when, "scenario": example["scenario"]})
    before, after = (_turned(name, ask, index) for name in ("before", "after"))
    prompt = _prompt(example["prompt"], before, filler, ask.language)
    return {
        **{name: example[name] for name in ("ground_truth", "tool", "object")},
        "scenario": upper_first(filler.fill(bank.name)),
        "prompt": prompt,
        "trap_core": _core(example["trap_core"], after, filler, ask.language),
        "injected_numbers": [numeral.raw for numeral in find_numerals(prompt)],
        "action": f"{example['action']} ({place['scene']}, {when})",
        "preserve": list(example.get("preserve", [])) or [example["tool"]],
        "avoid": list(example.get("avoid", [])) or [load_phrases(ask.language).avoid_doubt],
        **place,
    }


def _prompt(kept: str, bank: list[str], filler: Filler, language: Language) -> str:
    """The seed's prompt with other figures, after sentences about its surroundings."""
    phrases = load_phrases(language)
    room = min(len(kept) * NEW_SHARE, phrases.longest - len(kept))
    return phrases.join([*_added(bank, room, filler), renumber(kept, filler.draw)])


def _core(kept: str, bank: list[str], filler: Filler, language: Language) -> str:
    """The seed's trap core, after which the surroundings are said to change nothing."""
    return load_phrases(language).join([kept, *_added(bank, len(kept) * NEW_SHARE, filler)])


def _added(bank: list[str], room: float, filler: Filler) -> list[str]:
    """The first sentences of ``bank`` that fill ``room`` characters; at least one."""
    added: list[str] = []
    for template in bank:
        added.append(filler.sentence(template))
        if sum(map(len, added)) >= room:
            break
    return added


def _turned(name: str, ask: Ask, index: int) -> list[str]:
    """A bank in an order drawn for the reply, each of its drafts starting further on."""
    order = ask.draw.order(f"invent/{name}", getattr(load_surroundings(ask.language), name))
    start = index * STEP % len(order)
    return [*order[start:], *order[:start]]


def _in_turn(name: str, values: tuple[str, ...], ask: Ask, index: int) -> str:
    """Neighbouring drafts of a reply take neighbouring values, from a drawn start."""
    return values[(ask.draw.below(name, len(values)) + index) % len(values)]


def _example(ask: Ask, draw: Draw) -> dict[str, Any]:
    examples = ask.inputs.get("examples")
    usable = [entry for entry in examples if isinstance(entry, dict)] if isinstance(examples, list) else []
    return {name: value for name, value in draw.pick("example", usable).items() if value} if usable else {}


def _asked(ask: Ask, name: str) -> str:
    """A value of the niche asked for, "" when none is."""
    niche = ask.inputs.get("niche")
    return str(niche.get(name) or "") if isinstance(niche, dict) else ""
