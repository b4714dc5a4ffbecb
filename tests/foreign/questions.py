"""Understand a request the way a person would: by reading the instructions."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

OPENINGS = {
    "scale": ("You write seeds for a collection", "编写“种子题”"),
    "mutate": ("You write a fresh version of a request", "这里有一道求助题，里面埋着一个陷阱"),
    "naturalise": ("You edit a request which misleads", "已经能把解题的人带进沟里"),
    "camouflage": ("but gives itself away", "太容易露馅"),
    "repair": ("You mend a request", "因为读不下去被搁在一边"),
    "truth": ("It was built around an impossibility", "围绕一件办不到的事写成"),
    "align": ("relies on an impossible plan. `trap_core`", "指望着一个行不通的计划"),
    "nat": ("You rate the writing of one request", "收集真实留言的编辑"),
    "compliance": ("You compare two versions of a request", "一道题的前后两版"),
    "judge": ("You read an answer that somebody gave", "有人回答了一道求助题"),
}
WRITING = ("mutate", "naturalise", "camouflage", "repair")
_BLOCK = re.compile(r"^\[\[ ## (\w+) ## \]\]\n", re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """``task`` is "solve" when there are no instructions at all; ``again`` when it is asked a second time."""

    task: str
    chinese: bool
    inputs: dict[str, str]
    text: str
    model: str
    again: bool

    def listed(self, name: str) -> list[Any]:
        found = json.loads(self.inputs[name])
        assert isinstance(found, list)
        return found


def read_question(body: dict[str, Any]) -> Question:
    messages = [(message["role"], message["content"]) for message in body["messages"]]
    system = body.get("system") or "".join(text for role, text in messages if role == "system")
    users = [text for role, text in messages if role == "user"]
    task, chinese = _task(system) if system else ("solve", any(sign >= "\u4e00" for sign in users[0]))
    return Question(task, chinese, _inputs(users[0]), users[0], body["model"], len(users) > 1)


def _task(system: str) -> tuple[str, bool]:
    for task, openings in OPENINGS.items():
        for language, opening in enumerate(openings):
            if opening in system:
                return task, language == 1
    raise AssertionError(f"instructions that nobody understands: {system[:200]}")


def _inputs(text: str) -> dict[str, str]:
    parts = _BLOCK.split(text)[1:]
    return {name: value.strip() for name, value in zip(parts[::2], parts[1::2], strict=True)}
