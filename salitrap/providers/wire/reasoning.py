"""Keep a model's thinking apart from its answer."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAMES = r"(?:seed:)?(?:think|thinking|thought|reasoning|思考|思维|思考过程)"
_FORMS = (
    rf"[<◁]{_NAMES}(?:\s[^<>]*)?[>▷]",
    r"\[THINK\]",
    r"<\|(?:begin_of_)?(?:think|thinking|thought)\|>",
    r"(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)<\|message\|>",
)
_ENDS = (
    rf"[<◁]/{_NAMES}\s*[>▷]",
    r"\[/THINK\]",
    r"<\|(?:/|end_of_|end_)(?:think|thinking|thought)\|>",
    r"<\|end\|>",
)
_OPEN = re.compile(rf"\s*(?:{'|'.join(f'({form})' for form in _FORMS)})", re.IGNORECASE)
_CLOSE = tuple(re.compile(end, re.IGNORECASE) for end in _ENDS)
_OPEN_LATER = re.compile(rf"^[ \t]*(?:{'|'.join(_FORMS)})", re.IGNORECASE | re.MULTILINE)
_LONE_CLOSE = re.compile(r"</(?:seed:)?think>|◁/think▷|</思考>|\[/THINK\]|<\|(?:/|end_of_)thought\|>")
_ANSWER_FRAME = re.compile(
    r"^\s*(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>|<\|begin_of_solution\|>"
    r"|<\|(?:end_of_solution|return|end)\|>\s*$"
)
_STRUCTURED = ("{", "[", "`")


class Thought(NamedTuple):
    """A reply's content in two; ``unfinished`` when it ends inside the think block."""

    text: str
    reasoning: str
    unfinished: bool


def split_thought(content: str) -> Thought:
    """Split ``<think>..</think>`` blocks, in the spellings of several families of models, off ``content``.

    A block stands at the start, or on a line of its own after a few words. Some chat templates open it
    themselves, so that only the closing tag arrives. Of an unfinished block nothing is answer.
    """
    start = _start(content)
    if start is None:
        return _closed_only(content)
    before, at = content[:start].strip(), start
    thoughts: list[str] = []
    while (opened := _OPEN.match(content, at)) is not None:
        closed = _CLOSE[_form_of(opened)].search(content, opened.end())
        if closed is None:
            thoughts.append(content[opened.end() :].strip())
            return Thought("", "\n".join(thoughts), True)
        thoughts.append(content[opened.end() : closed.start()].strip())
        at = closed.end()
    answer = _unframed(content[at:])
    return Thought(f"{before}\n\n{answer}" if before else answer, "\n".join(thoughts), False)


def _start(content: str) -> int | None:
    """Where the first block opens; None when there is none, or JSON or code before it."""
    if _OPEN.match(content) is not None:
        return 0
    later = _OPEN_LATER.search(content)
    if later is None or any(sign in content[: later.start()] for sign in _STRUCTURED):
        return None
    return later.start()


def _form_of(opened: re.Match[str]) -> int:
    return next(number for number, form in enumerate(opened.groups()) if form is not None)


def _closed_only(content: str) -> Thought:
    closed = _LONE_CLOSE.search(content)
    thought = content[: closed.start()] if closed is not None else ""
    if closed is None or "<think" in thought or thought.lstrip().startswith(_STRUCTURED):
        return Thought(_unframed(content) if "<|channel|>" in content else content, "", False)
    return Thought(_unframed(content[closed.end() :]), thought.strip(), False)


def _unframed(answer: str) -> str:
    """The answer without the marks that some models put around it."""
    return _ANSWER_FRAME.sub("", answer.strip()).strip() if "<|" in answer else answer.strip()
