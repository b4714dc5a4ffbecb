"""Drafts for a dimension the table does not know: an example of the user, moved to the asked niche."""

from __future__ import annotations

from typing import Any

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import load_phrases
from salitrap.lab.request import Ask
from salitrap.lab.tasks.faulty_draft import Draft
from salitrap.lab.tasks.renumber import renumber
from salitrap.lab.tasks.sentences import is_question, lower_first, sentences, upper_first
from salitrap.lab.world.compose import Filler
from salitrap.lab.world.load import TAGS, load_cell
from salitrap.lab.world.model import Frame
from salitrap.records.enums import Language
from salitrap.text import find_numerals

_OPENINGS = {
    Language.EN: (
        "It concerns {life_area} again: at {scene} on the <3-26>th, {tool} is all I have to go by.",
        "I look after {life_area} for <4-19> people, and this time {scene} and {tool} are my share of it.",
        "With {tool} at hand and {scene} booked for <2-6> hours, I am getting on with our {life_area}.",
        "As regards {life_area}, my corner is {scene}, <12-48> square meters, with {tool} in the middle.",
        "Next stop {scene}: I bring {tool}, <2-5> friends come along, and {life_area} is the topic.",
    ),
    Language.ZH: (
        "这次又是{life_area}的事，<3-26>号在{scene}，手边能用的就是{tool}。",
        "{life_area}这一摊要照顾<4-19>个人，我分到的是{scene}和{tool}。",
        "{scene}订了<2-6>个小时，带上{tool}，我来打理{life_area}。",
        "说到{life_area}，我管的是{scene}那<12-48>平方米，中间摆着{tool}。",
        "下一站是{scene}，我带{tool}，同去的有<2-5>位朋友，都为了{life_area}。",
    ),
}
_CORES = {
    Language.EN: (
        "Whatever is arranged {when} around {tool} in {scene}, this stays as it is: {core}",
        "For {life_area} in {scene} it cannot be otherwise {when}, and {tool} is no help: {core}",
        "{Core} Neither {tool} nor any schedule made in {scene} {when} will change that.",
        "No amount of {life_area} with {tool} gets around one fact in {scene}, least of all {when}: {core}",
        "{Core} That holds in {scene} just the same {when}, so a plan built on {tool} cannot succeed.",
        "Anyone who turns to {life_area} {when}, with {tool} or without, meets a wall in {scene}: {core}",
        "{Core} Doing it {when} in {scene} is not possible either, however well {tool} serves elsewhere.",
        "It makes no difference that {scene} is free {when} and {tool} lies ready for {life_area}; {core}",
    ),
    Language.ZH: (
        "{when}在{scene}围着{tool}怎么安排都不能改变一点：{core}",
        "{life_area}也不例外，{when}{scene}里的{tool}帮不上忙：{core}",
        "{core}不管是{tool}还是{when}在{scene}排的时间表，都无法改变这一点。",
        "{when}拿着{tool}在{scene}忙{life_area}，绕不开一个事实，没有例外：{core}",
        "{core}{when}到了{scene}同样如此，靠{tool}定的计划不可能成功。",
        "谁要是{when}为了{life_area}来到{scene}，带没带{tool}都会碰上同一堵墙：{core}",
        "{core}哪怕{tool}在别处再好用，{when}在{scene}做这件事也没有可能。",
        "{scene}{when}空着、{tool}也摆好了要做{life_area}，这些都无关紧要：{core}",
    ),
}
_WHEN = {
    Language.EN: (
        "before breakfast", "on a rainy Monday", "after closing time", "over the long weekend",
        "during the lunch break", "right after sunrise", "late on Friday", "at the end of the month",
        "in the first week of May", "on the eve of the fair", "between two shifts", "in the holidays",
        "while the others are away", "at half past the hour", "on market day", "in the quiet season",
    ),
    Language.ZH: (
        "早饭前", "下雨的星期天", "关门以后", "长假里", "午休时", "天刚亮的时候", "周末傍晚", "月底",
        "立夏那周", "赶集前夜", "换班的空当", "寒假里", "别人都不在时", "整点过后", "集市当天", "淡季里",
    ),
}  # fmt: skip
_NAMES = {
    Language.EN: "{scenario} at {scene} with {tool}, {when}",
    Language.ZH: "{when}{scene}里带着{tool}：{scenario}",
}
_TRUTHS = {
    Language.EN: "{truth} The surroundings do not change this, and the answer has to say so first.",
    Language.ZH: "{truth}换了地方也一样，回答应当先说明这一点。",
}
_BARE = {
    Language.EN: {
        "scenario": "Doing without what is needed",
        "prompt": "I want to finish the job without the one thing it depends on.",
        "trap_core": "The job cannot be done without the thing that it depends on.",
        "ground_truth": "The one condition of the job is missing, so no plan can work.",
        "object": "the job",
        "action": "finish",
    },
    Language.ZH: {
        "scenario": "缺了必要条件硬做",
        "prompt": "我想在缺少关键条件的情况下把这件事做完。",
        "trap_core": "缺了所依赖的条件，这件事不可能做成。",
        "ground_truth": "关键条件不具备，所以任何计划都行不通。",
        "object": "这件事",
        "action": "做完",
    },
}


def invent(ask: Ask, index: int) -> Draft:
    """Draft number ``index`` of the reply to ``ask``; valid in form, plausible in content."""
    draw = Draw(ask.draw.bits(f"invent/{index}"))
    example = {**_BARE[ask.language], **_example(ask, draw)}
    niche = _niche(ask, example)
    when = _in_turn("when", _WHEN[ask.language], ask, index)
    words = {**niche, "when": when, "scenario": example["scenario"], "truth": example["ground_truth"]}
    core = example["trap_core"]
    filler = Filler(draw, {**words, "core": core if ask.language is Language.ZH else lower_first(core)})
    prompt = _prompt(example["prompt"], filler, draw, ask.language)
    return {
        "scenario": upper_first(filler.fill(_NAMES[ask.language])),
        "prompt": prompt,
        "trap_core": filler.sentence(_in_turn("core", _CORES[ask.language], ask, index)),
        "ground_truth": filler.fill(_TRUTHS[ask.language]),
        "injected_numbers": [numeral.raw for numeral in find_numerals(prompt)],
        "tool": niche["tool"],
        "object": example["object"],
        "action": f"{example['action']} ({niche['scene']}, {when})",
        "preserve": list(example.get("preserve", [])) or [niche["tool"]],
        "avoid": list(example.get("avoid", [])) or [load_phrases(ask.language).avoid_doubt],
        "scene": niche["scene"],
        "life_area": niche["life_area"],
    }


def _in_turn(name: str, values: tuple[str, ...], ask: Ask, index: int) -> str:
    """Neighbouring drafts of a reply take neighbouring values, from a drawn start."""
    return values[(ask.draw.below(name, len(values)) + index) % len(values)]


def _example(ask: Ask, draw: Draw) -> dict[str, Any]:
    examples = ask.inputs.get("examples")
    usable = [entry for entry in examples if isinstance(entry, dict)] if isinstance(examples, list) else []
    return {name: value for name, value in draw.pick("example", usable).items() if value} if usable else {}


def _niche(ask: Ask, example: dict[str, Any]) -> dict[str, str]:
    asked = ask.inputs.get("niche")
    given = asked if isinstance(asked, dict) else {}
    named = {"tool": "the usual kit", "scene": "the usual place", "life_area": "everyday life"}
    if ask.language is Language.ZH:
        named = {"tool": "老一套工具", "scene": "老地方", "life_area": "日常生活"}
    return {name: str(given.get(name) or example.get(name) or other) for name, other in named.items()}


def _prompt(example: str, filler: Filler, draw: Draw, language: Language) -> str:
    phrases = load_phrases(language)
    body = [part for part in sentences(example, language) if not is_question(part)]
    frame = _frame(draw, language)
    parts = [
        filler.sentence(draw.pick("opening", _OPENINGS[language])),
        *(renumber(part, Draw(draw.bits(part))) for part in body[:3]),
        filler.sentence(draw.pick("middle", frame.middles)),
        filler.sentence(draw.pick("closing", frame.closings)),
    ]
    while len(phrases.join(parts)) > phrases.longest and len(parts) > 4:
        parts.pop(2)
    return phrases.join(parts)


def _frame(draw: Draw, language: Language) -> Frame:
    frames = load_cell(draw.pick("tag", TAGS), language).frames
    return draw.pick("frame", list(frames.values()))
