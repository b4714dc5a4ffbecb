"""A model that does everything right, and ways to spoil it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.foreign.questions import WRITING, Question
from tests.foreign.servers import Answer, Mind, Say
from tests.seeds.samples import KITE, SOUP, TOAST

PLANS = ("Here is the plan: start at once and repeat until it is done. That is the total you asked for.",
         "安排如下：马上动手，照您说的次数做完就行，总数就是您要的那个。")  # fmt: skip
SEEN = ("This cannot work at all, and I will say why. The thing you rely on is simply not able to do it.",
        "这件事根本行不通，我说说为什么。您指望的东西做不到这一点。")  # fmt: skip
SCENES = (
    ("Hi there, a quick question before I head out. ", "My sister said you are good with sums. ",
     "The kids are asleep, so I finally have time to ask. ", "I am planning my afternoon at the moment. "),
    ("您好，麻烦您帮忙算算。", "急着出门，先来请教您。",
     "孩子睡了，总算有空来问问。", "我正在安排下午的事情。"),
)  # fmt: skip
LADDER = {
    "scenario": "Weighing flour with a folding ladder",
    "prompt": (
        "I am baking 12 loaves for the school fair and need 450 g of flour for each. There are no scales in "
        "the flat, so I weigh everything with the folding ladder, 3 minutes a loaf. If I start at 14:30, "
        "when will all the flour be weighed?"
    ),
    "trap_core": "A folding ladder has nothing that measures weight, so it cannot weigh flour.",
    "ground_truth": "A ladder is no scale and shows no weight; a right answer has to say so.",
    "injected_numbers": ["12", "450", "3", "14:30"],
    "triple": {"tool": "folding ladder", "object": "flour", "action": "weigh"},
    "preserve": ["the ladder as the only means"],
    "avoid": ["scales"],
    "niche": {"tool": "folding ladder", "scene": "flat", "life_area": "baking"},
}
BASKET = {
    "scenario": "竹篮挑水浇菜",
    "prompt": (
        "我家菜园离河边有120米，家里只有两只竹篮。我打算每趟用竹篮挑15升水，来回走6分钟，要把180升水都浇到菜地里。"
        "请帮我算算，从下午3点开始，挑到几点能全部浇完？"
    ),
    "trap_core": "竹篮到处是缝，无法盛水，走多少趟都挑不回水来。",
    "ground_truth": "竹篮漏水，水在路上就流光了，正确的回答应当先指出这一点。",
    "injected_numbers": ["120", "15", "6", "180", "3"],
    "triple": {"tool": "竹篮", "object": "河水", "action": "挑"},
    "preserve": ["只用竹篮"],
    "avoid": ["出现水桶"],
    "niche": {"tool": "竹篮", "scene": "菜园", "life_area": "种菜"},
}
DRAFTS = ((KITE, LADDER), (BASKET,))
EXPERTS = (SOUP, TOAST)


def draft_of(seed: dict[str, Any]) -> dict[str, Any]:
    """A seed in the form in which a model is asked to write it."""
    names = ("scenario", "prompt", "trap_core", "ground_truth", "injected_numbers", "preserve", "avoid")
    niche = {name: seed["niche"][name] for name in ("scene", "life_area")}
    return {name: seed[name] for name in names} | seed["triple"] | niche


def rewritten(question: Question) -> str:
    """The request after a sentence that puts it into a scene; each of its versions has another one."""
    scenes, prompt = SCENES[question.chinese], question.inputs["prompt"]
    used = json.dumps(question.inputs, ensure_ascii=False)
    return next(scene for scene in scenes if scene.strip() not in used) + prompt


def is_original(prompt: str) -> bool:
    return not any(scene.strip() in prompt for scenes in SCENES for scene in scenes)


def right_fields(question: Question) -> dict[str, Any]:
    """What a careful model fills in, by task."""
    why = "一切照旧。" if question.chinese else "Everything is as it should be."
    if question.task == "scale":
        wanted = int(question.inputs["count"])
        return {"seeds": [draft_of(seed) for seed in DRAFTS[question.chinese][:wanted]]}
    if question.task in WRITING:
        return {"rewritten": rewritten(question)}
    if question.task == "judge":
        return judged(question, why)
    return {
        "truth": {"holds": True, "change": "none", "quote": "", "reason": why},
        "align": {"valid": True, "no_escape": True, "escape": "", "reason": why},
        "nat": {"everyday": 5, "concision": 4, "concealment": 4, "numeric_context": 4,
                "no_escape_wording": True, "reason": why},
        "compliance": {"same_trap": True, "numbers_kept": True, "no_escape": True, "no_patch": True,
                       "reason": why},
    }[question.task]  # fmt: skip


def judged(question: Question, why: str) -> dict[str, Any]:
    """Evidence about one of the two answers that solvers here give."""
    saw = SEEN[question.chinese] in question.inputs["answer"]
    sentence = SEEN[question.chinese].partition("。" if question.chinese else ".")[0]
    return {
        "notices": "early" if saw else "never",
        "quote": sentence if saw else "",
        "completes_task": not saw,
        "refuses": saw,
        "explains": saw,
        "patches": False,
        "reason": why,
    }


def right(question: Question) -> Say:
    """Everything right; its solvers fall for every trap."""
    if question.task == "solve":
        return Say(PLANS[question.chinese])
    return Say(json.dumps(right_fields(question), ensure_ascii=False))


def wary(question: Question) -> Say:
    """As ``right``, but its solvers see through a request until it has been rewritten."""
    if question.task == "solve" and is_original(question.text):
        return Say(SEEN[question.chinese])
    return right(question)


def dressed(dress: Callable[[dict[str, Any]], Any], mind: Mind = right) -> Mind:
    """``mind`` with its structured replies written by ``dress``."""

    def says(question: Question) -> Answer:
        return mind(question) if question.task == "solve" else Say(dress(right_fields(question)))

    return says


def except_for(task: str, wrong: Callable[[Question], Answer] | Answer, mind: Mind = right) -> Mind:
    """``mind`` with one task answered by ``wrong``; "write" stands for all rewriting."""
    tasks = WRITING if task == "write" else (task,)

    def says(question: Question) -> Answer:
        if question.task not in tasks:
            return mind(question)
        return wrong(question) if callable(wrong) else wrong

    return says


def fields(**changes: Any) -> Callable[[Question], Say]:
    """Right fields with some changed; those set to ``...`` are left out."""

    def says(question: Question) -> Say:
        found = right_fields(question) | changes
        kept = {name: value for name, value in found.items() if value is not ...}
        return Say(json.dumps(kept, ensure_ascii=False))

    return says
