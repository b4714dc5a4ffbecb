"""Keep a model's thinking apart from its answer."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAMES = "think|thinking|thought|reasoning|思考|思维|思考过程"
_OPEN = re.compile(rf"\s*[<◁]({_NAMES})[>▷]", re.IGNORECASE)
_CLOSE = re.compile(rf"[<◁]/({_NAMES})[>▷]", re.IGNORECASE)
_LONE_CLOSE = re.compile(r"</think>|◁/think▷|</思考>")
_STRUCTURED = ("{", "[", "`")


class Thought(NamedTuple):
    """A reply's content in two; ``unfinished`` when it ends inside the think block."""

    text: str
    reasoning: str
    unfinished: bool


def split_thought(content: str) -> Thought:
    """Split leading ``<think>..</think>`` blocks off ``content``.

    Some chat templates open the block themselves, so that only the closing tag arrives. Of an
    unfinished block nothing is answer.
    """
    if _OPEN.match(content) is None:
        return _closed_only(content)
    thoughts: list[str] = []
    at = 0
    while (opened := _OPEN.match(content, at)) is not None:
        closed = _CLOSE.search(content, opened.end())
        if closed is None:
            thoughts.append(content[opened.end() :].strip())
            return Thought("", "\n".join(thoughts), True)
        thoughts.append(content[opened.end() : closed.start()].strip())
        at = closed.end()
    return Thought(content[at:].strip(), "\n".join(thoughts), False)


def _closed_only(content: str) -> Thought:
    closed = _LONE_CLOSE.search(content)
    thought = content[: closed.start()] if closed is not None else ""
    if closed is None or "<think" in thought or thought.lstrip().startswith(_STRUCTURED):
        return Thought(content, "", False)
    return Thought(content[closed.end() :].strip(), thought.strip(), False)
