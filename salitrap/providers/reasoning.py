"""Keep a model's thinking apart from its answer."""

from __future__ import annotations

import re
from typing import NamedTuple

_OPEN = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(think|thinking|thought|reasoning)>", re.IGNORECASE)
_LONE_CLOSE = "</think>"
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
    thought, closed, answer = content.partition(_LONE_CLOSE)
    if not closed or "<think" in thought or thought.lstrip().startswith(_STRUCTURED):
        return Thought(content, "", False)
    return Thought(answer.strip(), thought.strip(), False)
